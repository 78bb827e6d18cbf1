/**
 * kubectl describe servicecidr and ipaddress.
 * Models:     kubectl/pkg/describe/describe.go (ServiceCIDRDescriber,
 *             IPAddressDescriber) @ v1.36
 */
import { list, obj, str, strings } from "../../api/kinds/access.ts";
import {
  type Describer,
  writeEventsOf,
  writeLabelsOf,
  writeTimedConditions,
} from "./subject.ts";

export const describeServiceCidr: Describer = async (subject) => {
  const { w, object, spec, status } = subject;
  w.field(0, "Name", object.metadata.name);
  writeLabelsOf(subject);
  w.field(0, "CIDRs", strings(spec.cidrs).join(", "));
  if (list(status.conditions).length > 0) w.line(0, "Status:");
  writeTimedConditions(subject);
  await writeEventsOf(subject);
};

export const describeIpAddress: Describer = async (subject) => {
  const { w, object, spec } = subject;
  w.field(0, "Name", object.metadata.name);
  writeLabelsOf(subject);
  if (spec.parentRef) {
    const { group, resource, namespace, name } = obj(spec.parentRef);
    w.line(0, "Parent Reference:");
    w.field(1, "Group", str(group));
    w.field(1, "Resource", str(resource));
    w.field(1, "Namespace", str(namespace));
    w.field(1, "Name", str(name));
  }
  await writeEventsOf(subject);
};

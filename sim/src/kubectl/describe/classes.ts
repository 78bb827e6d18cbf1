/**
 * kubectl describe of classes and other small kinds of the cluster:
 * PriorityClass, StorageClass, VolumeAttributesClass, CSINode.
 * Models:     kubectl/pkg/describe/describe.go @ v1.36
 */
import { goValue } from "../../api/go-text.ts";
import { list, num, str, strings } from "../../api/kinds/access.ts";
import { boolText, labelsText } from "../../api/kinds/cells.ts";
import {
  type Describer,
  type Subject,
  writeCreated,
  writeEventsOf,
  writeLabelsOf,
} from "./subject.ts";

const DEFAULT_CLASS = [
  "storageclass.kubernetes.io/is-default-class",
  "storageclass.beta.kubernetes.io/is-default-class",
];

export const describePriorityClass: Describer = async (subject) => {
  const { w, object } = subject;
  w.field(0, "Name", object.metadata.name);
  w.field(0, "Value", num(object.value));
  w.field(0, "GlobalDefault", object.globalDefault === true);
  w.field(0, "PreemptionPolicy", str(object.preemptionPolicy));
  w.field(0, "Description", str(object.description));
  w.field(0, "Annotations", labelsText(object.metadata.annotations));
  await writeEventsOf(subject);
};

export const describeStorageClass: Describer = async (subject) => {
  const { w, object } = subject;
  const { name, annotations = {} } = object.metadata;
  w.field(0, "Name", name);
  const isDefault = DEFAULT_CLASS.some((key) => annotations[key] === "true");
  w.field(0, "IsDefaultClass", isDefault ? "Yes" : "No");
  w.field(0, "Annotations", labelsText(annotations));
  w.field(0, "Provisioner", str(object.provisioner));
  w.field(0, "Parameters", labelsText(object.parameters));
  w.field(0, "AllowVolumeExpansion", boolText(object.allowVolumeExpansion));
  const options = strings(object.mountOptions);
  w.line(0, `MountOptions:${options.length === 0 ? "\t<none>" : ""}`);
  for (const option of options) w.line(1, option);
  if (object.reclaimPolicy) w.field(0, "ReclaimPolicy", object.reclaimPolicy);
  if (object.volumeBindingMode)
    w.field(0, "VolumeBindingMode", object.volumeBindingMode);
  writeTopologies(subject);
  await writeEventsOf(subject);
};

export const describeAttributesClass: Describer = async (subject) => {
  const { w, object } = subject;
  w.field(0, "Name", object.metadata.name);
  w.field(0, "Annotations", labelsText(object.metadata.annotations));
  w.field(0, "DriverName", str(object.driverName));
  w.field(0, "Parameters", labelsText(object.parameters));
  await writeEventsOf(subject);
};

function writeTopologies({ w, object }: Subject): void {
  const terms = list(object.allowedTopologies);
  if (terms.length === 0) return;
  w.line(0, "AllowedTopologies:\t");
  for (const [i, term] of terms.entries()) {
    const texts = list(term.matchLabelExpressions).map(
      ({ key, values }) => `${key} in [${strings(values).join(", ")}]`,
    );
    w.items(1, `Term ${i}`, texts);
  }
}

export const describeCsiNode: Describer = async (subject) => {
  const { w, object, spec } = subject;
  w.field(0, "Name", object.metadata.name);
  writeLabelsOf(subject);
  writeCreated(subject);
  w.line(0, "Spec:");
  if (spec.drivers) w.line(1, "Drivers:");
  for (const { name, nodeID, allocatable, topologyKeys } of list(
    spec.drivers,
  )) {
    w.line(2, `${name}:`);
    w.field(3, "Node ID", str(nodeID));
    const { count } = (allocatable ?? {}) as { count?: number };
    if (count !== undefined) {
      w.line(3, "Allocatables:");
      w.field(4, "Count", count);
    }
    if (topologyKeys) w.field(3, "Topology Keys", goValue(topologyKeys));
  }
  await writeEventsOf(subject);
};

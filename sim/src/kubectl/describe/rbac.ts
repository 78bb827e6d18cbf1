/**
 * kubectl describe of rights: Role, ClusterRole, and their bindings.
 * Models:     kubectl/pkg/describe/describe.go (RoleDescriber,
 *             RoleBindingDescriber) @ v1.36
 */
import { at, list, str } from "../../api/kinds/access.ts";
import { RULE_HEADER, ruleLines } from "../rules.ts";
import { type Describer, writeLabelsOf } from "./subject.ts";

export const describeRole: Describer = async (subject) => {
  const { w, object } = subject;
  w.field(0, "Name", object.metadata.name);
  writeLabelsOf(subject);
  w.line(0, "PolicyRule:");
  w.line(1, RULE_HEADER);
  w.line(1, RULE_HEADER.replace(/[^\t]/g, "-"));
  for (const line of ruleLines(list(object.rules))) w.line(1, line);
};

export const describeRoleBinding: Describer = async (subject) => {
  const { w, object } = subject;
  w.field(0, "Name", object.metadata.name);
  writeLabelsOf(subject);
  w.line(0, "Role:");
  w.field(1, "Kind", str(at(object.roleRef, "kind")));
  w.field(1, "Name", str(at(object.roleRef, "name")));
  w.line(0, "Subjects:");
  w.line(1, "Kind\tName\tNamespace");
  w.line(1, "----\t----\t---------");
  for (const { kind, name, namespace } of list(object.subjects))
    w.line(1, `${kind}\t${name}\t${str(namespace)}`);
};

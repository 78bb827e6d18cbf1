/**
 * Namespace: a room for names.
 * Models: pkg/registry/core/namespace/strategy.go, pkg/apis/core/v1/defaults.go @ v1.36
 */
import { type FieldError, invalid } from "../field-error.ts";
import { dns1123Label, labelKey } from "../names.ts";
import { age, columns } from "../table.ts";
import type { JsonObject } from "../types.ts";
import { at, obj, str, strings } from "./access.ts";
import { defineKind, statusSubresource } from "./define.ts";
import type { Kind, Obj } from "./definition.ts";
import { finalizerNames } from "./metadata.ts";
import type * as types from "./types/core.ts";

export type Namespace = types.Namespace;

const nameLabel = "kubernetes.io/metadata.name";

export const Namespace: Kind<Namespace> = defineKind<Namespace>({
  kind: "Namespace",
  namespaced: false,
  shortNames: ["ns"],
  verbs: ["create", "delete", "get", "list", "patch", "update", "watch"],
  subresources: [{ name: "finalize", verbs: ["update"] }, statusSubresource],
  hooks: { Namespace: namespaceDefaults },
  emptyStatus: { phase: "Active" },
  selectable: {
    "status.phase": (object) => str(at(object, "status", "phase")),
  },
  nameRule: dns1123Label,
  columns: columns("Name|Status|Age"),
  row: (object, now) => ({
    cells: [
      object.metadata.name,
      str(at(object, "status", "phase")),
      age(object, now),
    ],
  }),
  validate: ({ spec }) =>
    specFinalizerErrors(strings(obj(spec).finalizers), () => ""),
  updateOrder: ["meta", "rules", "metaChange"],
  validateStatusChange: phaseChange,
  onCreate: (object) => {
    const spec = obj(object.spec);
    const finalizers = strings(spec.finalizers);
    if (finalizers.includes("kubernetes")) return object;
    return {
      ...object,
      spec: { ...spec, finalizers: [...finalizers, "kubernetes"] },
    };
  },
  onUpdate: (object, old) => ({ ...object, spec: old.spec }),
});

/** Of finalizers of the namespace itself; `at` says where each stands. */
export function specFinalizerErrors(
  finalizers: readonly string[],
  at = (i: number) => `[${i}]`,
): FieldError[] {
  return finalizers.flatMap((name, i) => {
    const field = `spec.finalizers${at(i)}`;
    return [
      ...labelKey(name).map((text) => invalid(field, name, text)),
      ...finalizerNames([name]).map((error) => ({ ...error, field })),
    ];
  });
}

/** Each carries its name as a label, so that selectors can tell it. */
function namespaceDefaults(object: JsonObject): JsonObject {
  const metadata = obj(object.metadata);
  const labels = obj(metadata.labels);
  const name = str(metadata.name);
  if (!name || labels[nameLabel] === name) return object;
  return {
    ...object,
    metadata: { ...metadata, labels: { ...labels, [nameLabel]: name } },
  };
}

function phaseChange(object: Obj): FieldError[] {
  const phase = str(at(object, "status", "phase"));
  const deleting = object.metadata.deletionTimestamp !== undefined;
  if (deleting && phase !== "Terminating") {
    const rule =
      "may only be 'Terminating' if `deletionTimestamp` is not empty";
    return [invalid("status.Phase", phase, rule)];
  }
  if (!deleting && phase !== "Active") {
    return [
      invalid(
        "status.Phase",
        phase,
        "may only be 'Active' if `deletionTimestamp` is empty",
      ),
    ];
  }
  return [];
}

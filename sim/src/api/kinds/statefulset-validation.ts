/**
 * What a StatefulSet may say, and what of it may change.
 * Models: pkg/apis/apps/validation/validation.go @ v1.36
 */
import {
  type FieldError,
  forbidden,
  invalid,
  notSupported,
  required,
} from "../field-error.ts";
import type { JsonObject } from "../types.ts";
import { list, obj, same, str } from "./access.ts";
import type { Obj } from "./definition.ts";
import { internalJson } from "./internal-json.ts";
import { negativeErrors } from "./shared-validation.ts";
import { selectedTemplate } from "./template-validation.ts";

export function statefulSetErrors(object: Obj): FieldError[] {
  const spec = obj(object.spec);
  const errors: FieldError[] = [];
  const management = spec.podManagementPolicy;
  const policies = ["OrderedReady", "Parallel"];
  if (!management) errors.push(required("spec.podManagementPolicy"));
  else if (!policies.includes(str(management))) {
    const rule = `must be '${policies[0]}' or '${policies[1]}'`;
    errors.push(invalid("spec.podManagementPolicy", management, rule));
  }
  const strategy = obj(spec.updateStrategy);
  const { type, rollingUpdate } = strategy;
  if (type === "OnDelete" && rollingUpdate !== undefined) {
    const rule = "only allowed for updateStrategy 'RollingUpdate'";
    const shown = internalJson(
      "RollingUpdateStatefulSetStrategy",
      obj(rollingUpdate),
    );
    errors.push(invalid("spec.updateStrategy.rollingUpdate", shown, rule));
  } else if (type !== "OnDelete" && type !== "RollingUpdate") {
    const rule = "must be 'RollingUpdate' or 'OnDelete'";
    const shown = internalJson("StatefulSetUpdateStrategy", strategy);
    errors.push(invalid("spec.updateStrategy", shown, rule));
  }
  if (type === "RollingUpdate") {
    const { partition } = obj(rollingUpdate);
    const here = "spec.updateStrategy.rollingUpdate.partition";
    errors.push(...negativeErrors(partition, here));
  }
  errors.push(...retentionErrors(spec));
  return [
    ...errors,
    ...negativeErrors(spec.replicas, "spec.replicas"),
    ...negativeErrors(spec.minReadySeconds, "spec.minReadySeconds"),
    ...negativeErrors(obj(spec.ordinals).start, "spec.ordinals.start"),
    ...selectedTemplate(withClaims(spec), "statefulset", "StatefulSet"),
  ];
}

function retentionErrors(spec: JsonObject): FieldError[] {
  const field = "persistentVolumeClaimRetentionPolicy";
  const policy = spec[field];
  if (policy === undefined) return [];
  const known = ["Retain", "Delete"];
  return ["whenDeleted", "whenScaled"].flatMap((when) => {
    const value = obj(policy)[when];
    if (known.includes(str(value))) return [];
    return [notSupported(`spec.${field}.${when}`, value, known)];
  });
}

/** The template with a volume for each claim that its Pods will get. */
function withClaims(spec: JsonObject): JsonObject {
  const claims = list(spec.volumeClaimTemplates);
  if (claims.length === 0) return spec;
  const template = obj(spec.template);
  const inner = obj(template.spec);
  const own = list(inner.volumes);
  const names = claims.map(({ metadata }) => str(obj(metadata).name));
  const volumes = names
    .filter((name) => !own.some((volume) => volume.name === name))
    .map((name) => ({ name, persistentVolumeClaim: { claimName: name } }));
  const all = { ...inner, volumes: [...own, ...volumes] };
  return { ...spec, template: { ...template, spec: all } };
}

const changeable = [
  ...[
    "replicas",
    "ordinals",
    "template",
    "updateStrategy",
    "revisionHistoryLimit",
  ],
  ...["persistentVolumeClaimRetentionPolicy", "minReadySeconds"],
];

export function statefulSetChange(object: Obj, old: Obj): FieldError[] {
  const fixed = (spec: JsonObject) =>
    Object.fromEntries(
      Object.entries(spec).filter(([name]) => !changeable.includes(name)),
    );
  if (same(fixed(obj(object.spec)), fixed(obj(old.spec)))) return [];
  const rule =
    "updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', " +
    "'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and " +
    "'minReadySeconds' are forbidden";
  return [forbidden("spec", rule)];
}

/** Where the Pod's spec is in an object that has one, and how it is changed. */
import { at, list, obj } from "../../api/kinds/access.ts";
import type { Json, JsonObject, KubeObject } from "../../api/types.ts";
import { CommandError } from "../environment.ts";
import type { Found } from "../find.ts";
import { jsonOf } from "../objects.ts";

/** Where the Pod's spec is: in the object itself, or in a template. */
function pathOf({ kind, object }: Found): readonly string[] {
  if (kind.kind === "Pod") return ["spec"];
  const jobs = ["spec", "jobTemplate", "spec", "template", "spec"];
  const path = kind.kind === "CronJob" ? jobs : ["spec", "template", "spec"];
  if (at(jsonOf(object), ...path) !== undefined) return path;
  throw new CommandError(
    "the object is not a pod or does not have a pod template: " +
      `*${kind.version}.${kind.kind}`,
  );
}

/** The object with the Pod's spec changed. */
export function withPodSpec(
  found: Found,
  change: (spec: JsonObject) => JsonObject,
): KubeObject {
  const object = jsonOf(found.object);
  return replaced(object, pathOf(found), change) as KubeObject & JsonObject;
}

function replaced(
  value: JsonObject,
  [field, ...more]: readonly string[],
  change: (inner: JsonObject) => JsonObject,
): JsonObject {
  if (field === undefined) return change(value);
  const inner = obj(value[field] as Json);
  return { ...value, [field]: replaced(inner, more, change) };
}

/** The object with its containers changed one by one. */
export function withContainers(
  found: Found,
  change: (container: JsonObject) => JsonObject,
): KubeObject {
  return withPodSpec(found, (spec) => mapContainers(spec, change));
}

/** A Pod's spec with each of its containers changed, those of the start too. */
export function mapContainers(
  spec: JsonObject,
  change: (container: JsonObject) => JsonObject,
): JsonObject {
  const { containers, initContainers } = spec;
  return {
    ...spec,
    containers: list(containers).map(change),
    ...(initContainers
      ? { initContainers: list(initContainers).map(change) }
      : {}),
  };
}

/** The containers, then those of the start. */
export function containersOf(found: Found): readonly JsonObject[] {
  const spec = obj(at(jsonOf(found.object), ...pathOf(found)));
  return [...list(spec.containers), ...list(spec.initContainers)];
}

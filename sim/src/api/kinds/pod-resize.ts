/**
 * Containers that are given more or less while they run: `pods/resize`.
 * Models: pkg/registry/core/pod/strategy.go (podResizeStrategy),
 *         ValidatePodResize in pkg/apis/core/validation/validation.go @ v1.36
 */
import { type FieldError, forbidden, invalid } from "../field-error.ts";
import type { JsonObject } from "../types.ts";
import { at, list, obj, same, str, without } from "./access.ts";
import type { Obj } from "./definition.ts";
import { podErrors } from "./pod-validation.ts";
import { qosOf } from "./qos.ts";

const FIELDS = ["containers", "initContainers"];

/** All but the resources and how they may change stays as it was. */
export function prepareResize(pod: Obj, old: Obj): Obj {
  const [sent, before] = [obj(pod.spec), obj(old.spec)];
  const has = (spec: JsonObject, field: string) => list(spec[field]).length;
  // What is added or removed stays, so that it is found and refused.
  if (FIELDS.some((field) => has(sent, field) !== has(before, field)))
    return pod;
  const kept = FIELDS.map((field) => resizedOnly(field, sent, before));
  const { resources: _, ...rest } = before;
  const own = sent.resources === undefined ? {} : { resources: sent.resources };
  const spec = Object.assign({}, rest, ...kept, own);
  if (same(spec, before)) return old;
  const { resourceVersion } = pod.metadata;
  const generation = (old.metadata.generation ?? 0) + 1;
  const metadata = { ...old.metadata, resourceVersion, generation };
  return { ...old, spec, metadata } as Obj;
}

function resizedOnly(
  field: string,
  sent: JsonObject,
  before: JsonObject,
): object {
  const [now, then] = [list(sent[field]), list(before[field])];
  if (now.length === 0) return {};
  if (now.some(({ name }, i) => name !== then[i]!.name))
    return { [field]: now };
  const resized = then.map((container, i) => {
    const { resources: _r, resizePolicy: _p, ...rest } = container;
    const { resources, resizePolicy } = now[i]!;
    return {
      ...rest,
      ...(resources === undefined ? {} : { resources }),
      ...(resizePolicy === undefined ? {} : { resizePolicy }),
    };
  });
  return { [field]: resized };
}

export function resizeErrors(pod: Obj, old: Obj): readonly FieldError[] {
  const errors = podErrors(pod);
  const never = unresizable(old);
  if (never) return [forbidden("", never)];
  const [spec, before] = [obj(pod.spec), obj(old.spec)];
  const qosClass = str(at(old, "status", "qosClass"));
  if ((qosClass || qosOf(before)) !== qosOf(spec)) {
    const rule = "Pod QOS Class may not change as a result of resizing";
    errors.push(invalid("spec", str(at(pod, "status", "qosClass")), rule));
  }
  if (!isSupported(old)) {
    const rule = "Pod running on node without support for resize";
    errors.push(forbidden("spec", rule));
  }
  errors.push(...FIELDS.flatMap((field) => orderErrors(field, spec, before)));
  if (errors.length > 0) return errors;
  return changeErrors(spec, before);
}

function unresizable({ metadata, spec }: Obj): string | undefined {
  if (metadata.annotations?.["kubernetes.io/config.mirror"] !== undefined)
    return "static pods cannot be resized";
  if (at(spec, "os", "name") === "windows")
    return "windows pods cannot be resized";
  return undefined;
}

/** A node that can resize tells what its containers have. */
function isSupported({ status }: Obj): boolean {
  const running = list(obj(status).containerStatuses).find(
    ({ state }) => obj(state).running !== undefined,
  );
  return !running || running.resources !== undefined;
}

function orderErrors(
  field: string,
  spec: JsonObject,
  before: JsonObject,
): FieldError[] {
  const [now, then] = [list(spec[field]), list(before[field])];
  const path = `spec.${field}`;
  if (now.length !== then.length)
    return [forbidden(path, `${field} may not be added or removed on resize`)];
  return then.flatMap(({ name }, i) => {
    if (now[i]!.name === name) return [];
    const rule = `${field} may not be renamed or reordered on resize`;
    return [forbidden(`${path}[${i}].name`, rule)];
  });
}

function changeErrors(spec: JsonObject, before: JsonObject): FieldError[] {
  const [init, initBefore] = [spec, before].map((s) => list(s.initContainers));
  const [main, mainBefore] = [spec, before].map((s) => list(s.containers));
  const isSidecar = (i: number) => initBefore![i]!.restartPolicy === "Always";
  const errors = removedErrors(spec, before, "spec.resources");
  for (const [i, old] of initBefore!.entries()) {
    const path = `spec.initContainers[${i}].resources`;
    if (isSidecar(i)) errors.push(...removedErrors(init![i]!, old, path));
  }
  for (const [i, old] of mainBefore!.entries()) {
    const path = `spec.containers[${i}].resources`;
    errors.push(...removedErrors(main![i]!, old, path));
  }
  const only = "only cpu and memory resources";
  const refuse = (rule: string) => errors.push(forbidden("spec", rule));
  if (!same(unresized(spec).resources, unresized(before).resources))
    refuse(`${only} are mutable at pod-level`);
  for (const [i, old] of mainBefore!.entries())
    if (!same(unresized(main![i]!), unresized(old)))
      refuse(`${only} are mutable`);
  for (const [i, old] of initBefore!.entries()) {
    if (isSidecar(i) && !same(unresized(init![i]!), unresized(old)))
      refuse(`${only} for sidecar containers are mutable`);
    if (!isSidecar(i) && !same(init![i], old))
      refuse("resources for non-sidecar init containers are immutable");
  }
  return errors;
}

function removedErrors(
  { resources }: JsonObject,
  { resources: before }: JsonObject,
  path: string,
): FieldError[] {
  return ["requests", "limits"].flatMap((side) => {
    const now = obj(obj(resources)[side]);
    const then = Object.keys(obj(obj(before)[side]));
    if (then.every((name) => name in now)) return [];
    return [forbidden(`${path}.${side}`, `resource ${side} cannot be removed`)];
  });
}

/** `holder` with nothing said of what may change. */
function unresized(holder: JsonObject): JsonObject {
  const { resources, ...rest } = holder;
  const { requests, limits, ...more } = obj(resources);
  const others = (side: unknown) =>
    without(without(obj(side), "cpu"), "memory");
  const left = { requests: others(requests), limits: others(limits), ...more };
  return { ...rest, resources: left };
}

/**
 * RuntimeClass: a Pod that names a runtime class gets the class's overhead and
 * the class's scheduling rules.
 * Models: plugin/pkg/admission/runtimeclass/admission.go @ v1.36
 */
import { list, obj, same, str } from "../../../api/kinds/access.ts";
import type { Json, JsonObject } from "../../../api/types.ts";
import { type AdmissionPlugin, isPodWrite, refuse } from "../plugin.ts";

const UNDEFINED =
  "pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead";

export const runtimeClass: AdmissionPlugin = {
  name: "RuntimeClass",
  handles: (target) => isPodWrite(target) && target.operation === "CREATE",
  mutate(ctx) {
    const pod = ctx.object!;
    const spec = obj(pod.spec as Json);
    const name = str(spec.runtimeClassName);
    if (!name) {
      if (Object.keys(obj(spec.overhead)).length === 0) return;
      throw refuse(ctx, UNDEFINED);
    }
    const found = ctx.server.storageOf("runtimeclasses").get("", name);
    if (!found) {
      throw refuse(ctx, `pod rejected: RuntimeClass "${name}" not found`);
    }
    let next: JsonObject = spec;
    const overhead = obj(found.overhead as Json).podFixed;
    if (overhead) {
      const sent = spec.overhead;
      if (sent && !same(sent, overhead)) {
        const why =
          "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead";
        throw refuse(ctx, why);
      }
      next = { ...next, overhead };
    } else if (Object.keys(obj(spec.overhead)).length > 0) {
      throw refuse(ctx, UNDEFINED);
    }
    next = scheduled(next, obj(found.scheduling as Json), (why) => {
      throw refuse(ctx, why);
    });
    if (next !== spec) ctx.object = { ...pod, spec: next };
  },
};

/** Node selectors of Pod and class together; tolerations of both. */
function scheduled(
  spec: JsonObject,
  scheduling: JsonObject,
  fail: (why: string) => never,
): JsonObject {
  const wanted = obj(scheduling.nodeSelector);
  const own = obj(spec.nodeSelector);
  for (const key in wanted) {
    if (own[key] === undefined || own[key] === wanted[key]) continue;
    fail(
      `conflict: runtimeClass.scheduling.nodeSelector[${key}] = ${wanted[key]}; pod.spec.nodeSelector[${key}] = ${own[key]}`,
    );
  }
  let next = spec;
  if (Object.keys(wanted).length > 0) {
    next = { ...next, nodeSelector: { ...own, ...wanted } };
  }
  const more = list(scheduling.tolerations);
  const missing = more.filter(
    (one) => !list(spec.tolerations).some((has) => same(has, one)),
  );
  if (missing.length === 0) return next;
  return { ...next, tolerations: [...list(spec.tolerations), ...missing] };
}

/**
 * LimitRanger: containers that ask for nothing get the namespace's default;
 * what asks for too little or too much is refused.
 * Models: plugin/pkg/admission/limitranger/admission.go @ v1.36
 */

import { aggregate } from "../../../api/field-error.ts";
import {
  at,
  list,
  map,
  mapShared,
  obj,
  str,
} from "../../../api/kinds/access.ts";
import type { JsonObject } from "../../../api/types.ts";
import type { RequestContext } from "../../context.ts";
import { containerAmounts, podAmounts, specOf } from "../limits/amounts.ts";
import { breaches, claimBreaches } from "../limits/constraints.ts";
import {
  type AdmissionPlugin,
  isPodResize,
  isPodWrite,
  refuse,
} from "../plugin.ts";

const ANNOTATION = "kubernetes.io/limit-ranger";

export const limitRanger: AdmissionPlugin = {
  name: "LimitRanger",
  handles: (target) =>
    (isPodWrite(target) && target.operation === "CREATE") ||
    isPodResize(target) ||
    (target.resource === "persistentvolumeclaims" &&
      target.subresource === "" &&
      target.operation !== "DELETE"),
  mutate(ctx) {
    if (ctx.request.resource !== "pods" || isGoing(ctx)) return;
    for (const item of rangesOf(ctx).flat()) {
      if (item.type === "Container") fillIn(ctx, item);
    }
  },
  /** The first LimitRange that refuses is the one that is told of. */
  validate(ctx) {
    if (isGoing(ctx)) return;
    for (const items of rangesOf(ctx)) {
      const found = items.flatMap((item) => problemsOf(ctx, item));
      if (found.length > 0) throw refuse(ctx, aggregate(found));
    }
  },
};

function isGoing({ old }: RequestContext): boolean {
  return !!old?.metadata.deletionTimestamp;
}

/** The limits of each LimitRange of the namespace. */
function rangesOf({ server, namespace }: RequestContext) {
  const { cache } = server.storageOf("limitranges");
  if (cache.size === 0) return [];
  return cache.list(namespace).map((range) => list(specOf(range).limits));
}

function fillIn(ctx: RequestContext, item: JsonObject): void {
  const pod = ctx.object!;
  const spec = specOf(pod);
  const notes: string[] = [];
  const containers = mapShared(spec.containers, (container) =>
    withDefaults(container, item, "container", notes),
  );
  const initContainers = mapShared(spec.initContainers, (container) =>
    withDefaults(container, item, "init container", notes),
  );
  if (notes.length === 0) return;
  const init = initContainers === undefined ? {} : { initContainers };
  const annotations = {
    ...pod.metadata.annotations,
    [ANNOTATION]: `LimitRanger plugin set: ${notes.join("; ")}`,
  };
  ctx.object = {
    ...pod,
    metadata: { ...pod.metadata, annotations },
    spec: { ...spec, containers, ...init },
  };
}

function withDefaults(
  container: JsonObject,
  item: JsonObject,
  what: string,
  notes: string[],
): JsonObject {
  const { requests, limits } = containerAmounts(container);
  const [newLimits, newRequests] = [
    map(item.default),
    map(item.defaultRequest),
  ];
  const missing = (has: object, all: object) =>
    Object.keys(all)
      .filter((name) => !(name in has))
      .sort();
  const lacksRequests = missing(requests, newRequests);
  const lacksLimits = missing(limits, newLimits);
  const about = `for ${what} ${str(container.name)}`;
  if (lacksRequests.length > 0) {
    notes.push(`${lacksRequests.join(", ")} request ${about}`);
  }
  if (lacksLimits.length > 0) {
    notes.push(`${lacksLimits.join(", ")} limit ${about}`);
  }
  if (lacksRequests.length + lacksLimits.length === 0) return container;
  const resources: Record<string, JsonObject[string]> = {
    ...obj(container.resources),
    ...nonEmpty("limits", { ...newLimits, ...limits }),
    ...nonEmpty("requests", { ...newRequests, ...requests }),
  };
  return { ...container, resources };
}

function nonEmpty(name: string, value: JsonObject): JsonObject {
  return Object.keys(value).length > 0 ? { [name]: value } : {};
}

function problemsOf(ctx: RequestContext, item: JsonObject): string[] {
  const spec = specOf(ctx.object!);
  if (ctx.request.resource !== "pods") {
    if (item.type !== "PersistentVolumeClaim") return [];
    return claimBreaches(
      item,
      str(at(spec, "resources", "requests", "storage")),
    );
  }
  if (item.type === "Pod") return breaches(item, podAmounts(spec));
  if (item.type !== "Container") return [];
  const all = [...list(spec.containers), ...list(spec.initContainers)];
  return all.flatMap((container) =>
    breaches(item, containerAmounts(container)),
  );
}

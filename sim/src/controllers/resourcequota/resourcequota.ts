/**
 * ResourceQuota controller: counts what a namespace uses. The API server adds
 * to `status.used` when it admits an object; only this controller takes off.
 * Models: pkg/controller/resourcequota/resource_quota_controller.go @ v1.36
 */
import { addedUp, type Quantities } from "../../api/helpers/pod-quantities.ts";
import { inScopes, scopesOf } from "../../api/helpers/quota-scopes.ts";
import { isOver, isTracked, usageOf } from "../../api/helpers/quota-usage.ts";
import { Pod } from "../../api/kinds/pod.ts";
import { ResourceQuota } from "../../api/kinds/resourcequota.ts";
import type { Service } from "../../api/kinds/service.ts";
import { groupResource, type ResourceRef } from "../../api/resource.ts";
import { type KubeObject, keyOf, type ObjectKey } from "../../api/types.ts";
import type { Component, ComponentContext } from "../../client/component.ts";
import { every, startController } from "../../client/controller.ts";
import type { Informer } from "../../client/informer.ts";
import { followCustomKinds } from "../shared/custom-kinds.ts";
import { equal } from "../shared/equal.ts";

interface Context extends ComponentContext {
  readonly quotas: Informer<ResourceQuota>;
  readonly pods: Informer<Pod>;
  /** Copies of the kinds that can be counted, by `resource.group`. */
  readonly counted: Map<string, Informer>;
}

/** Pods have an informer of their own; Events were never counted. */
const UNCOUNTED: readonly string[] = ["pods", "events"];

const RESYNC_MS = 5 * 60 * 1000;

/** `kinds`: built-in ones that can be listed and watched, in namespaces. */
export function startResourceQuotaController(
  context: ComponentContext,
  kinds: readonly ResourceRef[],
): Component {
  const { informers } = context;
  const controller = startController(context, {
    workers: 5,
    reconcile: (key) => reconcile(key, ctx),
  });
  const ctx: Context = {
    ...context,
    quotas: informers.informer(ResourceQuota),
    pods: informers.informer(Pod),
    counted: new Map(),
  };
  const enqueue = (quota: ResourceQuota) => controller.queue.add(keyOf(quota));
  controller.on(ctx.quotas, {
    added: enqueue,
    updated(quota, old) {
      if (quota.spec !== old.spec) enqueue(quota);
    },
  });
  // Less is used: the quotas of the namespace are counted anew.
  const replenish = (object: KubeObject) => {
    if (ctx.quotas.size === 0) return;
    for (const quota of ctx.quotas.list(object.metadata.namespace)) {
      enqueue(quota);
    }
  };
  controller.on<Pod>(ctx.pods, {
    updated(pod, old) {
      const { kernel } = context;
      const ends = isOver(pod, kernel) && !isOver(old, kernel);
      if (ends || isResized(pod, old)) replenish(pod);
    },
    deleted: replenish,
  });
  const count = (ref: ResourceRef) => {
    if (!ref.namespaced || UNCOUNTED.includes(ref.resource)) return;
    const informer = informers.informer(ref);
    ctx.counted.set(groupResource(ref), informer);
    controller.on(informer, {
      deleted: replenish,
      updated(object, old) {
        if (takesLess(ref, object, old)) replenish(object);
      },
    });
  };
  const recount = () => {
    for (const quota of ctx.quotas.values()) enqueue(quota);
  };
  for (const ref of kinds) count(ref);
  const unfollow = followCustomKinds(context, {
    added({ ref }) {
      count(ref);
      void informers.informer(ref).whenSynced().then(recount);
    },
    removed({ ref }) {
      ctx.counted.delete(groupResource(ref));
      informers.drop(ref);
    },
  });
  const endResync = every(context, RESYNC_MS, recount, RESYNC_MS);
  return {
    stop() {
      controller.stop();
      unfollow();
      endResync();
    },
  };
}

// region: reconcile
async function reconcile(key: ObjectKey, ctx: Context): Promise<void> {
  const quota = ctx.quotas.get(key);
  if (!quota) return;
  const hard = quota.spec.hard ?? {};
  const used = usedOf(quota, Object.keys(hard), ctx);
  const { status } = quota;
  if (equal(status?.hard, hard) && equal(status?.used, used)) return;
  const next = { ...quota, status: { hard, used } };
  await ctx.client.updateStatus(ResourceQuota, next);
}
// endregion: reconcile

function usedOf(
  quota: ResourceQuota,
  names: readonly string[],
  { pods, counted, kernel }: Context,
): Quantities {
  const { namespace } = quota.metadata;
  const scopes = scopesOf(quota.spec);
  let total: Quantities = {};
  for (const pod of pods.list(namespace)) {
    if (!inScopes(pod, scopes)) continue;
    total = addedUp(total, usageOf(pods.ref, pod, kernel));
  }
  for (const informer of scopes.length > 0 ? [] : counted.values()) {
    if (!isAsked(informer.ref, names)) continue;
    for (const object of informer.list(namespace)) {
      total = addedUp(total, usageOf(informer.ref, object, kernel));
    }
  }
  const known = names.filter(isTracked);
  return Object.fromEntries(known.map((name) => [name, total[name] ?? "0"]));
}

/** Its node has given a container more or less. */
function isResized(now: Pod, old: Pod): boolean {
  const { containerStatuses: given = [] } = now.status ?? {};
  const { containerStatuses: before = [] } = old.status ?? {};
  if (given.length !== before.length) return false;
  return given.some(
    ({ allocatedResources }, i) =>
      !equal(allocatedResources, before[i]!.allocatedResources),
  );
}

/** A Service of another type may give back a port or a load balancer. */
function takesLess(ref: ResourceRef, now: KubeObject, old: KubeObject) {
  if (ref.group !== "" || ref.resource !== "services") return false;
  const typeOf = (service: KubeObject) => {
    const { type = "" } = (service as Service).spec;
    return type === "NodePort" || type === "LoadBalancer" ? type : "";
  };
  return typeOf(now) !== typeOf(old);
}

/** True if the quota limits something of this kind. */
function isAsked(ref: ResourceRef, names: readonly string[]): boolean {
  const { resource } = ref;
  const counts = `count/${groupResource(ref)}`;
  return names.some(
    (name) =>
      name === counts ||
      (ref.group === "" && name.startsWith(resource)) ||
      (resource === "persistentvolumeclaims" && name.includes("storage")),
  );
}

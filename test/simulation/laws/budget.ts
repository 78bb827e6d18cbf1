/**
 * A PodDisruptionBudget: each eviction of a Pod that serves is paid, one of
 * `disruptionsAllowed` for one Pod, before the Pod goes. The budget's number is
 * as old as the controller's copy of the Pods: it binds evictions among each
 * other at once, and what else becomes of Pods only when it is known. So where
 * nothing else happened for a while, as many Pods serve as the budget says.
 */
import { num, obj } from "../../../sim/src/api/kinds/access.ts";
import type { WriteDetail } from "../../../sim/src/api/transport.ts";
import type { KubeObject } from "../../../sim/src/api/types.ts";
import {
  Broken,
  hasCondition,
  keyOf,
  type Law,
  matches,
  serves,
  specOf,
  statusOf,
  type World,
} from "../world.ts";

/** The controller counts anew within so long, after a conflict too. */
const RECOUNT_MS = 2_000;

const isEvicted = (pod: KubeObject) =>
  hasCondition(pod, "DisruptionTarget", "EvictionByEvictionAPI");

export class BudgetLaw implements Law {
  private readonly world: World;
  /** uids of Pods whose eviction was paid. */
  private readonly paid = new Set<string>();
  /** By budget: when it, or the Pods that it counts, last changed otherwise. */
  private readonly otherwiseMs = new Map<string, number>();

  constructor(world: World) {
    this.world = world;
  }

  look({ before, after }: WriteDetail): void {
    const object = (after ?? before)!;
    if (object.kind === "PodDisruptionBudget") this.budget(before, after);
    if (object.kind === "Deployment" || object.kind === "StatefulSet") {
      const same = before?.metadata.generation === after?.metadata.generation;
      if (!same) this.note(object.metadata.namespace);
    }
    if (object.kind !== "Pod") return;
    const budgets = this.budgetsOf(object);
    if (budgets.length === 0) return;
    const evicted = after !== undefined && isEvicted(after);
    if (evicted && before && !isEvicted(before) && serves(before)) {
      for (const one of budgets) this.evicted(before, one);
    }
    const gone = serves(before) && !serves(after);
    const paid = this.paid.has(object.metadata.uid ?? "");
    if (gone && !evicted && !paid) this.note(object.metadata.namespace);
  }

  private note(namespace: string | undefined): void {
    for (const one of this.world.all("PodDisruptionBudget", namespace)) {
      this.otherwiseMs.set(one.metadata.uid ?? "", this.world.now());
    }
  }

  private budgetsOf({ metadata }: KubeObject): KubeObject[] {
    return this.world
      .all("PodDisruptionBudget", metadata.namespace)
      .filter((one) => matches(metadata.labels, obj(specOf(one).selector)));
  }

  private budget(before?: KubeObject, after?: KubeObject): void {
    if (!after) return;
    const { uid = "", namespace, generation } = after.metadata;
    if (before?.metadata.generation !== generation) this.otherwiseMs.set(uid, this.world.now());
    const old = before ? statusOf(before) : {};
    const status = statusOf(after);
    for (const name of Object.keys(obj(status.disruptedPods))) {
      if (name in obj(old.disruptedPods)) continue;
      const [had, has] = [num(old.disruptionsAllowed), num(status.disruptionsAllowed)];
      if (had <= 0 || has !== had - 1) {
        throw new Broken(`${keyOf(after)} lets ${name} go, with ${had} allowed, then ${has}`);
      }
      const pod = this.world.objects.get(`v1/Pod ${namespace}/${name}`);
      if (pod?.metadata.uid) this.paid.add(pod.metadata.uid);
    }
  }

  private evicted(pod: KubeObject, budget: KubeObject): void {
    const { uid = "" } = pod.metadata;
    if (!this.paid.has(uid)) throw new Broken(`${keyOf(pod)} is evicted, and nobody paid`);
    const { plan, now } = this.world;
    const sinceMs = now() - (this.otherwiseMs.get(budget.metadata.uid ?? "") ?? 0);
    if (sinceMs < Math.max(plan.newsMs, RECOUNT_MS)) return;
    const left = this.world
      .all("Pod", pod.metadata.namespace)
      .filter((one) => matches(one.metadata.labels, obj(specOf(budget).selector)))
      .filter((one) => serves(one) && !this.paid.has(one.metadata.uid ?? "")).length;
    const least = num(statusOf(budget).desiredHealthy);
    if (left < least) {
      throw new Broken(`${keyOf(budget)} wants ${least} Pods, ${left} are left by ${keyOf(pod)}`);
    }
  }
}

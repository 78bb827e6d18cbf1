/**
 * What StatefulSets, DaemonSets and Jobs promise of their Pods. Where an
 * answer may have been lost, a controller may have made a Pod twice.
 */
import { list, num, str } from "../../../sim/src/api/kinds/access.ts";
import type { WriteDetail } from "../../../sim/src/api/transport.ts";
import type { KubeObject } from "../../../sim/src/api/types.ts";
import {
  Broken,
  controllerUid,
  hasCondition,
  isActive,
  keyOf,
  type Law,
  serves,
  specOf,
  statusOf,
  type World,
} from "../world.ts";

export class SetsLaw implements Law {
  private readonly world: World;
  private readonly runs: (namespace: string, pod: string) => string | undefined;

  /** `runs`: the node on which a container of the Pod runs at this moment. */
  constructor(world: World, runs: (namespace: string, pod: string) => string | undefined) {
    this.world = world;
    this.runs = runs;
  }

  look({ type, before, after }: WriteDetail): void {
    if (!after) return;
    if (after.kind === "Job") this.job(after, before);
    if (after.kind !== "Pod") return;
    const owner = after.metadata.ownerReferences?.find((one) => one.controller)?.kind;
    if (owner === "DaemonSet") this.onePerNode(after);
    if (type !== "ADDED") return;
    if (owner === "StatefulSet") this.ordinal(after);
    if (owner === "Job") this.parallel(after);
  }

  /** At most one of a name runs; and each begins when those before it are ready. */
  private ordinal(pod: KubeObject): void {
    const { world } = this;
    const { namespace = "", name } = pod.metadata;
    const node = this.runs(namespace, name);
    if (node) throw new Broken(`${keyOf(pod)} is made, and still runs on ${node}`);
    const set = world.find("StatefulSet", controllerUid(pod));
    if (!set || world.plan.disruptive || world.plan.lossy) return;
    if (str(specOf(set).podManagementPolicy) === "Parallel") return;
    const ordinal = Number(name.slice(name.lastIndexOf("-") + 1));
    const others = world.ownedBy(controllerUid(pod), "Pod");
    for (let i = 0; i < ordinal; i++) {
      const one = others.find(({ metadata }) => metadata.name === `${set.metadata.name}-${i}`);
      if (!serves(one)) {
        throw new Broken(`${keyOf(pod)} is made while ${set.metadata.name}-${i} is not ready`);
      }
    }
  }

  private onePerNode(pod: KubeObject): void {
    if (this.world.plan.lossy || !isActive(pod)) return;
    const node = str(specOf(pod).nodeName);
    if (!node) return;
    const pods = this.world.ownedBy(controllerUid(pod), "Pod");
    const here = pods.filter((one) => isActive(one) && str(specOf(one).nodeName) === node);
    if (here.length > 1) {
      throw new Broken(`${here.length} Pods of a DaemonSet on ${node}: ${keyOf(pod)}`);
    }
  }

  private parallel(pod: KubeObject): void {
    const job = this.world.find("Job", controllerUid(pod));
    if (!job) return;
    const active = this.world.ownedBy(controllerUid(pod), "Pod").filter(isActive).length;
    const most = num(specOf(job).parallelism) * (this.world.plan.lossy ? 2 : 1);
    if (active > most) {
      throw new Broken(`${keyOf(pod)} is Pod ${active} of a Job, ${most} may run`);
    }
  }

  /** What a Job has counted stays counted, and its end is its end. */
  private job(job: KubeObject, before?: KubeObject): void {
    const succeeded = num(statusOf(job).succeeded);
    if (before && num(statusOf(before).succeeded) > succeeded) {
      throw new Broken(`${keyOf(job)} forgot that Pods succeeded`);
    }
    const { completions } = specOf(job);
    if (!this.world.plan.lossy && completions !== undefined && succeeded > num(completions)) {
      throw new Broken(
        `${keyOf(job)}: ${succeeded} Pods succeeded, ${num(completions)} were asked`,
      );
    }
    for (const { type } of list(before && statusOf(before).conditions)) {
      const ended = ["Complete", "Failed"].includes(str(type));
      if (ended && !hasCondition(job, str(type))) {
        throw new Broken(`${keyOf(job)} is no longer ${str(type)}`);
      }
    }
  }
}

/**
 * A quota of Pods, exactly as far as the real one goes. The API server charges
 * a Pod before it stores it, by a compare-and-swap on the quota's status, and
 * refuses what would pass `hard`: so charges never pass it, whoever races. The
 * quota controller's recount is a compare-and-swap as well, but of a number
 * taken from its own copy of the Pods. What that copy lacks is forgiven: by so
 * many, and no more, the Pods can pass the limit until the next recount. It may
 * lack only what it has not been told yet. Pods that have ended, or should have
 * been gone for their grace period by now, are not counted.
 * Source: apiserver/pkg/admission/plugin/resourcequota/controller.go,
 *         pkg/controller/resourcequota, pkg/quota/v1/evaluator/core/pods.go
 */
import { num, obj } from "../../../sim/src/api/kinds/access.ts";
import type { WriteDetail } from "../../../sim/src/api/transport.ts";
import type { KubeObject } from "../../../sim/src/api/types.ts";
import { QUOTA_PODS } from "../plan.ts";
import { Broken, isOver, type Law, statusOf, type World } from "../world.ts";

const NAMESPACE = "limited";
/** Moments are written in whole seconds, and rounded twice. */
const ROUNDING_MS = 2_000;

export class QuotaLaw implements Law {
  private readonly world: World;
  private readonly msOf: (timestamp: string) => number;
  private charged = 0;
  private created = 0;
  /** Pods that the last recount knew nothing of. */
  private forgiven = 0;
  /** When each Pod was stored, by uid. */
  private readonly born = new Map<string, number>();

  constructor(world: World, msOf: (timestamp: string) => number) {
    this.world = world;
    this.msOf = msOf;
  }

  look({ type, before, after }: WriteDetail): void {
    const { kind, metadata } = (after ?? before)!;
    if (metadata.namespace !== NAMESPACE) return;
    if (kind === "ResourceQuota") this.quota(before, after);
    if (kind === "Pod" && type === "ADDED") this.pod(metadata.uid ?? "");
  }

  private pod(uid: string): void {
    this.born.set(uid, this.world.now());
    this.created++;
    if (this.created > this.charged) {
      throw new Broken(
        `${this.created} Pods were made in ${NAMESPACE}, ${this.charged} were charged`,
      );
    }
    const count = this.pods().filter((pod) => this.counts(pod)).length;
    const most = QUOTA_PODS + Math.max(0, this.forgiven);
    if (count > most) {
      throw new Broken(
        `${count} Pods in a namespace whose quota is ${QUOTA_PODS}, of which ${this.forgiven} were forgiven`,
      );
    }
  }

  private quota(before?: KubeObject, after?: KubeObject): void {
    const usedIn = (one?: KubeObject) => Number(obj(obj(one && statusOf(one)).used).pods ?? 0);
    const [old, used] = [usedIn(before), usedIn(after)];
    if (used === old) return;
    const recount = this.isRecount(before, used);
    // Where both were on their way and say the same, it may be either.
    if (used > old && (!recount || this.creating() > 0)) this.charged += used - old;
    if (used > old && !recount) {
      if (used <= QUOTA_PODS) return;
      throw new Broken(`${used} Pods are charged, ${QUOTA_PODS} are allowed`);
    }
    const pods = this.pods();
    const open = Math.min(this.charged - this.created, this.creating());
    this.forgiven = pods.length + open - used;
    const told = pods.filter((pod) => this.counts(pod) && this.isTold(pod)).length;
    if (used < told) {
      throw new Broken(`the quota's controller counted ${used} Pods, and had been told of ${told}`);
    }
  }

  /** The controller's own number, not a charge. */
  private isRecount(before: KubeObject | undefined, used: number): boolean {
    for (const { resource, subresource, body } of this.world.requests) {
      if (resource !== "resourcequotas" || subresource !== "status") continue;
      const quota = body as KubeObject;
      const { resourceVersion } = quota.metadata;
      const counted = num(Number(obj(statusOf(quota).used).pods ?? 0));
      if (resourceVersion === before?.metadata.resourceVersion && counted === used) return true;
    }
    return false;
  }

  /** Pods of the namespace that some API server is about to store. */
  private creating(): number {
    return [...this.world.requests].filter(
      ({ verb, resource, subresource, namespace }) =>
        verb === "create" && resource === "pods" && !subresource && namespace === NAMESPACE,
    ).length;
  }

  private pods(): KubeObject[] {
    return this.world.all("Pod", NAMESPACE).filter((pod) => !isOver(pod));
  }

  /** Not one that hangs: its end was due, and its grace period after that. */
  private counts({ metadata }: KubeObject): boolean {
    const { deletionTimestamp, deletionGracePeriodSeconds = 0 } = metadata;
    if (!deletionTimestamp) return true;
    const { skewMs } = this.world.plan;
    const goneMs = this.msOf(deletionTimestamp) + deletionGracePeriodSeconds * 1000;
    return this.world.now() < goneMs - ROUNDING_MS - skewMs;
  }

  /** With nobody late, cut off or stopped, news is old soon. */
  private isTold({ metadata }: KubeObject): boolean {
    const { newsMs } = this.world.plan;
    const bornMs = this.born.get(metadata.uid ?? "") ?? 0;
    return bornMs + newsMs < this.world.now();
  }
}

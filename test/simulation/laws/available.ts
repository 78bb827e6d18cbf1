/**
 * How many Pods of a Deployment were available at the least, and what its spec
 * asked for at the least, over the time that a decision may be old.
 */
import { num } from "../../../sim/src/api/kinds/access.ts";
import type { KubeObject } from "../../../sim/src/api/types.ts";
import { specOf, type World } from "../world.ts";

/** Statuses go through two controllers, and conflicts make them try again. */
const HOPS = 10;
const RETRIES_MS = 2_000;
/** Readiness is written in whole seconds. */
const ROUNDING_MS = 1_000;

interface Moment {
  readonly atMs: number;
  readonly count: number;
}

interface Known {
  /** Since when each Pod serves, by uid. */
  readonly since: Map<string, number>;
  readonly counts: Moment[];
  readonly bounds: Moment[];
}

export class Available {
  private readonly world: World;
  private readonly known = new Map<string, Known>();

  constructor(world: World) {
    this.world = world;
  }

  bound({ metadata }: KubeObject, least: number): void {
    const { bounds } = this.of(metadata.uid ?? "");
    if (bounds.at(-1)?.count !== least) bounds.push({ atMs: this.world.now(), count: least });
  }

  pod(deployment: KubeObject, { metadata }: KubeObject, isServing: boolean): void {
    const known = this.of(deployment.metadata.uid ?? "");
    this.count(known, deployment);
    const { uid = "" } = metadata;
    if (!isServing) known.since.delete(uid);
    else if (!known.since.has(uid)) known.since.set(uid, this.world.now());
    this.count(known, deployment);
  }

  /** The least that must be left now; 0 where news may be late. */
  least(deployment: KubeObject): number {
    const { newsMs } = this.world.plan;
    if (newsMs === Number.POSITIVE_INFINITY) return 0;
    const known = this.of(deployment.metadata.uid ?? "");
    this.count(known, deployment);
    const fromMs = this.world.now() - HOPS * newsMs - RETRIES_MS;
    return Math.min(leastSince(known.counts, fromMs), leastSince(known.bounds, fromMs));
  }

  private of(uid: string): Known {
    const known = this.known.get(uid) ?? { since: new Map(), counts: [], bounds: [] };
    this.known.set(uid, known);
    return known;
  }

  private count({ since, counts }: Known, deployment: KubeObject): void {
    const seconds = num(specOf(deployment).minReadySeconds);
    const needMs = seconds > 0 ? seconds * 1000 + ROUNDING_MS : 0;
    const atMs = this.world.now();
    const count = [...since.values()].filter((from) => from + needMs <= atMs).length;
    counts.push({ atMs, count });
  }
}

/** The least at any time since; 0 if it was not there yet. */
function leastSince(moments: readonly Moment[], fromMs: number): number {
  let least = Number.POSITIVE_INFINITY;
  for (let i = moments.length - 1; i >= 0; i--) {
    least = Math.min(least, moments[i]!.count);
    if (moments[i]!.atMs <= fromMs) return least;
  }
  return 0;
}

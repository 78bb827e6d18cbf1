/**
 * A Deployment's promise: while it is rolled or scaled, its ReplicaSets never
 * ask for more than `replicas + maxSurge` Pods together (of those that its
 * controller has heard of: it expects nothing of its own writes), and no Pod that serves
 * is taken away if fewer than `replicas - maxUnavailable` are left. After a
 * change of the spec, the wider of the old and the new bounds holds until the
 * status says that all is settled. Nor does it wait for that: where news is
 * never late, no Pod is taken away that would leave fewer than both the bound
 * and what was available all the while that a decision can be old.
 * Source: pkg/controller/deployment/{rolling,sync}.go
 */
import { num, obj, str } from "../../../sim/src/api/kinds/access.ts";
import type { WriteDetail } from "../../../sim/src/api/transport.ts";
import type { KubeObject } from "../../../sim/src/api/types.ts";
import {
  Broken,
  controllerUid,
  keyOf,
  type Law,
  type Loose,
  serves,
  specOf,
  statusOf,
  type World,
} from "../world.ts";
import { Available } from "./available.ts";

export class RolloutLaw implements Law {
  private readonly world: World;
  /** By Deployment: the least Pods that may serve. */
  private readonly floors = new Map<string, number>();
  /** By Deployment: the most Pods that may be asked for. */
  private readonly ceilings = new Map<string, number>();
  private readonly available: Available;

  constructor(world: World) {
    this.world = world;
    this.available = new Available(world);
  }

  look({ before, after }: WriteDetail): void {
    const object = (after ?? before)!;
    if (object.kind === "Deployment") this.promise(object);
    if (object.kind === "ReplicaSet" && after) this.mostAsked(after, before);
    if (object.kind !== "Pod") return;
    if (serves(before) && !serves(after)) this.leastServing(object);
    const owner = deploymentOf(this.world, object);
    if (owner) this.available.pod(owner, object, serves(after));
  }

  private promise(deployment: KubeObject): void {
    const { uid = "", generation = 0 } = deployment.metadata;
    const spec = specOf(deployment);
    const status = statusOf(deployment);
    const replicas = num(spec.replicas);
    const { surge, unavailable } = boundsOf(spec);
    const settled =
      num(status.observedGeneration) === generation &&
      num(status.availableReplicas) === replicas &&
      num(status.replicas) === replicas;
    const least = replicas - unavailable;
    const most = replicas + surge;
    this.floors.set(uid, settled ? least : Math.min(this.floors.get(uid) ?? 0, least));
    this.ceilings.set(uid, settled ? most : Math.max(this.ceilings.get(uid) ?? 0, most));
    this.available.bound(deployment, least);
  }

  private mostAsked(set: KubeObject, before?: KubeObject): void {
    if (num(specOf(set).replicas) <= num(before && specOf(before).replicas)) return;
    const uid = controllerUid(set);
    const ceiling = this.ceilings.get(uid);
    const now = this.world.now();
    const isLate = this.world.plan.late.some(({ fromMs, toMs }) => fromMs <= now && now <= toMs);
    if (ceiling === undefined || isLate) return;
    const sets = this.world.ownedBy(uid, "ReplicaSet");
    const asked = sets.reduce((sum, one) => sum + num(specOf(one).replicas), 0);
    if (asked > ceiling) {
      throw new Broken(`${keyOf(set)}: ${asked} Pods are asked for, ${ceiling} are allowed`);
    }
  }

  private leastServing(pod: KubeObject): void {
    const { world } = this;
    if (world.plan.disruptive) return;
    const deployment = deploymentOf(world, pod);
    if (!deployment || deployment.metadata.deletionTimestamp) return;
    const { uid = "" } = deployment.metadata;
    let serving = 0;
    for (const { metadata } of world.ownedBy(uid, "ReplicaSet")) {
      serving += world.ownedBy(metadata.uid ?? "", "Pod").filter(serves).length;
    }
    const floor = Math.max(this.floors.get(uid) ?? 0, this.available.least(deployment));
    if (serving < floor) {
      throw new Broken(
        `${keyOf(deployment)} has ${serving} ready Pods without ${pod.metadata.name}, at least ${floor} were promised`,
      );
    }
  }
}

function deploymentOf(world: World, pod: KubeObject): KubeObject | undefined {
  const set = world.find("ReplicaSet", controllerUid(pod));
  return set && world.find("Deployment", controllerUid(set));
}

/** As the Deployment controller rounds them: surge up, unavailable down, but not both to 0. */
function boundsOf(spec: Loose): { surge: number; unavailable: number } {
  const strategy = obj(spec.strategy);
  const replicas = num(spec.replicas);
  if (str(strategy.type) === "Recreate") return { surge: 0, unavailable: replicas };
  const { maxUnavailable, maxSurge } = obj(strategy.rollingUpdate);
  const unavailable = scaled(maxUnavailable, replicas, Math.floor);
  const surge = scaled(maxSurge, replicas, Math.ceil);
  return { surge, unavailable: unavailable === 0 && surge === 0 ? 1 : unavailable };
}

function scaled(value: unknown, replicas: number, round: (n: number) => number): number {
  if (typeof value === "number") return value;
  return round((Number.parseInt(str(value), 10) * replicas) / 100);
}

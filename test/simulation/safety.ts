/**
 * What must hold after every write, whatever fails: history, ownership, places
 * and addresses of Pods here, and the laws of the folder `laws`. A broken one
 * throws.
 */
import { num, str } from "../../sim/src/api/kinds/access.ts";
import type { ApiRequest, WriteDetail } from "../../sim/src/api/transport.ts";
import type { KubeObject } from "../../sim/src/api/types.ts";
import { BudgetLaw } from "./laws/budget.ts";
import { QuotaLaw } from "./laws/quota.ts";
import { RolloutLaw } from "./laws/rollout.ts";
import { SetsLaw } from "./laws/sets.ts";
import { VolumesLaw } from "./laws/volumes.ts";
import type { Plan } from "./plan.ts";
import {
  Broken,
  controllerUid,
  isActive,
  isOver,
  keyOf,
  type Law,
  specOf,
  statusOf,
  World,
} from "./world.ts";

/** What the laws need of the run. */
export interface RunView {
  now(): number;
  msOf(timestamp: string): number;
  /** The node on which a container of the Pod runs at this moment. */
  runs(namespace: string, pod: string): string | undefined;
}

export class Safety {
  readonly world: World;
  /** Every version that was ever committed. */
  readonly committed = new Set<string>();
  private readonly laws: readonly Law[];
  private readonly uids = new Set<string>();
  private readonly addresses = new Map<string, string>();
  /** By ReplicaSet: the most Pods that were ever asked for. */
  private readonly asked = new Map<string, number>();
  private newest = 0;
  /** Writes looked at. */
  writes = 0;

  constructor(plan: Plan, view: RunView) {
    const world = new World(plan, () => view.now());
    this.world = world;
    this.laws = [
      new RolloutLaw(world),
      new QuotaLaw(world, (timestamp) => view.msOf(timestamp)),
      new SetsLaw(world, (namespace, pod) => view.runs(namespace, pod)),
      new BudgetLaw(world),
      new VolumesLaw(world),
    ];
  }

  look(write: WriteDetail): void {
    const { type, before, after } = write;
    this.writes++;
    const object = (after ?? before)!;
    this.history(type, before, after);
    this.world.take(write);
    this.owner(object, type, before);
    if (object.kind === "ReplicaSet") this.replicaSet(object);
    if (object.kind === "Pod") {
      this.bound(before, after);
      this.address(before, after);
      if (after && type === "ADDED") this.burst(after);
    }
    for (const law of this.laws) law.look(write);
  }

  /** An autoscaler asks for no more and no less than it may. */
  scaled({ namespace = "", name }: ApiRequest, replicas: number): void {
    for (const hpa of this.world.all("HorizontalPodAutoscaler", namespace)) {
      const { scaleTargetRef, minReplicas = 1, maxReplicas } = specOf(hpa);
      if ((scaleTargetRef as { name?: string }).name !== name) continue;
      if (replicas < num(minReplicas) || replicas > num(maxReplicas)) {
        throw new Broken(`${keyOf(hpa)} asks for ${replicas} Pods`);
      }
    }
  }

  /** resourceVersions grow, and each write follows the one before it. */
  private history(type: string, before?: KubeObject, after?: KubeObject): void {
    const object = (after ?? before)!;
    const key = keyOf(object);
    const known = this.world.objects.get(key);
    const versionOf = (one?: KubeObject) => one?.metadata.resourceVersion;
    if (type === "ADDED" ? known : versionOf(known) !== versionOf(before)) {
      throw new Broken(
        `${type} ${key} is based on version ${versionOf(before)}, but ${versionOf(known)} was stored: a committed write was lost`,
      );
    }
    if (!after) return;
    const version = Number(versionOf(after));
    if (!(version > this.newest)) {
      throw new Broken(`${key} got version ${version} after ${this.newest}`);
    }
    this.newest = version;
    this.committed.add(String(version));
    if (after.metadata.uid) this.uids.add(after.metadata.uid);
  }

  /** One controller; who has one is not taken by another. */
  private owner(object: KubeObject, type: string, before?: KubeObject): void {
    const owners = object.metadata.ownerReferences ?? [];
    if (owners.filter((one) => one.controller).length > 1) {
      throw new Broken(`${keyOf(object)} has two controllers`);
    }
    const [old, now] = [before ? controllerUid(before) : "", controllerUid(object)];
    if (old && now && old !== now) throw new Broken(`${keyOf(object)} went from ${old} to ${now}`);
    if (type !== "ADDED") return;
    for (const { kind, uid } of owners) {
      if (kind !== "Node" && !this.uids.has(uid)) {
        throw new Broken(`${keyOf(object)} is owned by ${kind} ${uid}, which never existed`);
      }
    }
  }

  private bound(before?: KubeObject, after?: KubeObject): void {
    if (!before || !after) return;
    const [old, now] = [str(specOf(before).nodeName), str(specOf(after).nodeName)];
    if (old && old !== now) throw new Broken(`${keyOf(after)} bound twice: ${old}, then ${now}`);
  }

  /** No two live Pods share an address. */
  private address(before?: KubeObject, after?: KubeObject): void {
    const liveAt = (pod?: KubeObject) =>
      pod && !isOver(pod) && specOf(pod).hostNetwork !== true ? str(statusOf(pod).podIP) : "";
    const [old, now] = [liveAt(before), liveAt(after)];
    const { uid = "" } = (after ?? before)!.metadata;
    if (old && old !== now && this.addresses.get(old) === uid) this.addresses.delete(old);
    if (!now || old === now) return;
    const other = this.addresses.get(now);
    if (other && other !== uid) throw new Broken(`${keyOf(after!)} shares ${now} with ${other}`);
    this.addresses.set(now, uid);
  }

  private replicaSet(set: KubeObject): void {
    const { uid = "" } = set.metadata;
    const replicas = num(specOf(set).replicas);
    this.asked.set(uid, Math.max(replicas, this.asked.get(uid) ?? 0));
  }

  /**
   * Never more Pods than were asked for. Where an answer may have been lost,
   * the Pod is made again: at most all of them once.
   */
  private burst(pod: KubeObject): void {
    const owner = controllerUid(pod);
    const asked = this.asked.get(owner);
    if (asked === undefined) return;
    const pods = this.world.ownedBy(owner, "Pod").filter(isActive);
    const most = this.world.plan.lossy ? 2 * asked : asked;
    if (pods.length > most) {
      throw new Broken(
        `${keyOf(pod)} is Pod ${pods.length} of a ReplicaSet that asked for ${asked}`,
      );
    }
  }
}

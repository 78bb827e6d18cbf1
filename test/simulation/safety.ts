/**
 * What must hold after every write, whatever fails: each law is a function of
 * the write and of all objects as they are now. A broken one throws.
 */
import { list, num, obj, str } from "../../sim/src/api/kinds/access.ts";
import type { WriteDetail } from "../../sim/src/api/transport.ts";
import type { KubeObject } from "../../sim/src/api/types.ts";
import { type Plan, QUOTA_PODS } from "./plan.ts";

type Loose = ReturnType<typeof obj>;

export class Broken extends Error {}

const specOf = (object: KubeObject): Loose => obj((object as { spec?: unknown }).spec);
const statusOf = (object: KubeObject): Loose => obj((object as { status?: unknown }).status);

export const keyOf = ({ kind, apiVersion, metadata }: KubeObject): string =>
  `${apiVersion}/${kind} ${metadata.namespace ?? ""}/${metadata.name}`;

/** uid of the owner that controls the object, "" if none does. */
export function controllerUid({ metadata }: KubeObject): string {
  return metadata.ownerReferences?.find((one) => one.controller)?.uid ?? "";
}

/** Succeeded and Failed are over; who is being deleted is no more counted. */
export function isActive(pod: KubeObject): boolean {
  return !isOver(pod) && !pod.metadata.deletionTimestamp;
}

function isOver(pod: KubeObject): boolean {
  const phase = str(statusOf(pod).phase);
  return phase === "Succeeded" || phase === "Failed";
}

export function isReady(pod: KubeObject): boolean {
  const conditions = list(statusOf(pod).conditions);
  return conditions.some(({ type, status }) => type === "Ready" && status === "True");
}

export class Safety {
  /** Every object as the writes have left it. */
  readonly objects = new Map<string, KubeObject>();
  /** Every version that was ever committed. */
  readonly committed = new Set<string>();
  private readonly plan: Plan;
  private readonly uids = new Set<string>();
  private readonly podsByOwner = new Map<string, Map<string, KubeObject>>();
  private readonly addresses = new Map<string, string>();
  /** By ReplicaSet: the most Pods that were ever asked for. */
  private readonly asked = new Map<string, number>();
  /** By Deployment: the least Pods that may be available. */
  private readonly floors = new Map<string, number>();
  /** Of the namespace with a quota: Pods charged, and made. */
  private charged = 0;
  private created = 0;
  private recounted = false;
  private newest = 0;
  /** Writes looked at. */
  writes = 0;

  constructor(plan: Plan) {
    this.plan = plan;
  }

  look({ type, before, after }: WriteDetail): void {
    this.writes++;
    const object = (after ?? before)!;
    this.history(type, before, after);
    this.owner(object, type);
    if (object.kind === "ReplicaSet") this.replicaSet(object);
    if (object.kind === "Deployment") this.deployment(object);
    if (object.kind === "ResourceQuota") this.resourceQuota(before, after);
    if (object.kind !== "Pod") return;
    const readyBefore = before !== undefined && isReady(before) && isActive(before);
    const readyAfter = after !== undefined && isReady(after) && isActive(after);
    this.bound(before, after);
    this.address(before, after);
    this.index(before, after);
    if (after && type === "ADDED") this.burst(after);
    if (type === "ADDED" && object.metadata.namespace === "limited") this.quota();
    if (readyBefore && !readyAfter) this.minAvailable(object);
  }

  /** resourceVersions grow, and each write follows the one before it. */
  private history(type: string, before?: KubeObject, after?: KubeObject): void {
    const object = (after ?? before)!;
    const key = keyOf(object);
    const known = this.objects.get(key);
    const versionOf = (one?: KubeObject) => one?.metadata.resourceVersion;
    if (type === "ADDED" ? known : versionOf(known) !== versionOf(before)) {
      throw new Broken(
        `${type} ${key} is based on version ${versionOf(before)}, but ${versionOf(known)} was stored: a committed write was lost`,
      );
    }
    if (!after) {
      this.objects.delete(key);
      return;
    }
    const version = Number(versionOf(after));
    if (!(version > this.newest)) {
      throw new Broken(`${key} got version ${version} after ${this.newest}`);
    }
    this.newest = version;
    this.committed.add(String(version));
    this.objects.set(key, after);
    if (after.metadata.uid) this.uids.add(after.metadata.uid);
  }

  private owner(object: KubeObject, type: string): void {
    const owners = object.metadata.ownerReferences ?? [];
    if (owners.filter((one) => one.controller).length > 1) {
      throw new Broken(`${keyOf(object)} has two controllers`);
    }
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

  private index(before?: KubeObject, after?: KubeObject): void {
    const pod = (after ?? before)!;
    const { uid = "" } = pod.metadata;
    for (const one of [before, after]) {
      if (one) this.podsByOwner.get(controllerUid(one))?.delete(uid);
    }
    if (!after) return;
    const owner = controllerUid(after);
    const pods = this.podsByOwner.get(owner) ?? new Map<string, KubeObject>();
    this.podsByOwner.set(owner, pods.set(uid, after));
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
    const pods = [...this.podsByOwner.get(owner)!.values()].filter(isActive);
    const most = this.plan.lossy ? 2 * asked : asked;
    if (pods.length > most) {
      throw new Broken(
        `${keyOf(pod)} is Pod ${pods.length} of a ReplicaSet that asked for ${asked}`,
      );
    }
  }

  /**
   * Each Pod was charged before it was stored. The quota controller counts by
   * a copy that may lack the newest Pods, and gives back what they were
   * charged, as upstream's does: only until it first did is the quota exact.
   */
  private quota(): void {
    this.created++;
    if (this.created > this.charged) {
      throw new Broken(`${this.created} Pods were made in limited, ${this.charged} were charged`);
    }
    const count = this.limitedPods();
    if (count > (this.recounted ? 2 : 1) * QUOTA_PODS) {
      throw new Broken(`${count} Pods in a namespace whose quota is ${QUOTA_PODS}`);
    }
  }

  private resourceQuota(before?: KubeObject, after?: KubeObject): void {
    const usedIn = (one?: KubeObject) => Number(obj(obj(one && statusOf(one)).used).pods ?? 0);
    const [old, used] = [usedIn(before), usedIn(after)];
    if (used > old) this.charged += used - old;
    if (used < old) this.recounted = true;
  }

  private limitedPods(): number {
    return [...this.objects.values()].filter(
      (one) => one.kind === "Pod" && one.metadata.namespace === "limited" && !isOver(one),
    ).length;
  }

  /** Bounds as the newest spec has them; kept low while it is worked on. */
  private deployment(deployment: KubeObject): void {
    const { uid = "", generation = 0 } = deployment.metadata;
    const spec = specOf(deployment);
    const status = statusOf(deployment);
    const least = num(spec.replicas) - maxUnavailable(spec);
    const settled =
      num(status.observedGeneration) === generation &&
      num(status.availableReplicas) === num(spec.replicas) &&
      num(status.replicas) === num(spec.replicas);
    const floor = this.floors.get(uid) ?? 0;
    this.floors.set(uid, settled ? least : Math.min(floor, least));
  }

  /** A rollout takes no Pod away if too few are left. */
  private minAvailable(pod: KubeObject): void {
    if (this.plan.disruptive) return;
    const set = this.find("ReplicaSet", controllerUid(pod));
    const deployment = set && this.find("Deployment", controllerUid(set));
    if (!deployment || deployment.metadata.deletionTimestamp) return;
    const { uid = "" } = deployment.metadata;
    let available = 0;
    for (const one of this.objects.values()) {
      if (one.kind !== "ReplicaSet" || controllerUid(one) !== uid) continue;
      const pods = this.podsByOwner.get(one.metadata.uid ?? "")?.values() ?? [];
      available += [...pods].filter((each) => isActive(each) && isReady(each)).length;
    }
    const floor = this.floors.get(uid) ?? 0;
    if (available < floor) {
      throw new Broken(
        `${keyOf(deployment)} has ${available} ready Pods without ${pod.metadata.name}, at least ${floor} were promised`,
      );
    }
  }

  private find(kind: string, uid: string): KubeObject | undefined {
    if (!uid) return undefined;
    for (const one of this.objects.values()) {
      if (one.kind === kind && one.metadata.uid === uid) return one;
    }
    return undefined;
  }
}

/** As the Deployment controller rounds it: down, but not both bounds to 0. */
function maxUnavailable(spec: Loose): number {
  const strategy = obj(spec.strategy);
  if (str(strategy.type) === "Recreate") return num(spec.replicas);
  const { maxUnavailable: least, maxSurge } = obj(strategy.rollingUpdate);
  const replicas = num(spec.replicas);
  const down = scaled(least, replicas, Math.floor);
  const up = scaled(maxSurge, replicas, Math.ceil);
  return down === 0 && up === 0 ? 1 : down;
}

function scaled(value: unknown, replicas: number, round: (n: number) => number): number {
  if (typeof value === "number") return value;
  return round((Number.parseInt(str(value), 10) * replicas) / 100);
}

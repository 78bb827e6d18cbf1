/**
 * The scheduler's own picture of the cluster: Nodes, the Pods on them, and
 * the Pods that it has decided about but that the API server has not yet
 * confirmed ("assumed"), so that the next Pod sees the room they take.
 * Models:     pkg/scheduler/backend/cache/{cache,snapshot}.go @ v1.36
 * Leaves out: expiry of assumed Pods (upstream's default is never).
 */
import type { Node } from "../../api/kinds/node.ts";
import type { Labels } from "../../api/types.ts";
import { NodeInfo } from "./node-info.ts";
import { NodeTable } from "./node-table.ts";
import { byZoneInTurn, zoneOf } from "./node-tree.ts";
import { PodCounts } from "./pod-counts.ts";
import type { PodInfo } from "./pod-info.ts";
import type { Snapshot } from "./snapshot.ts";
import { Topologies, type Topology } from "./topology.ts";

interface Placed {
  readonly info: PodInfo;
  readonly nodeName: string;
  readonly assumed: boolean;
}

export class Cache implements Snapshot {
  readonly withAffinity = new Set<NodeInfo>();
  readonly withRequiredAntiAffinity = new Set<NodeInfo>();
  readonly counts = new PodCounts(() => this.infos.values());
  cordoned = 0;
  hardTainted = 0;
  softTainted = 0;
  private readonly infos = new Map<string, NodeInfo>();
  private readonly topologies = new Topologies(() => this.infos.values());
  private readonly table = new NodeTable();
  /** Rows of Nodes that went, to be given out again. */
  private readonly freeRows: number[] = [];
  private readonly placed = new Map<string, Placed>();
  private readonly imageNodes = new Map<string, number>();
  private readonly claims = new Map<string, number>();
  private order: NodeInfo[] | undefined;

  get nodes(): readonly NodeInfo[] {
    this.order ??= byZoneInTurn(this.infos.values());
    return this.order;
  }

  get(nodeName: string): NodeInfo | undefined {
    const info = this.infos.get(nodeName);
    return info?.node ? info : undefined;
  }

  topology(key: string): Topology {
    return this.topologies.of(key);
  }

  get imageCount(): number {
    return this.imageNodes.size;
  }

  imageNodeCount(image: string): number {
    return this.imageNodes.get(image) ?? 0;
  }

  claimInUse(claim: string): boolean {
    return (this.claims.get(claim) ?? 0) > 0;
  }

  /** Adds a Node, or takes over its new state. */
  setNode(node: Node): void {
    const info = this.infoOf(node.metadata.name);
    const old = info.node;
    if (old && isHeartbeat(old, node)) {
      info.node = node;
      return;
    }
    this.countNode(info, -1);
    info.setNode(node);
    this.countNode(info, 1);
    if (!old || zoneOf(old) !== zoneOf(node)) this.order = undefined;
    if (!old || !sameLabels(old.metadata.labels, node.metadata.labels)) {
      if (info.pods.length > 0) this.counts.forget();
      this.topologies.place(info);
    }
  }

  /** Its Pods stay known until they are told to be gone. */
  removeNode(nodeName: string): void {
    const info = this.infos.get(nodeName);
    if (!info) return;
    this.countNode(info, -1);
    info.unsetNode();
    this.order = undefined;
    if (info.pods.length === 0) this.drop(info);
    else this.counts.forget();
  }

  /** The Pod will run there, as far as the next cycles are concerned. */
  assume(info: PodInfo, nodeName: string): void {
    this.place(info, nodeName, true);
  }

  /** Binding failed: the room is free again. */
  forget(info: PodInfo): void {
    if (this.placed.get(info.uid)?.assumed) this.takeAway(info.uid);
  }

  isAssumed(uid: string): boolean {
    return this.placed.get(uid)?.assumed ?? false;
  }

  /** The API server says that the Pod is on that Node. */
  setPod(info: PodInfo, nodeName: string): void {
    this.place(info, nodeName, false);
  }

  removePod(uid: string): void {
    this.takeAway(uid);
  }

  private place(info: PodInfo, nodeName: string, assumed: boolean): void {
    this.takeAway(info.uid);
    const node = this.infoOf(nodeName);
    node.addPod(info);
    this.placed.set(info.uid, { info, nodeName, assumed });
    this.countPod(info, node, 1);
  }

  private takeAway(uid: string): void {
    const placed = this.placed.get(uid);
    if (!placed) return;
    this.placed.delete(uid);
    const node = this.infoOf(placed.nodeName);
    node.removePod(placed.info);
    this.countPod(placed.info, node, -1);
    if (!node.node && node.pods.length === 0) this.drop(node);
  }

  private countPod(info: PodInfo, node: NodeInfo, sign: 1 | -1): void {
    if (sign === 1) this.counts.added(info, node);
    else this.counts.removed(info, node);
    for (const claim of info.claims) {
      this.claims.set(claim, (this.claims.get(claim) ?? 0) + sign);
    }
    if (!info.hasAffinity) return;
    const { podsWithAffinity, podsWithRequiredAntiAffinity } = node;
    keepIf(this.withAffinity, node, podsWithAffinity.length > 0);
    keepIf(
      this.withRequiredAntiAffinity,
      node,
      podsWithRequiredAntiAffinity.length > 0,
    );
  }

  /** Counts in (`by` 1) or out (-1) what plugins ask of all Nodes at once. */
  private countNode(info: NodeInfo, by: 1 | -1): void {
    if (info.unschedulable) this.cordoned += by;
    if (info.hardTaints.length > 0) this.hardTainted += by;
    if (info.softTaints.length > 0) this.softTainted += by;
    for (const image of info.images.keys()) {
      const left = this.imageNodeCount(image) + by;
      if (left > 0) this.imageNodes.set(image, left);
      else this.imageNodes.delete(image);
    }
  }

  private drop({ name, row }: NodeInfo): void {
    this.infos.delete(name);
    this.freeRows.push(row);
  }

  private infoOf(nodeName: string): NodeInfo {
    let info = this.infos.get(nodeName);
    if (!info) {
      const row = this.freeRows.pop() ?? this.infos.size;
      info = new NodeInfo(nodeName, row, this.table);
      this.infos.set(nodeName, info);
    }
    return info;
  }
}

function keepIf<T>(set: Set<T>, item: T, wanted: boolean): void {
  if (wanted) set.add(item);
  else set.delete(item);
}

/** Nothing changed that scheduling looks at; unchanged parts are shared. */
function isHeartbeat(old: Node, now: Node): boolean {
  return (
    old.spec === now.spec &&
    old.metadata.labels === now.metadata.labels &&
    old.status?.allocatable === now.status?.allocatable &&
    old.status?.images === now.status?.images
  );
}

function sameLabels(a: Labels = {}, b: Labels = {}): boolean {
  if (a === b) return true;
  const keys = Object.keys(a);
  if (keys.length !== Object.keys(b).length) return false;
  return keys.every((key) => a[key] === b[key]);
}

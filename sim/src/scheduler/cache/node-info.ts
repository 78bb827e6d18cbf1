/**
 * A Node as the scheduler sees it: what it has, what its Pods take, kept as
 * plain numbers so that a filter costs nanoseconds.
 * Models:     pkg/scheduler/framework/types.go (NodeInfo) @ v1.36
 * Leaves out: declared features; the generation number, since one cycle is
 *             one step and reads this very object (upstream copies it).
 */
import { amountsOf } from "../../api/helpers/pod-requests.ts";
import { keepsPodsAway } from "../../api/helpers/tolerations.ts";
import type { Node, Taint } from "../../api/kinds/node.ts";
import type { Labels } from "../../api/types.ts";
import { HostPorts } from "./host-ports.ts";
import { NodeTable } from "./node-table.ts";
import type { PodInfo } from "./pod-info.ts";
import { Resources } from "./resources.ts";

const noTaints: readonly Taint[] = Object.freeze([]);
const noLabels: Labels = Object.freeze({});
const noImages: ReadonlyMap<string, number> = new Map();

export class NodeInfo {
  readonly name: string;
  /** A small number of its own: where its counts stand in arrays. */
  readonly row: number;
  /** The newest object; undefined while only Pods of it are known. */
  node: Node | undefined;
  labels: Labels = noLabels;
  unschedulable = false;
  /** NoSchedule and NoExecute. */
  hardTaints = noTaints;
  /** PreferNoSchedule. */
  softTaints = noTaints;
  allocatable = new Resources();
  /** Image name to size in bytes. */
  images = noImages;
  readonly requested: Resources;
  readonly pods: PodInfo[] = [];
  readonly podsWithAffinity: PodInfo[] = [];
  readonly podsWithRequiredAntiAffinity: PodInfo[] = [];
  readonly hostPorts = new HostPorts();

  private readonly table: NodeTable;
  private readonly start: number;

  constructor(name: string, row = 0, table = new NodeTable()) {
    this.name = name;
    this.row = row;
    this.table = table;
    this.start = table.startOf(row);
    this.requested = new Resources();
  }

  /** What the Node has. */
  get cpuMilli(): number {
    return this.table.data[this.start]!;
  }

  get memoryBytes(): number {
    return this.table.data[this.start + 1]!;
  }

  get podsMax(): number {
    return this.table.data[this.start + 2]!;
  }

  /** What its Pods ask for. */
  get usedCpuMilli(): number {
    return this.table.data[this.start + 3]!;
  }

  get usedMemoryBytes(): number {
    return this.table.data[this.start + 4]!;
  }

  get podCount(): number {
    return this.table.data[this.start + 5]!;
  }

  /** The same where a container without a request counts with a default. */
  get scoredCpuMilli(): number {
    return this.table.data[this.start + 6]!;
  }

  get scoredMemoryBytes(): number {
    return this.table.data[this.start + 7]!;
  }

  setNode(node: Node): void {
    const { spec, status, metadata } = node;
    this.node = node;
    this.labels = metadata.labels ?? noLabels;
    this.unschedulable = spec?.unschedulable ?? false;
    const taints = spec?.taints ?? noTaints;
    this.hardTaints = taints.filter(keepsPodsAway);
    this.softTaints = taints.filter(
      ({ effect }) => effect === "PreferNoSchedule",
    );
    this.allocatable = new Resources(amountsOf(status?.allocatable ?? {}));
    const { data } = this.table;
    data[this.start] = this.allocatable.cpuMilli;
    data[this.start + 1] = this.allocatable.memoryBytes;
    data[this.start + 2] = this.allocatable.pods;
    this.images = imageSizes(node);
  }

  /** The Node is gone; its Pods may still be told of. */
  unsetNode(): void {
    this.node = undefined;
    this.unschedulable = false;
    this.hardTaints = noTaints;
    this.softTaints = noTaints;
    this.images = noImages;
  }

  addPod(pod: PodInfo): void {
    this.pods.push(pod);
    if (pod.hasAffinity) this.podsWithAffinity.push(pod);
    if (pod.requiredAntiAffinity.length > 0) {
      this.podsWithRequiredAntiAffinity.push(pod);
    }
    this.count(pod, 1);
  }

  /** False if the Pod is not here. */
  removePod(pod: PodInfo): boolean {
    const found = takeOut(this.pods, pod.uid);
    if (!found) return false;
    takeOut(this.podsWithAffinity, pod.uid);
    takeOut(this.podsWithRequiredAntiAffinity, pod.uid);
    this.count(found, -1);
    return true;
  }

  private count(pod: PodInfo, sign: 1 | -1): void {
    this.requested.add(pod.requests, sign);
    const { data } = this.table;
    data[this.start + 3] = this.requested.cpuMilli;
    data[this.start + 4] = this.requested.memoryBytes;
    data[this.start + 5] = this.pods.length;
    data[this.start + 6]! += sign * pod.scoredCpuMilli;
    data[this.start + 7]! += sign * pod.scoredMemoryBytes;
    for (const port of pod.hostPorts) this.hostPorts.count(port, sign);
  }

  /** A copy for "what if": Pods can be added and removed freely. */
  clone(): NodeInfo {
    const copy = new NodeInfo(this.name, this.row);
    if (this.node) copy.setNode(this.node);
    for (const pod of this.pods) copy.addPod(pod);
    return copy;
  }
}

function takeOut(pods: PodInfo[], uid: string): PodInfo | undefined {
  const at = pods.findIndex((pod) => pod.uid === uid);
  if (at < 0) return undefined;
  const found = pods[at];
  const last = pods.pop();
  if (last && at < pods.length) pods[at] = last;
  return found;
}

function imageSizes({ status }: Node): ReadonlyMap<string, number> {
  if (!status?.images?.length) return noImages;
  const sizes = new Map<string, number>();
  for (const { names = [], sizeBytes = 0 } of status.images) {
    for (const name of names) sizes.set(name, sizeBytes);
  }
  return sizes;
}

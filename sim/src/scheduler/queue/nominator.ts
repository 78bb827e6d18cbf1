/**
 * Pods that wait for room which preemption is making on a Node. Until they
 * are placed, others of lower priority must not take that room.
 * Models: pkg/scheduler/backend/queue/nominator.go @ v1.36
 */
import type { PodInfo } from "../cache/pod-info.ts";

const none: readonly PodInfo[] = Object.freeze([]);

export class Nominator {
  private readonly byNode = new Map<string, PodInfo[]>();
  private readonly nodeOf = new Map<string, string>();

  /** `nodeName` absent: as the Pod's own status says. "" takes it away. */
  set(
    info: PodInfo,
    nodeName = info.pod.status?.nominatedNodeName ?? "",
  ): void {
    this.delete(info.uid);
    if (!nodeName) return;
    this.nodeOf.set(info.uid, nodeName);
    const pods = this.byNode.get(nodeName);
    if (pods) pods.push(info);
    else this.byNode.set(nodeName, [info]);
  }

  delete(uid: string): void {
    const nodeName = this.nodeOf.get(uid);
    if (nodeName === undefined) return;
    this.nodeOf.delete(uid);
    const left = this.on(nodeName).filter((info) => info.uid !== uid);
    if (left.length > 0) this.byNode.set(nodeName, left);
    else this.byNode.delete(nodeName);
  }

  /** Keeps the nomination over an update that says nothing of one. */
  update(info: PodInfo): void {
    const known = this.nodeOf.get(info.uid);
    this.set(info, info.pod.status?.nominatedNodeName || known);
  }

  get empty(): boolean {
    return this.byNode.size === 0;
  }

  on(nodeName: string): readonly PodInfo[] {
    return this.byNode.get(nodeName) ?? none;
  }

  nodeNameOf(uid: string): string {
    return this.nodeOf.get(uid) ?? "";
  }
}

/** The stand-in kubelet of the recordings: nodes that beat, Pods that start. */
import type { Lease } from "../../../sim/src/api/kinds/lease.ts";
import { Lease as LeaseKind } from "../../../sim/src/api/kinds/lease.ts";
import { Node } from "../../../sim/src/api/kinds/node.ts";
import { Pod } from "../../../sim/src/api/kinds/pod.ts";
import type { PodStatus } from "../../../sim/src/api/kinds/types/pod.ts";
import type { Client } from "../../../sim/src/client/client.ts";
import type { Kernel } from "../../../sim/src/kernel/index.ts";
import type { StandIn, TraceFile } from "./format.ts";

const STRATEGIC = "application/strategic-merge-patch+json";
const JOB_NAME = "batch.kubernetes.io/job-name";
const INDEX = "batch.kubernetes.io/job-completion-index";

export class StandInKubelet {
  /** Nodes that neither beat nor run anything. */
  readonly silent = new Set<string>();
  readonly deaf = new Set<string>();
  private readonly kernel: Kernel;
  private readonly client: Client;
  private readonly cluster: TraceFile["cluster"];
  private readonly started = new Set<string>();
  private readonly removed = new Set<string>();
  private readonly ended = new Set<string>();
  private nextIp: number;

  constructor(kernel: Kernel, client: Client, cluster: TraceFile["cluster"]) {
    this.kernel = kernel;
    this.client = client;
    this.cluster = cluster;
    this.nextIp = Number(cluster.kubelet.podIPs.first.split(".")[3]);
  }

  beat(): void {
    for (const { metadata } of this.cluster.nodes) {
      if (!this.silent.has(metadata.name)) this.later(0, () => this.beatOf(metadata.name));
    }
  }

  async beatOf(node: string): Promise<void> {
    const { statusPatch, lease } = this.cluster.heartbeats;
    const filled = this.fill(statusPatch.body, node);
    await this.client.patch(Node, "", node, STRATEGIC, filled, { subresource: "status" });
    if (!lease) return;
    // Later ones carry no resourceVersion and are refused, as recorded.
    const made = this.fill(lease.body, node) as Lease;
    const inside = { ...made.metadata, namespace: "kube-node-lease" };
    await this.client.update(LeaseKind, { ...made, metadata: inside });
  }

  private fill(body: unknown, node: string): unknown {
    const text = JSON.stringify(body)
      .replaceAll("{now}", this.kernel.timestamp())
      .replaceAll("{nowMicro}", this.kernel.microTimestamp())
      .replaceAll("{node}", node);
    return JSON.parse(text);
  }

  /** Every watch event of a Pod comes through here. */
  seen(pod: Pod): void {
    const { uid = "", deletionTimestamp } = pod.metadata;
    const { nodeName } = pod.spec;
    if (!nodeName || this.deaf.has(nodeName)) return;
    const { kubelet } = this.cluster;
    if (deletionTimestamp) {
      if (this.removed.has(uid)) return;
      this.removed.add(uid);
      this.later(kubelet.removeAfterMs, () => this.remove(pod));
      return;
    }
    if (!this.started.has(uid)) {
      this.started.add(uid);
      this.later(kubelet.readyAfterMs, () => this.start(pod));
    }
    const job = pod.metadata.labels?.[JOB_NAME];
    if (!job || pod.status?.phase !== "Running" || this.ended.has(uid)) return;
    if (kubelet.neverEnds.some((prefix) => job.startsWith(prefix))) return;
    this.ended.add(uid);
    this.later(kubelet.jobPodEndsAfterMs, () => this.end(pod, job));
  }

  private later(ms: number, act: () => Promise<unknown>): void {
    this.kernel.after(ms, () => {
      this.kernel.spawn("fake-kubelet", async () => {
        await act().catch(() => {});
      });
    });
  }

  private patch(pod: Pod, status: PodStatus): Promise<unknown> {
    const { namespace = "", name } = pod.metadata;
    const more = { subresource: "status" };
    return this.client.patch(Pod, namespace, name, STRATEGIC, { status }, more);
  }

  private async start(pod: Pod): Promise<void> {
    if (this.deaf.has(pod.spec.nodeName ?? "")) return;
    const { neverReadyImages, podIPs, hostIP } = this.cluster.kubelet;
    const now = this.kernel.timestamp();
    const isBad = (image = "") => neverReadyImages.includes(image);
    const ok = !pod.spec.containers.some(({ image }) => isBad(image));
    const podIP = podIPs.first.replace(/\d+$/, String(this.nextIp++));
    const condition = (type: string, good: boolean) => ({
      ...{ type, status: good ? "True" : "False", lastTransitionTime: now },
    });
    await this.patch(pod, {
      phase: ok ? "Running" : "Pending",
      ...{ podIP, podIPs: [{ ip: podIP }], hostIP, startTime: now },
      containerStatuses: pod.spec.containers.map(({ name, image = "" }) => ({
        ...{ name, image, imageID: "sha256:x", restartCount: 0 },
        ...{ ready: !isBad(image), started: !isBad(image) },
        state: isBad(image)
          ? { waiting: { reason: "ImagePullBackOff", message: "x" } }
          : { running: { startedAt: now } },
      })),
      conditions: [
        condition("Initialized", true),
        condition("ContainersReady", ok),
        condition("Ready", ok),
      ],
    });
  }

  private async remove(pod: Pod): Promise<void> {
    const { namespace = "", name, uid } = pod.metadata;
    const options = { gracePeriodSeconds: 0, preconditions: { uid } };
    await this.client.delete(Pod, namespace, name, options);
  }

  private async end(pod: Pod, job: string): Promise<void> {
    const exitCode = exitCodeOf(this.cluster.kubelet, pod, job);
    const now = this.kernel.timestamp();
    const ready = { type: "Ready", status: "False", reason: "PodCompleted" };
    const reason = exitCode === 0 ? "Completed" : "Error";
    const times = { startedAt: now, finishedAt: now };
    const state = { terminated: { exitCode, reason, ...times } };
    await this.patch(pod, {
      phase: exitCode === 0 ? "Succeeded" : "Failed",
      containerStatuses: [
        { name: "c", image: "x", imageID: "", ready: false, restartCount: 0, state },
      ],
      conditions: [{ ...ready, lastTransitionTime: now }],
    });
  }
}

function exitCodeOf({ exitCodes }: StandIn, pod: Pod, job: string): number {
  const index = pod.metadata.annotations?.[INDEX];
  const rule = exitCodes.find(
    ({ jobNamePrefix = "", completionIndex }) =>
      job.startsWith(jobNamePrefix) &&
      (completionIndex === undefined || String(completionIndex) === index),
  );
  return rule?.exitCode ?? 0;
}

/**
 * How the cluster knows that a node lives: a Lease renewed every 10 s, and
 * the node's status, looked at every 10 s but written only if it changed or
 * 5 minutes have passed.
 * Models: pkg/kubelet/kubelet_node_status.go, component-helpers/apimachinery/
 *         lease @ v1.36
 * Try:    renew the lease every minute, and see what the node controller does.
 */
import { Lease } from "../../api/kinds/lease.ts";
import { Node, type NodeStatus } from "../../api/kinds/node.ts";
import { isAlreadyExists, isConflict, isNotFound } from "../../api/status.ts";
import type { ComponentContext } from "../../client/component.ts";
import type { Informer } from "../../client/informer.ts";
import type { Timer } from "../../kernel/index.ts";
import { equal } from "../equal.ts";
import type { KubeletOptions } from "../options.ts";
import { messageOf } from "../runtime/context.ts";
import { agree, changed, comparable, isReady } from "./compare-status.ts";
import { newNode } from "./node-object.ts";

const RENEW_MS = 10_000;
const STATUS_MS = 10_000;
const REPORT_MS = 300_000;
const LEASE_SECONDS = 40;
const LEASE_NAMESPACE = "kube-node-lease";
const RETRY_MS = 1000;

export interface HeartbeatOptions {
  readonly context: ComponentContext;
  readonly options: KubeletOptions;
  /** The status as it is now. */
  readonly look: (before: NodeStatus) => Promise<NodeStatus>;
  /** The Ready condition turned. */
  readonly onReady: (ready: boolean) => void;
  readonly onRegistered: (node: Node) => void;
  /** The API server has this status. */
  readonly onReported: (status: NodeStatus) => void;
}

export class Heartbeat {
  private readonly o: HeartbeatOptions;
  private status: NodeStatus = {};
  private reportedAtMs = Number.NEGATIVE_INFINITY;
  private lease: Lease | undefined;
  private node: Node | undefined;
  /** The API's copy of our Node alone. */
  private copy: Informer<Node> | undefined;
  private readonly timers = new Set<Timer>();
  private stopped = false;

  constructor(options: HeartbeatOptions) {
    this.o = options;
  }

  start(): void {
    const { context } = this.o;
    context.kernel.spawn(context.actor, () => this.register());
  }

  stop(): void {
    this.stopped = true;
    for (const timer of this.timers) timer.cancel();
  }

  /** Looks at the status now, not at the next tick. */
  refresh(): void {
    if (!this.node) return;
    const { context } = this.o;
    context.kernel.spawn(context.actor, () => this.report());
  }

  /** Creates the Node; one that is there already is taken over. */
  private async register(): Promise<void> {
    const { context, options, onRegistered } = this.o;
    while (!this.node) {
      try {
        this.node = await this.createOrTake();
      } catch (error) {
        this.failed("register node", error);
        await context.kernel.sleep(RETRY_MS);
        if (this.stopped) return;
      }
    }
    onRegistered(this.node);
    const fieldSelector = `metadata.name=${options.node.name}`;
    this.copy = context.informers.informer(Node, { fieldSelector });
    this.o.onReady(isReady(this.status));
    await this.renew();
    this.every(RENEW_MS, () => this.renew());
    this.every(STATUS_MS, () => this.report());
    await this.report();
  }

  private async createOrTake(): Promise<Node> {
    const { context, options, look } = this.o;
    const { client, kernel } = context;
    try {
      this.status = await look({});
      const wanted = newNode(options, this.status);
      const node = await client.create(Node, wanted);
      this.reportedAtMs = kernel.now();
      return node;
    } catch (error) {
      if (!isAlreadyExists(error)) throw error;
      const node = await client.get(Node, "", options.node.name);
      this.status = node.status ?? {};
      return node;
    }
  }

  private every(periodMs: number, run: () => Promise<void>): void {
    if (this.stopped) return;
    const { kernel, actor, random } = this.o.context;
    // A little later each time by chance, so that nodes do not march in step.
    const timer = kernel.after(periodMs * random.between(1, 1.04), () => {
      this.timers.delete(timer);
      kernel.causeId = 0;
      this.every(periodMs, run);
      kernel.spawn(actor, run);
    });
    this.timers.add(timer);
  }

  // region: report
  private async report(): Promise<void> {
    const { context, look, options, onReady } = this.o;
    const { kernel, client } = context;
    try {
      // Others write here too: who took the node for dead, for example.
      const seen = this.seen();
      const status = await look(seen);
      const now = kernel.now();
      const same =
        equal(comparable(status), comparable(this.status)) &&
        agree(seen, status);
      if (same && now - this.reportedAtMs < REPORT_MS) {
        return this.o.onReported(status);
      }
      const turned = isReady(status) !== isReady(this.status);
      const type = "application/strategic-merge-patch+json";
      const { conditions } = status;
      const body = { status: { ...changed(this.status, status), conditions } };
      const path = { subresource: "status" };
      const { name } = options.node;
      this.node = await client.patch(Node, "", name, type, body, path);
      this.status = status;
      this.reportedAtMs = now;
      this.o.onReported(status);
      if (turned) onReady(isReady(status));
    } catch (error) {
      this.failed("node status", error);
    }
  }
  // endregion: report

  /** The status as the API has it, as far as we know. */
  private seen(): NodeStatus {
    const versionOf = (node?: Node) => Number(node?.metadata.resourceVersion);
    const copy = this.copy?.get(this.o.options.node.name);
    const newer = versionOf(copy) > versionOf(this.node);
    return (newer ? copy : this.node)?.status ?? this.status;
  }

  private async renew(): Promise<void> {
    const { client, kernel } = this.o.context;
    const renewTime = kernel.microTimestamp();
    try {
      if (!this.lease) this.lease = await this.takeLease(renewTime);
      else {
        const spec = { ...this.lease.spec, renewTime };
        this.lease = await client.update(Lease, { ...this.lease, spec });
      }
    } catch (error) {
      if (isNotFound(error) || isConflict(error)) this.lease = undefined;
      this.failed("lease", error);
    }
  }

  private async takeLease(renewTime: string): Promise<Lease> {
    const { client } = this.o.context;
    const { name } = this.o.options.node;
    const spec = {
      holderIdentity: name,
      leaseDurationSeconds: LEASE_SECONDS,
      renewTime,
    };
    const uid = this.node?.metadata.uid ?? "";
    const owner = { apiVersion: "v1", kind: "Node", name, uid };
    const lease: Lease = {
      apiVersion: "coordination.k8s.io/v1",
      kind: "Lease",
      metadata: { name, namespace: LEASE_NAMESPACE, ownerReferences: [owner] },
      spec,
    };
    try {
      return await client.create(Lease, lease);
    } catch (error) {
      if (!isAlreadyExists(error)) throw error;
      const old = await client.get(Lease, LEASE_NAMESPACE, name);
      return client.update(Lease, { ...old, spec });
    }
  }

  private failed(what: string, error: unknown): void {
    const { kernel, actor } = this.o.context;
    const message = messageOf(error);
    kernel.record(actor, "error", what, "", { message });
  }
}

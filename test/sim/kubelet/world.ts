/** A cluster of one control plane and some nodes, for tests of the node. */
import type { Event } from "../../../sim/src/api/kinds/event.ts";
import { Node } from "../../../sim/src/api/kinds/node.ts";
import type { Container, PodSpec } from "../../../sim/src/api/kinds/pod.ts";
import { Pod } from "../../../sim/src/api/kinds/pod.ts";
import { ServiceAccount } from "../../../sim/src/api/kinds/serviceaccount.ts";
import type { KubeObject } from "../../../sim/src/api/types.ts";
import type { Client } from "../../../sim/src/client/client.ts";
import { ADMIN } from "../../../sim/src/cluster/identities.ts";
import { type Cluster, createCluster } from "../../../sim/src/cluster.ts";
import type { ImageDefinition } from "../../../sim/src/cri/workload/image.ts";
import { Kernel, type TraceEntry } from "../../../sim/src/kernel/index.ts";
import type { NodeOption, Scenario } from "../../../sim/src/scenario.ts";

export interface WorldOptions {
  readonly images?: ImageDefinition[];
  readonly nodes?: number | NodeOption[];
  readonly seed?: number;
  /** Controllers and scheduler run too. */
  readonly controllers?: boolean;
  readonly scenario?: Scenario;
}

export class World {
  readonly kernel: Kernel;
  readonly cluster: Cluster;
  readonly client: Client;
  /** Every state of every Pod, with its moment. */
  readonly history: { readonly atMs: number; readonly pod: Pod }[] = [];
  readonly events: Event[] = [];
  private readonly pods = new Map<string, Pod>();

  constructor(options: WorldOptions = {}) {
    const { images = [], nodes = 1, seed = 1, controllers = false } = options;
    this.kernel = new Kernel({ seed });
    const without = controllers ? [] : ["kube-controller-manager", "kube-scheduler"];
    const scenario = { nodes, without, images, ...options.scenario };
    this.cluster = createCluster({ kernel: this.kernel, scenario });
    this.client = this.cluster.client("you", ADMIN);
    this.cluster.onWrite(({ type, after, before }) => {
      if (after) this.note(after);
      if (type === "DELETED" && before?.kind === "Pod") this.pods.delete(before.metadata.name);
    });
    this.cluster.start();
  }

  private note(object: KubeObject): void {
    if (object.kind === "Event") this.events.push(object as Event);
    if (object.kind !== "Pod") return;
    this.pods.set(object.metadata.name, object as Pod);
    this.history.push({ atMs: this.kernel.now(), pod: object as Pod });
  }

  pod(name = "web"): Pod | undefined {
    return this.pods.get(name);
  }

  /** Reasons of the Events about an object, in order. */
  reasons(name = "web"): (string | undefined)[] {
    return this.events.filter((e) => e.involvedObject.name === name).map((e) => e.reason);
  }

  async node(name = "node-1"): Promise<Node> {
    let node: Node | undefined;
    await this.do(async (client) => {
      node = await client.get(Node, "", name);
    });
    return node!;
  }

  message(reason: string): string | undefined {
    return this.events.find((event) => event.reason === reason)?.message;
  }

  entries(verb: string): TraceEntry[] {
    return [...this.kernel.trace].filter((entry) => entry.verb === verb);
  }

  async do(what: (client: Client) => Promise<unknown>): Promise<void> {
    let done = false;
    this.kernel.spawn("you", async () => {
      await what(this.client);
      done = true;
    });
    await this.kernel.run({ stopWhen: () => done, untilMs: this.kernel.now() + 60_000 });
  }

  async run(seconds: number): Promise<void> {
    await this.kernel.run({ untilMs: this.kernel.now() + seconds * 1000 });
  }

  /** Creates Pods that are bound to node-1 already. */
  async create(...specs: [name: string, spec: Partial<PodSpec>][]): Promise<void> {
    await this.do(async (client) => {
      const metadata = { name: "default", namespace: "default" };
      const account: ServiceAccount = { apiVersion: "v1", kind: "ServiceAccount", metadata };
      await client.create(ServiceAccount, account).catch(() => {});
      for (const [name, spec] of specs) await client.create(Pod, podOf(name, spec));
    });
  }
}

export function podOf(name: string, spec: Partial<PodSpec>): Pod {
  const containers: Container[] = [{ name: "app", image: "nginx:1.27" }];
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name, namespace: "default" },
    spec: { nodeName: "node-1", containers, ...spec },
  };
}

export function condition(pod: Pod | undefined, type: string): string | undefined {
  return pod?.status?.conditions?.find((each) => each.type === type)?.status;
}

/** The recorded cluster, made of the real parts of the simulator. */
import { newKinds } from "../../../sim/src/api/kinds/index.ts";
import { Namespace } from "../../../sim/src/api/kinds/namespace.ts";
import { Node } from "../../../sim/src/api/kinds/node.ts";
import type { Pod } from "../../../sim/src/api/kinds/pod.ts";
import type { ResourceRef } from "../../../sim/src/api/resource.ts";
import type { KubeObject } from "../../../sim/src/api/types.ts";
import { handle } from "../../../sim/src/apiserver/http/handle.ts";
import { type ApiServer, createApiServer } from "../../../sim/src/apiserver/server.ts";
import { localTransport } from "../../../sim/src/apiserver/transport.ts";
import { Client } from "../../../sim/src/client/client.ts";
import { EventRecorder } from "../../../sim/src/client/events.ts";
import { InformerFactory } from "../../../sim/src/client/informer.ts";
import { startControllerManager } from "../../../sim/src/controllers/manager.ts";
import { Etcd } from "../../../sim/src/etcd/index.ts";
import { Kernel } from "../../../sim/src/kernel/index.ts";
import { startScheduler } from "../../../sim/src/scheduler/scheduler.ts";
import type { HttpInput, Row, TraceFile } from "./format.ts";
import { StandInKubelet } from "./kubelet.ts";
import { rowOf } from "./rows.ts";

const TOKENS = new Map([["admin", { name: "admin", groups: ["system:masters"] }]]);
const ADMIN = { certificate: { commonName: "admin", organizations: ["system:masters"] } };

export class TraceCluster {
  readonly kernel: Kernel;
  readonly kubelet: StandInKubelet;
  readonly kinds = newKinds();
  /** Rows of all watched kinds; `t` counts from the cluster's beginning. */
  readonly rows: Row[] = [];
  private readonly nodeStates = new Map<string, string>();
  private readonly file: TraceFile;
  private readonly server: ApiServer;

  constructor(file: TraceFile, epoch: string) {
    this.file = file;
    this.kernel = new Kernel({ seed: 1, trace: "off", epoch });
    const { kernel, kinds } = this;
    const serviceCidr = file.cluster.apiServer?.serviceClusterIPRange;
    const etcd = new Etcd({ kernel });
    this.server = createApiServer({ kernel, etcd, kinds, serviceCidr, tokens: TOKENS });
    for (const name of file.cluster.namespaces) {
      const body = { apiVersion: "v1", kind: "Namespace", metadata: { name } };
      void this.server.execute({ ...request(Namespace), body, credentials: ADMIN });
    }
    this.kubelet = new StandInKubelet(kernel, this.client("fake-kubelet"), file.cluster);
    const cidrs = /([\d.]+\/\d+)/.exec(file.cluster.controllerManager?.flags ?? "");
    startControllerManager(this.contexts("kube-controller-manager"), {
      kinds: kinds.all().filter(({ verbs }) => verbs.includes("delete") && verbs.includes("watch")),
      rootCa: "x",
      clusterCidr: cidrs?.[1],
    });
    startScheduler(this.contexts("kube-scheduler", "default-scheduler")());
  }

  client(actor: string): Client {
    const { kernel, server } = this;
    const latency = (random: { between(a: number, b: number): number }) => random.between(1, 3);
    const transport = localTransport({ kernel, server, actor, latency });
    return new Client(transport, { userAgent: actor, credentials: ADMIN });
  }

  private contexts(process: string, newer?: string) {
    const { kernel } = this;
    const client = this.client(process);
    const informers = new InformerFactory({ kernel, client, actor: process });
    return (actor = process, component = newer ?? actor) => {
      const own = this.client(actor);
      const reportingInstance = newer && `${newer}-cp`;
      const events = new EventRecorder({
        ...{ kernel, client: own, actor, component, reportingInstance },
      });
      const random = kernel.random.fork(actor);
      return { kernel, actor, client: own, informers, events, random };
    };
  }

  /** Makes the Nodes, records the watches, lets the heart beat. */
  async begin(): Promise<void> {
    const { nodes, heartbeats } = this.file.cluster;
    this.watchAll();
    await this.kernel.run({ untilMs: 500 });
    for (const node of nodes) {
      void this.server.execute({ ...request(Node), body: node, credentials: ADMIN });
      this.kernel.spawn("fake-kubelet", () =>
        this.kubelet.beatOf(node.metadata.name).catch(() => {}),
      );
      await this.kernel.run({ untilMs: this.kernel.now() + 20 });
    }
    const beat = () => {
      this.kubelet.beat();
      this.kernel.after(heartbeats.everyMs, beat);
    };
    this.kernel.after(heartbeats.everyMs, beat);
  }

  private watchAll(): void {
    const client = this.client("recorder");
    for (const [kind, path] of Object.entries(this.file.watched)) {
      const ref = this.refOf(path);
      this.kernel.spawn("recorder", async () => {
        const list = await client.list(ref);
        const { resourceVersion } = list.metadata;
        await client.watch(
          ref,
          "",
          { resourceVersion },
          {
            onEvent: ({ type, object }) => {
              if (kind === "pods") this.kubelet.seen(object as Pod);
              this.note(rowOf(this.kernel.now(), kind, type, object));
            },
            onEnd: () => {},
          },
        );
      });
    }
  }

  /** Heartbeats that change nothing are no rows, as recorded. */
  private note(row: Row): void {
    if (row.kind === "nodes") {
      const { taints, unschedulable, type } = row;
      const { status, reason, message } = (row.ready ?? {}) as Record<string, unknown>;
      const state = JSON.stringify([taints, unschedulable, status, reason, message]);
      if (type === "MODIFIED" && this.nodeStates.get(row.name ?? "") === state) return;
      this.nodeStates.set(row.name ?? "", state);
    }
    this.rows.push(row);
  }

  private refOf(path: string): ResourceRef {
    const parts = path.split("/").slice(2);
    const [group, version, resource] = path.startsWith("/api/") ? ["", ...parts] : parts;
    const found = this.server.resourceOf(group ?? "", version ?? "", resource ?? "");
    if (!found) throw new Error(`cannot watch ${path}`);
    return found.kind;
  }

  /** Sends a request as the recorder did; answers with code and body. */
  async send(input: HttpInput): Promise<{ code: number; body: KubeObject }> {
    const headers: Record<string, string> = { "user-agent": "fake-kubelet" };
    if (input.contentType) headers["content-type"] = input.contentType;
    const asked = new Request(`http://cluster${input.path}`, {
      method: input.method,
      headers: { ...headers, authorization: "Bearer admin" },
      body: input.body === undefined ? undefined : JSON.stringify(input.body),
    });
    const answer = await handle(this.server, asked);
    return { code: answer.status, body: (await answer.json()) as KubeObject };
  }
}

function request(ref: ResourceRef) {
  const { group, version, resource } = ref;
  return { verb: "create" as const, group, version, resource };
}

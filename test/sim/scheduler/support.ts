/** A cluster of an API server and a scheduler alone: Pods are bound, nothing runs. */

import { Event } from "../../../sim/src/api/kinds/event.ts";
import { newKinds } from "../../../sim/src/api/kinds/index.ts";
import { Namespace } from "../../../sim/src/api/kinds/namespace.ts";
import { Node } from "../../../sim/src/api/kinds/node.ts";
import { Pod } from "../../../sim/src/api/kinds/pod.ts";
import { ServiceAccount } from "../../../sim/src/api/kinds/serviceaccount.ts";
import { createApiServer } from "../../../sim/src/apiserver/server.ts";
import { localTransport } from "../../../sim/src/apiserver/transport.ts";
import { Client } from "../../../sim/src/client/client.ts";
import { EventRecorder } from "../../../sim/src/client/events.ts";
import { InformerFactory } from "../../../sim/src/client/informer.ts";
import { Etcd } from "../../../sim/src/etcd/index.ts";
import { Kernel } from "../../../sim/src/kernel/index.ts";
import { type SchedulerOptions, startScheduler } from "../../../sim/src/scheduler/scheduler.ts";

const credentials = {
  certificate: { commonName: "kubernetes-admin", organizations: ["system:masters"] },
};

export class TestCluster {
  readonly kernel: Kernel;
  readonly admin: Client;
  private readonly server;
  private failure: unknown;

  constructor(seed: number) {
    const kernel = new Kernel({ seed });
    this.kernel = kernel;
    this.server = createApiServer({ kernel, etcd: new Etcd({ kernel }), kinds: newKinds() });
    this.admin = this.clientFor("you");
  }

  private clientFor(actor: string): Client {
    const transport = localTransport({ kernel: this.kernel, server: this.server, actor });
    return new Client(transport, { userAgent: actor, credentials });
  }

  startScheduler(options?: SchedulerOptions, actor = "kube-scheduler") {
    const { kernel } = this;
    const client = this.clientFor(actor);
    const component = "default-scheduler";
    const recorder = { kernel, client, actor, component, reportingInstance: component };
    const context = {
      ...{ kernel, actor, client },
      informers: new InformerFactory({ kernel, client, actor }),
      events: new EventRecorder(recorder),
      random: kernel.random.fork(actor),
    };
    return startScheduler(context, options);
  }

  /** Does something as the admin, then lets `forMs` go by. */
  async act(body: (admin: Client) => Promise<unknown>, forMs = 5000): Promise<void> {
    this.failure = undefined;
    this.kernel.spawn("you", async () => {
      try {
        await body(this.admin);
      } catch (error) {
        this.failure = error;
      }
    });
    await this.run(forMs);
    if (this.failure) throw this.failure;
  }

  /** What every Pod needs: a namespace and its ServiceAccount. */
  async prepare(): Promise<void> {
    const names = ["default", "kube-system"];
    await this.act(async (admin) => {
      for (const name of names) {
        const metadata = { name };
        await admin.create(Namespace, { apiVersion: "v1", kind: "Namespace", metadata, spec: {} });
        await admin.create(ServiceAccount, {
          apiVersion: "v1",
          kind: "ServiceAccount",
          metadata: { name: "default", namespace: name },
        });
      }
    });
  }

  async run(forMs: number): Promise<void> {
    await this.kernel.run({ untilMs: this.kernel.now() + forMs });
  }

  async create(...objects: (Node | Pod)[]): Promise<void> {
    await this.act(async (admin) => {
      for (const object of objects) {
        if (object.kind === "Node") await createReady(admin, object as Node);
        else await admin.create(Pod, object as Pod);
      }
    });
  }

  /** Name to Node ("" while it waits) of all Pods. */
  async places(): Promise<Record<string, string>> {
    const places: Record<string, string> = {};
    for (const pod of await this.pods()) {
      places[pod.metadata.name] = pod.spec.nodeName ?? "";
    }
    return places;
  }

  async pods(): Promise<readonly Pod[]> {
    let items: readonly Pod[] = [];
    await this.act(async (admin) => {
      items = (await admin.list(Pod, "default")).items;
    }, 100);
    return items;
  }

  async pod(name: string): Promise<Pod> {
    const found = (await this.pods()).find(({ metadata }) => metadata.name === name);
    if (!found) throw new Error(`no Pod ${name}`);
    return found;
  }

  /** "Reason Pod: message" of the Events so far. */
  async events(): Promise<string[]> {
    let texts: string[] = [];
    await this.act(async (admin) => {
      const { items } = await admin.list(Event, "default");
      texts = items.map(
        ({ reason, involvedObject, message }) => `${reason} ${involvedObject.name}: ${message}`,
      );
    }, 100);
    return texts;
  }
}

/** A cluster with Nodes and a running scheduler. */
export async function clusterWith(nodes: Node[], seed = 1): Promise<TestCluster> {
  const cluster = new TestCluster(seed);
  await cluster.prepare();
  await cluster.create(...nodes);
  cluster.startScheduler();
  await cluster.run(1000);
  return cluster;
}

/** A new Node is tainted until it is ready; here nobody takes that away. */
async function createReady(admin: Client, node: Node): Promise<void> {
  const created = await admin.create(Node, node);
  await admin.update(Node, { ...created, spec: node.spec });
}

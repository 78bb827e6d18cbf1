/** A control plane without kubelets, for tests of controllers. */
import { newKinds } from "../../../sim/src/api/kinds/index.ts";
import { Namespace } from "../../../sim/src/api/kinds/namespace.ts";
import type { Node } from "../../../sim/src/api/kinds/node.ts";
import { Pod } from "../../../sim/src/api/kinds/pod.ts";
import type { ResourceRef } from "../../../sim/src/api/resource.ts";
import type { KubeObject } from "../../../sim/src/api/types.ts";
import { createApiServer } from "../../../sim/src/apiserver/server.ts";
import { localTransport } from "../../../sim/src/apiserver/transport.ts";
import { Client } from "../../../sim/src/client/client.ts";
import type { ComponentContext } from "../../../sim/src/client/component.ts";
import { EventRecorder } from "../../../sim/src/client/events.ts";
import { InformerFactory } from "../../../sim/src/client/informer.ts";
import type { ManagerOptions } from "../../../sim/src/controllers/manager.ts";
import { startControllerManager } from "../../../sim/src/controllers/manager.ts";
import { Etcd } from "../../../sim/src/etcd/index.ts";
import { Kernel } from "../../../sim/src/kernel/index.ts";

const ADMIN = { certificate: { commonName: "admin", organizations: ["system:masters"] } };

export function testCluster(seed = 1) {
  const kernel = new Kernel({ seed });
  const kinds = newKinds();
  const etcd = new Etcd({ kernel });
  const server = createApiServer({ kernel, etcd, kinds });

  const clientFor = (actor: string) => {
    const transport = localTransport({ kernel, server, actor });
    return new Client(transport, { userAgent: actor, credentials: ADMIN });
  };
  const client = clientFor("you");

  const contexts = (process: string) => {
    const own = clientFor(process);
    const informers = new InformerFactory({ kernel, actor: process, client: own });
    return (actor = process, component = actor): ComponentContext => {
      const mine = clientFor(actor);
      const events = new EventRecorder({ kernel, client: mine, actor, component });
      const random = kernel.random.fork(actor);
      return { kernel, actor, client: mine, informers, events, random };
    };
  };

  const run = (ms: number) => kernel.run({ untilMs: kernel.now() + ms });
  /** Does something as the reader would, and waits for the answer. */
  const act = async <T>(body: () => Promise<T>): Promise<T> => {
    const box: { value?: T; error?: unknown } = {};
    const process = kernel.spawn("you", async () => {
      try {
        box.value = await body();
      } catch (error) {
        box.error = error;
      }
    });
    await kernel.run({ stopWhen: () => process.ended });
    if (box.error) throw box.error;
    return box.value as T;
  };
  const make = <T extends KubeObject>(ref: ResourceRef<T>, object: T) =>
    act(() => client.create(ref, object));
  const read = <T extends KubeObject>(ref: ResourceRef<T>, name: string, ns = "default") =>
    act(() => client.get(ref, ref.namespaced ? ns : "", name));
  const list = async <T extends KubeObject>(ref: ResourceRef<T>, ns = "default") =>
    (await act(() => client.list(ref, ref.namespaced ? ns : ""))).items;

  const start = (options: Partial<ManagerOptions> = {}, process = "kube-controller-manager") =>
    startControllerManager(contexts(process), {
      kinds: kinds.all().filter(({ verbs }) => verbs.includes("delete") && verbs.includes("watch")),
      rootCa: "ca",
      ...options,
    });

  for (const name of ["default", "kube-system", "kube-node-lease"]) {
    const body = namespace(name);
    const { group, version, resource } = Namespace;
    const verb = "create";
    void server.execute({ verb, group, version, resource, body, credentials: ADMIN });
  }
  return { kernel, server, client, clientFor, contexts, run, act, make, read, list, start };
}

export type TestCluster = ReturnType<typeof testCluster>;

export function namespace(name: string): Namespace {
  return { apiVersion: "v1", kind: "Namespace", metadata: { name }, spec: {} };
}

export function node(name: string, ready: string, labels = {}): Node {
  return {
    apiVersion: "v1",
    kind: "Node",
    metadata: { name, labels },
    spec: {},
    status: {
      conditions: [{ type: "Ready", status: ready, lastHeartbeatTime: "2026-01-01T00:00:00Z" }],
    },
  };
}

export function pod(name: string, more: Partial<Pod["spec"]> = {}, labels = {}): Pod {
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name, namespace: "default", labels },
    spec: { containers: [{ name: "c", image: "x" }], ...more },
  };
}

/** What a kubelet would say of a Pod that runs. */
export async function runPods({ client, act, kernel }: TestCluster, status = "True") {
  await act(async () => {
    const { items } = await client.list(Pod, "default");
    for (const one of items) {
      const now = kernel.timestamp();
      const ready = { type: "Ready", status, lastTransitionTime: now };
      const next = { ...one.status, phase: "Running", conditions: [ready], startTime: now };
      await client.updateStatus(Pod, { ...one, status: { ...next, podIP: "10.0.0.1" } });
    }
  });
}

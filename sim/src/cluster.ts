/**
 * Joins the parts into a cluster: the only file that knows them all. Each part
 * is a process that meets the others at the API server; which there are is a
 * table that a scenario can thin out, and any of them can be stopped at any
 * moment and started again.
 */

import type { Kind } from "./api/kinds/definition.ts";
import { newKinds } from "./api/kinds/index.ts";
import type { Kinds } from "./api/kinds/registry.ts";
import type { Credentials, Transport, WriteDetail } from "./api/transport.ts";
import { handle } from "./apiserver/http/handle.ts";
import { type ApiServer, createApiServer } from "./apiserver/server.ts";
import { localTransport } from "./apiserver/transport.ts";
import { Client } from "./client/client.ts";
import { bootstrap } from "./cluster/bootstrap.ts";
import {
  controllerIdentity,
  nodeIdentity,
  SCHEDULER,
} from "./cluster/identities.ts";
import { makeHost, nodesOf, startNode } from "./cluster/node.ts";
import { ClusterProcess, type ProcessOptions } from "./cluster/process.ts";
import { startControllerManager } from "./controllers/manager.ts";
import { ImageRegistry } from "./cri/workload/registry.ts";
import { Etcd } from "./etcd/index.ts";
import type { Kernel } from "./kernel/index.ts";
import { DEFAULT_LATENCY, type Scenario } from "./scenario.ts";
import { startScheduler } from "./scheduler/scheduler.ts";

export { ADMIN } from "./cluster/identities.ts";

export interface ClusterOptions {
  readonly kernel: Kernel;
  readonly scenario: Scenario;
}

/** The certificate of the cluster's own authority, in name alone. */
const ROOT_CA =
  "-----BEGIN CERTIFICATE-----\nsimulated\n-----END CERTIFICATE-----\n";

export class Cluster {
  readonly kernel: Kernel;
  readonly kinds: Kinds;
  readonly server: ApiServer;
  private readonly scenario: Scenario;
  private readonly processes = new Map<string, ClusterProcess>();

  constructor({ kernel, scenario }: ClusterOptions) {
    this.kernel = kernel;
    this.scenario = scenario;
    this.kinds = newKinds();
    const etcd = new Etcd({ kernel });
    this.server = createApiServer({ kernel, etcd, kinds: this.kinds });
    this.addControlPlane();
    this.addNodes();
  }

  private addControlPlane(): void {
    this.add({
      actor: "kube-controller-manager",
      credentials: controllerIdentity,
      start: (contextFor) =>
        startControllerManager(contextFor, {
          kinds: this.kinds.all().filter(isCollectable),
          rootCa: ROOT_CA,
        }),
    });
    this.add({
      actor: "kube-scheduler",
      credentials: () => SCHEDULER,
      source: "default-scheduler",
      newEvents: true,
      start: (contextFor) => startScheduler(contextFor()),
    });
  }

  private addNodes(): void {
    const registry = new ImageRegistry(this.scenario.images);
    for (const setup of nodesOf(this.scenario.nodes)) {
      // The machine outlives its kubelet: a restart finds its containers.
      const host = makeHost(this.kernel, setup, registry);
      this.add({
        actor: `kubelet/${setup.name}`,
        credentials: () => nodeIdentity(setup.name),
        host: setup.name,
        start: (contextFor) => startNode(contextFor(), setup, host),
      });
    }
  }

  private add(options: Omit<ProcessOptions, "kernel" | "connect">): void {
    if (this.scenario.without?.includes(options.actor)) return;
    const { kernel } = this;
    const connect = (actor: string) => this.connect(actor);
    const process = new ClusterProcess({ ...options, kernel, connect });
    this.processes.set(options.actor, process);
  }

  /** Everything begins at once, as after a power cut. */
  start(): void {
    bootstrap(this.server);
    for (const process of this.processes.values()) process.start();
  }

  /** A transport for `actor`, with the scenario's latency. */
  connect(actor: string): Transport {
    const { kernel, server } = this;
    const { apiMs } = { ...DEFAULT_LATENCY, ...this.scenario.latency };
    return localTransport({
      kernel,
      server,
      actor,
      latency: (random) => random.between(apiMs[0], apiMs[1]),
    });
  }

  /** A client of the API, like a dashboard's or kubectl's. */
  client(actor: string, credentials: Credentials): Client {
    return new Client(this.connect(actor), { userAgent: actor, credentials });
  }

  /**
   * Answers an HTTP request, as the real API server would. `fallback` is who
   * asks where a request brings no credentials.
   */
  handle(request: Request, fallback?: Credentials): Promise<Response> {
    return handle(this.server, request, fallback);
  }

  /** Tells of every committed change, in order. */
  onWrite(listener: (write: WriteDetail) => void): void {
    this.server.writeListeners.push(listener);
  }

  /** Stops a component; of `node/…`, all that runs on the machine. */
  stop(actor: string): void {
    for (const one of this.partsOf(actor)) {
      this.kernel.faults.stop(one);
      this.processes.get(one)?.stop();
    }
  }

  startAgain(actor: string): void {
    for (const one of this.partsOf(actor)) {
      this.kernel.faults.start(one);
      this.processes.get(one)?.start();
    }
  }

  private partsOf(actor: string): string[] {
    if (!actor.startsWith("node/")) return [actor];
    const node = actor.slice("node/".length);
    return [...this.processes.keys()].filter((one) => one.endsWith(`/${node}`));
  }
}

/** Kinds that the collectors may list, watch and delete. */
function isCollectable({ verbs }: Kind): boolean {
  return ["delete", "list", "watch"].every((verb) => verbs.includes(verb));
}

export function createCluster(options: ClusterOptions): Cluster {
  return new Cluster(options);
}

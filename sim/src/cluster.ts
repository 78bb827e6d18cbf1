/**
 * Joins the parts into a cluster: the only file that knows them all. Each part
 * is a process that meets the others at the API server; which there are is a
 * table that a scenario can thin out, and any of them can be stopped at any
 * moment and started again.
 * Longer because: it is the one place that names every part.
 */

import type { Kind } from "./api/kinds/definition.ts";
import { newKinds } from "./api/kinds/index.ts";
import type { Kinds } from "./api/kinds/registry.ts";
import type { Credentials, Transport, WriteDetail } from "./api/transport.ts";
import { handle } from "./apiserver/http/handle.ts";
import type { ApiServer } from "./apiserver/server.ts";
import { Client } from "./client/client.ts";
import { startCloudControllerManager } from "./cloud/manager.ts";
import { addonsOf } from "./cluster/addons.ts";
import { clockOf } from "./cluster/clocks.ts";
import { cloudFor } from "./cluster/cloud.ts";
import { CloudBalancer } from "./cluster/cloud-balancer.ts";
import { ControlPlane } from "./cluster/control-plane.ts";
import {
  accountIdentity,
  controllerIdentity,
  nodeIdentity,
  PROXY,
  SCHEDULER,
} from "./cluster/identities.ts";
import { logSource } from "./cluster/logs.ts";
import { clusterMetrics } from "./cluster/metrics.ts";
import { networkAgent } from "./cluster/networks.ts";
import {
  makeHost,
  type NodeSetup,
  nodesOf,
  startNode,
} from "./cluster/node.ts";
import { labeller } from "./cluster/node-labels.ts";
import { ClusterProcess, type ProcessOptions } from "./cluster/process.ts";
import { startProxy } from "./cluster/proxy.ts";
import { Storage } from "./cluster/storage.ts";
import { Traffic } from "./cluster/traffic/connect.ts";
import { serveWebhooks } from "./cluster/webhooks.ts";
import type { MetricsSource } from "./controllers/hpa/metrics.ts";
import { startControllerManager } from "./controllers/manager.ts";
import type { NodeHost } from "./cri/node-host.ts";
import { powerOff } from "./cri/power-off.ts";
import { ImageRegistry } from "./cri/workload/registry.ts";
import type { Kernel } from "./kernel/index.ts";
import { MachineNetwork } from "./network/machines.ts";
import type { Scenario } from "./scenario.ts";
import { startScheduler } from "./scheduler/scheduler.ts";

/** What a cluster is built on: the clock that it shares, and what it starts from. */
export interface ClusterOptions {
  readonly kernel: Kernel;
  readonly scenario: Scenario;
}

/** The certificate of the cluster's own authority, in name alone. */
const ROOT_CA =
  "-----BEGIN CERTIFICATE-----\nsimulated\n-----END CERTIFICATE-----\n";

/** The whole cluster: control plane, nodes and network, joined here alone. */
export class Cluster {
  readonly kernel: Kernel;
  readonly kinds: Kinds;
  readonly controlPlane: ControlPlane;
  private readonly scenario: Scenario;
  /** The nodes' machines, in the scenario's order. */
  readonly hosts: NodeHost[] = [];
  private machines?: MachineNetwork;
  private traveller?: Traffic;
  private readonly processes = new Map<string, ClusterProcess>();

  constructor({ kernel, scenario }: ClusterOptions) {
    this.kernel = kernel;
    this.scenario = scenario;
    this.kinds = newKinds();
    this.controlPlane = new ControlPlane(kernel, this.kinds, scenario);
    const { machines, servers } = this.controlPlane;
    for (const server of servers) {
      server.isServing = (actor) => this.isServing(actor);
      if (scenario.webhooks) serveWebhooks(server);
    }
    if (machines.length === 0) this.addControllers();
    for (const machine of machines) this.addControllers(machine);
    this.addNodes();
  }

  /** What joins the machines. */
  get wires(): MachineNetwork {
    this.machines ??= new MachineNetwork();
    return this.machines;
  }

  /** `ping` and `curl`, over the real state of all machines. */
  get traffic(): Traffic {
    this.traveller ??= new Traffic(this);
    return this.traveller;
  }

  /** The first API server; the only one unless the scenario has more. */
  get server(): ApiServer {
    return this.controlPlane.servers[0]!;
  }

  /** The kinds that it knows at this moment, custom ones too. */
  get discovered(): Kinds {
    const custom = [...this.server.resources.all()].filter((r) => r.custom);
    return this.kinds.and(custom.map(({ kind }) => kind));
  }

  private isServing(actor: string): boolean {
    return this.processes.has(actor) && !this.kernel.faults.stopped(actor);
  }

  /** Of several, the ones that hold the Lease work and the others wait. */
  private addControllers(machine?: string): void {
    const on = (name: string) => (machine ? `${name}/${machine}` : name);
    const leaderElection = machine ? { identity: machine } : undefined;
    this.add({
      actor: on("kube-controller-manager"),
      credentials: controllerIdentity,
      start: (contextFor) =>
        startControllerManager(contextFor, {
          kinds: this.kinds.all().filter(isCollectable),
          rootCa: ROOT_CA,
          metrics: this.metrics(),
          leaderElection,
        }),
    });
    this.add({
      actor: on("kube-scheduler"),
      credentials: () => SCHEDULER,
      source: "default-scheduler",
      newEvents: true,
      start: (contextFor) => startScheduler(contextFor(), { leaderElection }),
    });
  }

  /** Without nodes there is nothing to measure. */
  private metrics(): MetricsSource | undefined {
    const { hosts } = this;
    return hosts.length > 0 ? clusterMetrics(this.kernel, hosts) : undefined;
  }

  private addNodes(): void {
    const { kernel, scenario } = this;
    // A control plane alone needs nothing of the machines.
    const setups = scenario.nodes === 0 ? [] : nodesOf(scenario);
    if (scenario.cloud) this.addCloud(setups);
    const storage = scenario.storage ? new Storage(kernel) : undefined;
    for (const addon of addonsOf(scenario, storage)) this.add(addon);
    if (setups.length === 0) return;
    const registry = new ImageRegistry(scenario.images);
    for (const setup of setups) {
      // The machine outlives its kubelet: a restart finds its containers.
      const { name } = setup;
      const clock = clockOf(kernel, scenario, `containerd/${name}`);
      const host = makeHost(clock, setup, registry, this.wires);
      this.hosts.push(host);
      for (const server of this.controlPlane.servers)
        server.kubelets.set(name, logSource(server, host));
      this.add({
        actor: `kubelet/${name}`,
        credentials: () => nodeIdentity(name),
        host: name,
        start: (contextFor) => startNode(contextFor(), setup, host, storage),
      });
      const labels = labeller(setup);
      if (labels) this.add(labels);
      const agent = networkAgent(setup, host, scenario);
      if (agent) this.add(agent);
      const { proxy: mode = "none" } = scenario;
      if (mode === "none") continue;
      this.add({
        actor: `kube-proxy/${name}`,
        credentials: () => PROXY,
        host: name,
        start: (contextFor) => startProxy(contextFor(), setup, host, mode),
      });
    }
  }

  private addCloud(setups: readonly NodeSetup[]): void {
    const { kernel, hosts, wires: machines, scenario } = this;
    const ipMode = scenario.cloud === "Proxy" ? "Proxy" : "VIP";
    const cloud = cloudFor(kernel, setups, ipMode);
    new CloudBalancer({ kernel, cloud, machines, hosts }).plugIn();
    const actor = "cloud-controller-manager";
    this.add({
      actor,
      credentials: () => accountIdentity("kube-system", actor),
      start: (contextFor) => startCloudControllerManager(contextFor, cloud),
    });
  }

  private add(options: Omit<ProcessOptions, "kernel" | "connect">): void {
    if (this.scenario.without?.includes(options.actor)) return;
    const kernel = clockOf(this.kernel, this.scenario, options.actor);
    const connect = (actor: string) => this.connect(actor);
    const process = new ClusterProcess({ ...options, kernel, connect });
    this.processes.set(options.actor, process);
  }

  /** Everything begins at once, as after a power cut. */
  start(): void {
    this.controlPlane.start(() => {
      for (const process of this.processes.values()) process.start();
    });
  }

  connect(actor: string): Transport {
    return this.controlPlane.connect(actor);
  }

  /** A client of the API, like kubectl's. */
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

  /** Tells of every committed change. */
  onWrite(listener: (write: WriteDetail) => void): void {
    this.controlPlane.onWrite(listener);
  }

  /** Stops a component; of `node/…`, all that runs on the machine. */
  stop(actor: string): void {
    for (const one of this.partsOf(actor)) {
      this.kernel.faults.stop(one);
      this.controlPlane.stopped(one);
      this.processes.get(one)?.stop();
    }
  }

  /** Turns a machine off in good order: its kubelet may ask for time. */
  shutDown(actor: string): void {
    const host = this.hosts.find(({ name }) => actor === `node/${name}`);
    host?.logind.shutDown(() => {
      this.stop(actor);
      powerOff(host.runtime.core);
    });
  }

  startAgain(actor: string): void {
    for (const one of this.partsOf(actor)) {
      this.kernel.faults.start(one);
      this.processes.get(one)?.start();
    }
  }

  /** Actors that a name stands for: `node/cp-1` is the whole machine. */
  private partsOf(actor: string): string[] {
    if (!actor.startsWith("node/")) return [actor];
    const end = actor.slice("node".length);
    const all = [
      ...this.controlPlane.servers.map((server) => server.actor),
      ...(this.controlPlane.raft?.members.map((member) => member.id) ?? []),
      ...this.processes.keys(),
    ];
    return all.filter((one) => one.endsWith(end));
  }
}

/** Kinds that the collectors may list, watch and delete; a group's older versions not. */
function isCollectable({ verbs, group, storedAs }: Kind): boolean {
  if (storedAs?.kind.group === group) return false;
  return ["delete", "list", "watch"].every((verb) => verbs.includes(verb));
}

/** Builds the cluster of a scenario; nothing runs before `start()`. */
export function createCluster(options: ClusterOptions): Cluster {
  return new Cluster(options);
}

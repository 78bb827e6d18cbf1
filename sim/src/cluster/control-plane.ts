/**
 * The API servers of a cluster and the etcd behind them: one of each, or
 * several, which then stand behind a load balancer. Stacked, each machine of
 * the control plane has its own etcd member; external, the members are apart.
 * Models:     kubeadm's stacked and external etcd topologies
 */
import type { Kinds } from "../api/kinds/registry.ts";
import type { Transport, WriteDetail } from "../api/transport.ts";
import { etcdProblem } from "../apiserver/health.ts";
import { type ApiServer, createApiServer } from "../apiserver/server.ts";
import { localTransport } from "../apiserver/transport.ts";
import { Etcd, type EtcdApi, RaftCluster } from "../etcd/index.ts";
import type { Kernel } from "../kernel/index.ts";
import { DEFAULT_LATENCY, type Scenario } from "../scenario.ts";
import { bootstrap } from "./bootstrap.ts";
import { clockOf } from "./clocks.ts";
import { installedOf } from "./installed.ts";
import { LoadBalancer } from "./load-balancer.ts";

/** How often a new cluster looks whether its etcd has a leader, in ms. */
const LOOK_MS = 50;

export class ControlPlane {
  readonly servers: readonly ApiServer[];
  readonly raft: RaftCluster | undefined;
  /** Before the servers, if there are several. */
  private readonly balancer: LoadBalancer | undefined;
  private readonly kernel: Kernel;
  private readonly scenario: Scenario;

  constructor(kernel: Kernel, kinds: Kinds, scenario: Scenario) {
    this.kernel = kernel;
    this.scenario = scenario;
    const { controlPlanes = 1 } = scenario;
    const { etcdMembers = controlPlanes, etcd = "stacked" } = scenario;
    if (controlPlanes === 1 && etcdMembers === 1) {
      const store = new Etcd({ kernel });
      const own = clockOf(kernel, scenario, "kube-apiserver");
      this.servers = [createApiServer({ kernel: own, etcd: store, kinds })];
      return;
    }
    const place = etcd === "stacked" ? "cp-" : "m";
    this.raft = new RaftCluster({
      kernel,
      members: etcdMembers,
      nameOf: (i) => `etcd/${place}${i + 1}`,
    });
    this.servers = Array.from({ length: controlPlanes }, (_, i) => {
      const member = this.raft!.members[i % etcdMembers]!.id;
      const store: EtcdApi = this.raft!.endpoint(member);
      const actor = `kube-apiserver/cp-${i + 1}`;
      return createApiServer({
        ...{ kernel: clockOf(kernel, scenario, actor), kinds, actor },
        etcd: store,
        etcdActor: member,
      });
    });
    if (controlPlanes > 1) this.balancer = this.newBalancer();
  }

  private newBalancer(): LoadBalancer {
    const backends = this.servers.map((server) => ({
      actor: server.actor,
      ready: async () => (await etcdProblem(server)) === "",
      disconnect: () => endWatches(server),
    }));
    return new LoadBalancer(this.kernel, backends);
  }

  /** Machines of the control plane: `cp-1` …; none if there is but one. */
  get machines(): readonly string[] {
    if (this.servers.length === 1) return [];
    return this.servers.map(({ actor }) => actor.split("/")[1]!);
  }

  /** Makes what a new cluster has, then calls `ready`. */
  start(ready: () => void): void {
    const { kernel, raft, balancer } = this;
    const first = this.servers[0]!;
    const installed = installedOf(this.scenario);
    if (!raft) {
      bootstrap(first, installed);
      ready();
      return;
    }
    kernel.spawn(first.actor, async () => {
      while (!raft.leader) await kernel.sleep(LOOK_MS);
      await bootstrap(first, installed);
      balancer?.start();
      ready();
    });
  }

  /** How `actor` reaches an API server, with the scenario's latency. */
  connect(actor: string): Transport {
    const { kernel } = this;
    const { apiMs } = { ...DEFAULT_LATENCY, ...this.scenario.latency };
    const transports = this.servers.map((server) =>
      localTransport({
        ...{ kernel, server, actor },
        latency: (random) => random.between(apiMs[0], apiMs[1]),
      }),
    );
    return this.balancer?.connect(actor, transports) ?? transports[0]!;
  }

  /** A server that stops drops its connections: every watch on it ends. */
  stopped(actor: string): void {
    const server = this.servers.find((one) => one.actor === actor);
    if (server) endWatches(server);
  }

  onWrite(listener: (write: WriteDetail) => void): void {
    for (const server of this.servers) server.writeListeners.push(listener);
  }
}

function endWatches({ openWatches }: ApiServer): void {
  for (const end of [...openWatches]) end();
}

/**
 * kube-proxy: hears of Services and EndpointSlices and writes rules into its
 * node's kernel. No packet ever passes through it.
 * Models:     cmd/kube-proxy, pkg/proxy/{iptables,nftables,ipvs} @ v1.36
 * Leaves out: health checks for load balancers; conntrack clean-up; the
 *             virtual servers of ipvs are shown, not executed.
 * Try:        sync only every 30 s, and see how long a dead endpoint is used.
 */
import { EndpointSlice } from "../api/kinds/endpointslice.ts";
import { Service } from "../api/kinds/service.ts";
import type { Component, ComponentContext } from "../client/component.ts";
import type { Informer } from "../client/informer.ts";
import type { Timer } from "../kernel/index.ts";
import type { NetworkNamespace } from "../network/namespace.ts";
import { Nftables } from "../network/nftables.ts";
import type { ProxyConfig } from "./config.ts";
import {
  type IptablesRules,
  iptablesRestore,
  iptablesRules,
} from "./iptables.ts";
import { ipvsRules } from "./ipvs.ts";
import { nftablesBase, nftablesRules } from "./nftables.ts";
import { type ServicePort, servicePorts } from "./service-ports.ts";

export type ProxyMode = "iptables" | "nftables" | "ipvs";

export interface KubeProxyOptions {
  readonly config: ProxyConfig;
  readonly mode: ProxyMode;
  /** The node's own network namespace: where the rules go. */
  readonly namespace: NetworkNamespace;
}

/** Not more often than this, however much changes. */
const SYNC_MS_MIN = 1000;
const SERVICE_LABEL = "kubernetes.io/service-name";
const BY_SERVICE = "service";

export function startKubeProxy(
  context: ComponentContext,
  options: KubeProxyOptions,
): Component {
  const proxy = new KubeProxy(context, options);
  proxy.start();
  return proxy;
}

class KubeProxy implements Component {
  private readonly context: ComponentContext;
  private readonly options: KubeProxyOptions;
  private readonly services: Informer<Service>;
  private readonly slices: Informer<EndpointSlice>;
  private syncedAtMs = Number.NEGATIVE_INFINITY;
  private timer: Timer | undefined;
  private stopped = false;

  constructor(context: ComponentContext, options: KubeProxyOptions) {
    this.context = context;
    this.options = options;
    this.services = context.informers.informer(Service);
    this.slices = context.informers.informer(EndpointSlice);
    this.slices.addIndex(BY_SERVICE, ({ metadata }) => {
      const name = metadata.labels?.[SERVICE_LABEL];
      return name ? [`${metadata.namespace}/${name}`] : [];
    });
  }

  start(): void {
    const changed = () => this.syncSoon();
    const handlers = { added: changed, updated: changed, deleted: changed };
    this.services.onChange(handlers);
    this.slices.onChange(handlers);
    this.syncSoon();
  }

  /** The rules stay: a proxy that dies does not take the Services along. */
  stop(): void {
    this.stopped = true;
    this.timer?.cancel();
  }

  private syncSoon(): void {
    if (this.timer || this.stopped) return;
    const { kernel } = this.context;
    const earliest = this.syncedAtMs + SYNC_MS_MIN;
    this.timer = kernel.after(Math.max(0, earliest - kernel.now()), () => {
      this.timer = undefined;
      if (this.services.hasSynced && this.slices.hasSynced) this.sync();
    });
  }

  // region: sync
  private sync(): void {
    const { kernel, actor } = this.context;
    const { mode, config } = this.options;
    this.syncedAtMs = kernel.now();
    const ports = this.ports();
    const rules = PROGRAM[mode](this.options.namespace, ports, config);
    const subject = `${mode} ${ports.length} ports`;
    kernel.record(actor, "program", subject, "", { rules });
  }
  // endregion: sync

  private ports(): ServicePort[] {
    const { nodeName } = this.options.config;
    const all = this.services.list().flatMap((service) => {
      const { namespace, name } = service.metadata;
      const slices = this.slices.byIndex(BY_SERVICE, `${namespace}/${name}`);
      return servicePorts(service, slices, nodeName);
    });
    return all.sort((a, b) => (a.name < b.name ? -1 : 1));
  }
}

type Program = (
  node: NetworkNamespace,
  ports: readonly ServicePort[],
  config: ProxyConfig,
) => readonly string[];

const PROGRAM: Readonly<Record<ProxyMode, Program>> = {
  iptables(node, ports, config) {
    const rules = iptablesRules(ports, config);
    install(node, rules);
    return iptablesRestore(rules);
  },
  nftables(node, ports, config) {
    const rules = [...nftablesBase(config), ...nftablesRules(ports, config)];
    node.nftables = new Nftables();
    node.nftables.load(rules);
    return rules;
  },
  ipvs(_node, ports, config) {
    const { virtualServers, iptables } = ipvsRules(ports, config);
    const servers = virtualServers.flatMap(
      ({ protocol, address, port, realServers }) => [
        `${protocol} ${address}:${port} rr`,
        ...realServers.map((server) => `  -> ${server}`),
      ],
    );
    return [...servers, ...iptables];
  },
};

/** Jumps from the built-in chains to kube-proxy's, as at its start. */
const JUMPS = [
  [
    "filter",
    "INPUT",
    "KUBE-NODEPORTS",
    "kubernetes health check service ports",
  ],
  [
    "filter",
    "INPUT",
    "KUBE-EXTERNAL-SERVICES",
    "kubernetes externally-visible service portals",
  ],
  ["filter", "INPUT", "KUBE-FIREWALL", ""],
  ["filter", "FORWARD", "KUBE-FORWARD", "kubernetes forwarding rules"],
  ["filter", "FORWARD", "KUBE-SERVICES", "kubernetes service portals"],
  [
    "filter",
    "FORWARD",
    "KUBE-EXTERNAL-SERVICES",
    "kubernetes externally-visible service portals",
  ],
  ["filter", "OUTPUT", "KUBE-SERVICES", "kubernetes service portals"],
  ["nat", "PREROUTING", "KUBE-SERVICES", "kubernetes service portals"],
  ["nat", "OUTPUT", "KUBE-SERVICES", "kubernetes service portals"],
  ["nat", "POSTROUTING", "KUBE-POSTROUTING", "kubernetes postrouting rules"],
] as const;

function install({ iptables }: NetworkNamespace, rules: IptablesRules): void {
  for (const table of ["nat", "filter"] as const) {
    const wanted = rules[table];
    for (const chain of iptables.chains(table)) {
      const ours = chain.startsWith("KUBE-") && !wanted.has(chain);
      if (ours) iptables.deleteChain(table, chain);
    }
    for (const [chain, lines] of wanted) iptables.setChain(table, chain, lines);
  }
  for (const [table, from, to, text] of JUMPS) {
    const comment = text ? `-m comment --comment "${text}" ` : "";
    iptables.ensureRule(table, from, `${comment}-j ${to}`, "insert");
  }
}

/**
 * kube-proxy: hears of Services and EndpointSlices and writes rules into its
 * node's kernel. No packet ever passes through it.
 * Models:     cmd/kube-proxy, pkg/proxy/{iptables,nftables,ipvs} @ v1.36
 * Leaves out: conntrack clean-up; the mode userspace, which carried every
 *             packet through the process itself: upstream took it out in v1.26.
 * Try:        sync only every 30 s, and see how long a dead endpoint is used.
 */
import { EndpointSlice } from "../api/kinds/endpointslice.ts";
import { Node } from "../api/kinds/node.ts";
import { Service } from "../api/kinds/service.ts";
import type { Component, ComponentContext } from "../client/component.ts";
import type { Informer } from "../client/informer.ts";
import type { Timer } from "../kernel/index.ts";
import type { NetworkNamespace } from "../network/namespace.ts";
import type { ProxyConfig } from "./config.ts";
import { CHECK_MS, GracefulTermination } from "./graceful-termination.ts";
import { HealthServers } from "./health.ts";
import { BEST, configProblem, PROGRAM, type ProxyMode } from "./programs.ts";
import { type ServicePort, servicePorts } from "./service-ports.ts";

export interface KubeProxyOptions {
  readonly config: ProxyConfig;
  /** `--proxy-mode`: a ProxyMode, or "" for the best; others are refused. */
  readonly mode: string;
  /** The node's own network namespace: where the rules go. */
  readonly namespace: NetworkNamespace;
}

/** Not more often than this, however much changes. */
const SYNC_MS_MIN = 1000;
const IPVS_DEPRECATED =
  "The ipvs proxier is now deprecated and may be removed in a future release. " +
  "Please use 'nftables' instead.";
const SERVICE_LABEL = "kubernetes.io/service-name";
const BY_SERVICE = "service";

export function startKubeProxy(
  context: ComponentContext,
  options: KubeProxyOptions,
): Component {
  const { mode, config } = options;
  const problem = configProblem(mode, config.ipvsScheduler ?? "");
  if (problem) return refuse(context, problem);
  const valid = (mode || BEST) as ProxyMode;
  const proxy = new KubeProxy(context, { ...options, mode: valid });
  proxy.start();
  return proxy;
}

/** The process ends before it has done anything. */
function refuse({ kernel, actor }: ComponentContext, why: string): Component {
  const message = `failed validate: ${why}`;
  kernel.record(actor, "error", "command failed", "", { message });
  return { stop() {} };
}

interface ValidOptions extends KubeProxyOptions {
  readonly mode: ProxyMode;
}

class KubeProxy implements Component {
  private readonly context: ComponentContext;
  private readonly options: ValidOptions;
  private readonly services: Informer<Service>;
  private readonly slices: Informer<EndpointSlice>;
  private readonly health: HealthServers;
  private syncedAtMs = Number.NEGATIVE_INFINITY;
  private timer: Timer | undefined;
  private check: Timer | undefined;
  private readonly graceful = new GracefulTermination();
  private readonly cleaned = { atMs: Number.NEGATIVE_INFINITY };
  private stopped = false;

  constructor(context: ComponentContext, options: ValidOptions) {
    this.context = context;
    this.options = options;
    this.services = context.informers.informer(Service);
    this.slices = context.informers.informer(EndpointSlice);
    this.slices.addIndex(BY_SERVICE, ({ metadata }) => {
      const name = metadata.labels?.[SERVICE_LABEL];
      return name ? [`${metadata.namespace}/${name}`] : [];
    });
    const { nodeName } = options.config;
    const fieldSelector = `metadata.name=${nodeName}`;
    const nodes = context.informers.informer(Node, { fieldSelector });
    this.health = new HealthServers({
      ...{ kernel: context.kernel, actor: context.actor },
      listeners: options.namespace.listeners,
      node: () => nodes.get(nodeName),
    });
  }

  start(): void {
    const changed = () => {
      this.health.queuedUpdate();
      this.syncSoon();
    };
    const handlers = { added: changed, updated: changed, deleted: changed };
    this.services.onChange(handlers);
    this.slices.onChange(handlers);
    const { kernel, actor } = this.context;
    if (this.options.mode === "ipvs") this.checkLater();
    // Either may come last, and bring nothing at all.
    kernel.spawn(actor, async () => {
      await this.services.whenSynced();
      await this.slices.whenSynced();
      this.syncSoon();
    });
  }

  private warn(): void {
    const { nodeName: name } = this.options.config;
    const node = { kind: "Node", name, uid: name };
    const reason = "IPVSDeprecation";
    this.context.events.event(node, "Warning", reason, IPVS_DEPRECATED);
  }

  /** The rules stay: a proxy that dies does not take the Services along. */
  stop(): void {
    this.stopped = true;
    this.timer?.cancel();
    this.check?.cancel();
    this.health.stop();
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
    const first = this.syncedAtMs < 0;
    if (first && mode === "ipvs") this.warn();
    this.syncedAtMs = kernel.now();
    const ports = this.ports();
    const { namespace } = this.options;
    const { graceful, cleaned } = this;
    const mac = () => this.mac();
    const moment = { mac, nowMs: kernel.now(), graceful, cleaned };
    const rules = PROGRAM[mode](namespace, ports, config, moment);
    this.health.updated(ports);
    const subject = `${mode} ${ports.length} ports`;
    kernel.record(actor, "program", subject, "", { rules });
  }
  // endregion: sync

  /** Looks again and again for real servers that have ended. */
  private checkLater(): void {
    const { kernel, actor } = this.context;
    this.check = kernel.after(CHECK_MS, () => {
      this.checkLater();
      const { ipvs } = this.options.namespace;
      const now = kernel.now();
      for (const name of ipvs ? this.graceful.tryDelete(ipvs, now) : []) {
        const rules = ipvs!.lines(now);
        kernel.record(actor, "program", `ipvs deletes ${name}`, "", { rules });
      }
    });
  }

  /** A locally administered, unicast one, by chance. */
  private mac(): string {
    const { random } = this.context;
    const bytes = Array.from({ length: 5 }, () => random.int(256));
    const hex = bytes.map((byte) => byte.toString(16).padStart(2, "0"));
    return ["02", ...hex].join(":");
  }

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

/**
 * kube-proxy's HTTP servers. At port 10256 it tells how it is itself: /livez
 * of the process, /healthz also of its node, which load balancers ask so that
 * a node that is about to go gets no new connections. For each Service with
 * `externalTrafficPolicy: Local` it opens `healthCheckNodePort`: 200 where the
 * node has an endpoint, 503 where a packet would only be dropped.
 * Models:     pkg/proxy/healthcheck/{proxy_health,service_health}.go @ v1.36
 * Leaves out: the metrics server at port 10249; IPv6's share of the status.
 */
import type { Node } from "../api/kinds/node.ts";
import type { Kernel } from "../kernel/index.ts";
import {
  type HttpAnswer,
  type Listeners,
  NOT_FOUND,
} from "../network/listeners.ts";
import type { ServicePort } from "./service-ports.ts";

const HEALTHZ_PORT = 10_256;
/** How long changes may wait to be written, in ms: twice the sync period. */
const TIMEOUT_MS = 60_000;
const TO_BE_DELETED = "ToBeDeletedByClusterAutoscaler";
const NEVER = "0001-01-01T00:00:00Z";

export interface HealthOptions {
  readonly kernel: Kernel;
  readonly actor: string;
  /** The node's own. */
  readonly listeners: Listeners;
  /** The node that it runs on, as far as it knows. */
  readonly node: () => Node | undefined;
}

interface ServiceHealth {
  readonly namespace: string;
  readonly name: string;
  readonly port: number;
  readonly localEndpoints: number;
}

export class HealthServers {
  private readonly options: HealthOptions;
  private updatedAtMs: number | undefined;
  /** Since when changes wait; undefined: none does. */
  private queuedAtMs: number | undefined;
  /** By port. */
  private services = new Map<number, ServiceHealth>();

  constructor(options: HealthOptions) {
    this.options = options;
    const pages: Readonly<Record<string, () => HttpAnswer>> = {
      "/healthz": () => this.healthz(),
      "/livez": () => this.livez(),
    };
    this.listen(HEALTHZ_PORT, (path) => pages[path]?.() ?? NOT_FOUND);
  }

  /** Something changed that the rules do not say yet. */
  queuedUpdate(): void {
    this.queuedAtMs ??= this.options.kernel.now();
  }

  // region: updated
  /** The rules are as these ports want them. */
  updated(ports: readonly ServicePort[]): void {
    this.queuedAtMs = undefined;
    this.updatedAtMs = this.options.kernel.now();
    const before = this.services;
    this.services = serviceHealths(ports);
    for (const port of before.keys()) {
      if (!this.services.has(port)) this.options.listeners.delete(port);
    }
    for (const port of this.services.keys()) {
      if (!before.has(port)) this.listen(port, () => this.serviceHealth(port));
    }
  }
  // endregion: updated

  /** The process ends: nobody listens any more. */
  stop(): void {
    for (const port of [HEALTHZ_PORT, ...this.services.keys()]) {
      this.options.listeners.delete(port);
    }
  }

  private listen(port: number, get: (path: string) => HttpAnswer): void {
    const { listeners, actor } = this.options;
    listeners.set(port, { actor, get });
  }

  private get isHealthy(): boolean {
    // One that has not written anything yet is starting up.
    if (this.updatedAtMs === undefined || this.queuedAtMs === undefined) {
      return true;
    }
    return this.options.kernel.now() - this.queuedAtMs < TIMEOUT_MS;
  }

  private healthz(): HttpAnswer {
    const nodeEligible = isEligible(this.options.node());
    return this.proxyHealth(this.isHealthy && nodeEligible, { nodeEligible });
  }

  private livez(): HttpAnswer {
    return this.proxyHealth(this.isHealthy, {});
  }

  private proxyHealth(ok: boolean, more: object): HttpAnswer {
    const time = (atMs?: number) => this.timeOf(atMs);
    const { isHealthy: healthy, updatedAtMs } = this;
    const currentTime = time(this.options.kernel.now());
    const own = { lastUpdated: time(updatedAtMs), healthy };
    return jsonAnswer(ok, {
      // A healthy one is as good as up to date.
      lastUpdated: ok ? currentTime : own.lastUpdated,
      ...{ currentTime, ...more, healthy },
      status: updatedAtMs === undefined ? undefined : { IPv4: own },
    });
  }

  private serviceHealth(port: number): HttpAnswer {
    const { namespace, name, localEndpoints } = this.services.get(port)!;
    const { isHealthy: serviceProxyHealthy } = this;
    const service = { namespace, name };
    const body = { service, localEndpoints, serviceProxyHealthy };
    const ok = localEndpoints > 0 && serviceProxyHealthy;
    const weight = { "X-Load-Balancing-Endpoint-Weight": `${localEndpoints}` };
    return jsonAnswer(ok, body, "\t", weight);
  }

  /** As Go writes it: no zeros at the end. */
  private timeOf(atMs?: number): string {
    if (atMs === undefined) return NEVER;
    const text = this.options.kernel.microTimestamp(atMs);
    return text.replace(/\.?0*Z$/, "Z");
  }
}

function isEligible(node: Node | undefined): boolean {
  if (!node || node.metadata.deletionTimestamp) return false;
  return !node.spec?.taints?.some(({ key }) => key === TO_BE_DELETED);
}

function jsonAnswer(
  ok: boolean,
  body: object,
  indent = "",
  more: HttpAnswer["headers"] = {},
): HttpAnswer {
  const type = "application/json";
  const safe = { "X-Content-Type-Options": "nosniff" };
  return {
    status: ok ? 200 : 503,
    headers: { "Content-Type": type, ...safe, ...more },
    body: JSON.stringify(body, null, indent),
  };
}

/** Of a Service with several ports, an endpoint counts once. */
function serviceHealths(ports: readonly ServicePort[]) {
  const addresses = new Map<number, Set<string>>();
  const found = new Map<number, ServiceHealth>();
  for (const each of ports) {
    const { healthCheckNodePort: port, namespace, service: name } = each;
    if (port === 0) continue;
    const ready = each.endpoints.filter((one) => one.isLocal && one.ready);
    const ips = ready.map(({ ip }) => ip);
    const all = new Set([...(addresses.get(port) ?? []), ...ips]);
    addresses.set(port, all);
    found.set(port, { namespace, name, port, localEndpoints: all.size });
  }
  return found;
}

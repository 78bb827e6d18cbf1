/**
 * The agent's HTTP servers, which stand in for kube-proxy's: load balancers
 * ask them where a Service with `externalTrafficPolicy: Local` has endpoints,
 * and at port 10256 whether the node can take connections at all.
 * Models:     cilium pkg/loadbalancer/healthserver, and kubeproxy_healthz.go
 *             with kubeProxyReplacementHealthzBindAddr 0.0.0.0:10256
 * Leaves out: the health server at the load balancer's own address.
 */
import type { EndpointSlice } from "../../api/kinds/endpointslice.ts";
import type { Service } from "../../api/kinds/service.ts";
import type { ComponentContext } from "../../client/component.ts";
import type { HttpAnswer, Listeners } from "../../network/listeners.ts";
import { localBackends } from "./maps.ts";

const HEALTHZ_PORT = 10_256;

export class CiliumHealth {
  private readonly context: ComponentContext;
  private readonly listeners: Listeners;
  private ports: readonly number[] = [];

  constructor(context: ComponentContext, listeners: Listeners) {
    this.context = context;
    this.listeners = listeners;
  }

  /** Listens for these Services, and for no others any more. */
  sync(
    services: readonly Service[],
    slices: readonly EndpointSlice[],
    node: string,
  ): void {
    this.stop();
    const listen = (port: number, get: () => HttpAnswer) => {
      this.listeners.set(port, { actor: this.context.actor, get });
      this.ports = [...this.ports, port];
    };
    listen(HEALTHZ_PORT, () => this.healthz());
    for (const service of services) {
      const { healthCheckNodePort: port, externalTrafficPolicy } = service.spec;
      if (!port || externalTrafficPolicy !== "Local") continue;
      const count = localBackends(service, slices, node);
      listen(port, () => serviceHealth(service, count));
    }
  }

  stop(): void {
    for (const port of this.ports) this.listeners.delete(port);
    this.ports = [];
  }

  private healthz(): HttpAnswer {
    const text = this.context.kernel.microTimestamp();
    const now = `${text.replace("T", " ").replace(/\.?0*Z$/, "")} +0000 UTC`;
    return answer(true, `{"lastUpdated": "${now}","currentTime": "${now}"}`);
  }
}

function serviceHealth({ metadata }: Service, count: number): HttpAnswer {
  const { namespace, name } = metadata;
  const said = { service: { namespace, name }, localEndpoints: count };
  const weight = { "X-Load-Balancing-Endpoint-Weight": `${count}` };
  return answer(count > 0, `${JSON.stringify(said)}\n`, weight);
}

function answer(
  ok: boolean,
  body: string,
  more: HttpAnswer["headers"] = {},
): HttpAnswer {
  const type = "application/json";
  const headers = { "Content-Type": type, "X-Content-Type-Options": "nosniff" };
  return { status: ok ? 200 : 503, headers: { ...headers, ...more }, body };
}

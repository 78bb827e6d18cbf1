/**
 * What a cloud does for a cluster: machines, load balancers, routes. A real
 * provider calls its API; the simulated one keeps it all in memory.
 * Models: staging/src/k8s.io/cloud-provider/cloud.go @ v1.36
 */
import type { Node } from "../api/kinds/node.ts";
import type { Service } from "../api/kinds/service.ts";
import type {
  LoadBalancerIngress,
  ServicePort,
} from "../api/kinds/types/service.ts";
import { keyOf } from "../api/types.ts";
import type { Kernel } from "../kernel/index.ts";

export interface Instance {
  /** `sim://zone-a/node-1`. */
  readonly providerId: string;
  readonly instanceType: string;
  readonly zone: string;
  readonly region: string;
  readonly addresses: readonly {
    readonly type: string;
    readonly address: string;
  }[];
  readonly isShutdown: boolean;
}

export interface Route {
  readonly node: string;
  /** Pods behind it: `10.244.1.0/24`. */
  readonly destination: string;
}

/** All calls take simulated time. They throw when the cloud refuses. */
export interface CloudProvider {
  /** The machine of a Node; undefined if there is none any more. */
  instanceOf(node: Node): Promise<Instance | undefined>;
  /** Makes the load balancer as it should be; returns its addresses. */
  ensureLoadBalancer(
    service: Service,
    nodes: readonly Node[],
  ): Promise<readonly LoadBalancerIngress[]>;
  updateLoadBalancer(service: Service, nodes: readonly Node[]): Promise<void>;
  deleteLoadBalancer(service: Service): Promise<void>;
  listRoutes(): Promise<readonly Route[]>;
  createRoute(route: Route): Promise<void>;
  deleteRoute(route: Route): Promise<void>;
}

/**
 * How a balancer hands over what it gets. VIP: as it is, to a node that knows
 * the address. Proxy: from itself, to a node's own address and node port.
 */
export type IpMode = "VIP" | "Proxy";

export interface LoadBalancer {
  readonly address: string;
  readonly ipMode: IpMode;
  readonly ports: readonly ServicePort[];
  /** Names of the Nodes that it may send traffic to. */
  readonly nodes: readonly string[];
  /** What it asks each of them, again and again: 200 is a yes. */
  readonly healthCheck: { readonly port: number; readonly path: string };
  /** Clients that it lets in; empty: all. */
  readonly sourceRanges: readonly string[];
  /** A client's connections all go to one node. */
  readonly clientAffinity: boolean;
}

/** kube-proxy's own, which tells of the node and of no Service. */
const HEALTHZ_PORT = 10_256;
/** How long a call to the cloud takes, in ms. */
const CALL_MS = 400;
const LOAD_BALANCER_MS = 3_000;

/** A cloud in memory. A scenario takes machines away, a figure shows it. */
export class SimulatedCloud implements CloudProvider {
  readonly instances = new Map<string, Instance>();
  readonly loadBalancers = new Map<string, LoadBalancer>();
  readonly routes = new Map<string, Route>();
  /** Hears of each load balancer that is new or changed, by its key. */
  onLoadBalancer: ((key: string) => void) | undefined;
  private readonly kernel: Kernel;
  private readonly ipMode: IpMode;
  private nextAddress = 10;

  constructor(kernel: Kernel, ipMode: IpMode = "VIP") {
    this.kernel = kernel;
    this.ipMode = ipMode;
  }

  async instanceOf({ metadata }: Node): Promise<Instance | undefined> {
    await this.kernel.sleep(CALL_MS);
    return this.instances.get(metadata.name);
  }

  async ensureLoadBalancer(
    service: Service,
    nodes: readonly Node[],
  ): Promise<readonly LoadBalancerIngress[]> {
    const key = keyOf(service);
    const known = this.loadBalancers.get(key);
    await this.kernel.sleep(known ? CALL_MS : LOAD_BALANCER_MS);
    const address = known?.address ?? `198.51.100.${this.nextAddress++}`;
    const names = nodes.map(({ metadata }) => metadata.name);
    const { ipMode } = this;
    const its = { address, ipMode, nodes: names, ...settingsOf(service) };
    this.loadBalancers.set(key, its);
    this.tell(
      `EnsureLoadBalancer ${key}: ${address} to ${names.toSorted().join(", ")}`,
    );
    this.onLoadBalancer?.(key);
    return [{ ip: address, ipMode }];
  }

  async updateLoadBalancer(
    service: Service,
    nodes: readonly Node[],
  ): Promise<void> {
    await this.ensureLoadBalancer(service, nodes);
  }

  async deleteLoadBalancer(service: Service): Promise<void> {
    await this.kernel.sleep(CALL_MS);
    this.loadBalancers.delete(keyOf(service));
    this.tell(`DeleteLoadBalancer ${keyOf(service)}`);
  }

  async listRoutes(): Promise<readonly Route[]> {
    await this.kernel.sleep(CALL_MS);
    return [...this.routes.values()];
  }

  async createRoute(route: Route): Promise<void> {
    await this.kernel.sleep(CALL_MS);
    this.routes.set(route.destination, route);
    this.tell(`CreateRoute ${route.destination} to ${route.node}`);
  }

  async deleteRoute({ destination }: Route): Promise<void> {
    await this.kernel.sleep(CALL_MS);
    this.routes.delete(destination);
    this.tell(`DeleteRoute ${destination}`);
  }

  /** What it did goes into the trace, under the call's name in `cloud.go`. */
  private tell(what: string): void {
    this.kernel.record("cloud", "cloud", what);
  }
}

/** Policy Local has a question of its own: is there an endpoint here? */
function settingsOf({ spec }: Service) {
  const { externalTrafficPolicy, healthCheckNodePort = 0 } = spec;
  const { ports = [], loadBalancerSourceRanges: sourceRanges = [] } = spec;
  const asksService = externalTrafficPolicy === "Local" && healthCheckNodePort;
  const port = asksService ? healthCheckNodePort : HEALTHZ_PORT;
  const clientAffinity = spec.sessionAffinity === "ClientIP";
  const healthCheck = { port, path: "/healthz" };
  return { ports, sourceRanges, clientAffinity, healthCheck };
}

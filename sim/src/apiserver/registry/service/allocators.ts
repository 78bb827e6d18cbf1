/** Which addresses and ports of Services are in use: all that are stored. */
import { list, num, obj, strings } from "../../../api/kinds/access.ts";
import type { Obj } from "../../../api/kinds/definition.ts";
import type { KubeObject } from "../../../api/types.ts";
import type { Random } from "../../../kernel/index.ts";
import type { WatchCache } from "../watch-cache.ts";
import { IpAllocator } from "./ip-allocator.ts";
import { PortAllocator } from "./port-allocator.ts";

export class ServiceAllocators {
  readonly addresses: IpAllocator;
  readonly ports: PortAllocator;

  constructor(cidr: string, random: Random, services: WatchCache) {
    this.addresses = new IpAllocator(cidr, random.fork("cluster-ip"));
    this.ports = new PortAllocator(random.fork("node-port"));
    for (const one of services.values()) this.mark(one);
    services.onChange(({ type, object, prev }) => {
      // What another server gave out is in use here too.
      if (prev) this.release(prev);
      if (type !== "DELETED") this.mark(object);
    });
  }

  private mark(service: KubeObject): void {
    const { addresses, ports } = held(service);
    for (const address of addresses) this.addresses.mark(address);
    for (const port of ports) this.ports.mark(port);
  }

  private release(service: KubeObject): void {
    const { addresses, ports } = held(service);
    for (const address of addresses) this.addresses.release(address);
    for (const port of ports) this.ports.release(port);
  }
}

/** Addresses and ports that a stored Service has. */
function held(service: KubeObject) {
  const spec = obj((service as Obj).spec);
  const addresses = strings(spec.clusterIPs).filter((ip) => ip !== "None");
  const ports = list(spec.ports).map(({ nodePort }) => num(nodePort));
  ports.push(num(spec.healthCheckNodePort));
  return { addresses, ports: ports.filter((port) => port > 0) };
}

/** A cloud with a machine for each node of the scenario. */
import { type IpMode, SimulatedCloud } from "../cloud/provider.ts";
import type { Kernel } from "../kernel/index.ts";
import type { NodeSetup } from "./node.ts";

export function cloudFor(
  kernel: Kernel,
  nodes: readonly NodeSetup[],
  ipMode: IpMode = "VIP",
): SimulatedCloud {
  const cloud = new SimulatedCloud(kernel, ipMode);
  for (const { name, address, labels = {} } of nodes) {
    const zone = labels["topology.kubernetes.io/zone"] ?? "zone-a";
    cloud.instances.set(name, {
      providerId: `sim://${zone}/${name}`,
      instanceType: "sim.medium",
      zone,
      region: labels["topology.kubernetes.io/region"] ?? "region-1",
      addresses: [
        { type: "InternalIP", address },
        { type: "Hostname", address: name },
      ],
      isShutdown: false,
    });
  }
  return cloud;
}

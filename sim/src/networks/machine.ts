/**
 * What an agent of a network provider finds on its node: the disk, the
 * network namespaces, and a runtime that looks at /etc/cni/net.d again.
 */
import type { Disk } from "../kernel/disk.ts";
import type { NodeNetwork } from "../network/node-network.ts";

export interface Machine {
  /** The node's name. */
  readonly name: string;
  /** The node's own address. */
  readonly address: string;
  readonly disk: Disk;
  readonly network: NodeNetwork;
  /** Tells the runtime that a file of /etc/cni/net.d has changed. */
  readonly reloadCni: () => void;
}

/** How Pods' packets travel between nodes. none: by the nodes' own routes. */
export type Encapsulation = "vxlan" | "ipip" | "none";

export const NET_D = "/etc/cni/net.d";

/** Writes the network configuration, as a provider's install step does. */
export function installCni(
  machine: Machine,
  file: string,
  conf: { readonly cniVersion: string; readonly plugins: readonly object[] },
): void {
  const path = `${NET_D}/${file}`;
  if (machine.disk.exists(path)) return;
  machine.disk.write(path, `${JSON.stringify(conf, null, 2)}\n`);
  machine.reloadCni();
}

/**
 * net-conf.json: what flanneld is told about the network and its backend. In
 * a cluster it is a key of the ConfigMap kube-flannel-cfg, mounted here.
 * Models:     flannel pkg/subnet/config.go, pkg/backend @ v0.28
 * Leaves out: IPv6; wireguard, udp and the clouds' backends; nftables.
 */
import { parseCidr } from "../../network/ip.ts";
import type { Encapsulation, Machine } from "../machine.ts";

export const NET_CONF = "/etc/kube-flannel/net-conf.json";

export interface BackendConf {
  readonly Type: string;
  readonly VNI?: number;
  /** Of the outer packets; 0: the kernel's own. */
  readonly Port?: number;
  /** Of the node's interface; absent: as it is. */
  readonly MTU?: number;
  /** vxlan, ipip: without a tunnel to nodes of the same segment. */
  readonly DirectRouting?: boolean;
}

export interface NetConf {
  /** Addresses of all Pods. */
  readonly Network: string;
  readonly Backend: BackendConf;
}

const TYPES: Readonly<Record<Encapsulation, string>> = {
  ...{ vxlan: "vxlan", ipip: "ipip", none: "host-gw" },
};
const KNOWN = Object.values(TYPES);

/** Writes the file unless it is there. */
export function layNetConf(
  { disk }: Machine,
  network: string,
  encapsulation: Encapsulation,
): void {
  if (disk.exists(NET_CONF)) return;
  const Backend = { Type: TYPES[encapsulation] };
  const conf = { Network: network, EnableNFTables: false, Backend };
  disk.write(NET_CONF, `${JSON.stringify(conf, null, 2)}\n`);
}

/** Throws why flanneld cannot work with it. */
export function readNetConf({ disk }: Machine): NetConf {
  let conf: { Network?: string; Backend?: Partial<BackendConf> };
  try {
    conf = JSON.parse(String(disk.read(NET_CONF)));
  } catch (error) {
    throw new Error(
      `error parsing subnet config: error decoding config: ${(error as Error).message}`,
    );
  }
  const { Network = "", Backend = {} } = conf;
  if (!parseCidr(Network)) {
    throw new Error(
      "error parsing subnet config: please define a correct Network parameter in the flannel config",
    );
  }
  // Nothing said is udp, which is there for debugging.
  const { Type = "udp" } = Backend;
  if (!KNOWN.includes(Type)) {
    throw new Error(
      `Error fetching backend: unknown backend type: ${Type} (the simulator knows ${KNOWN.join(", ")})`,
    );
  }
  return { Network, Backend: { ...Backend, Type } };
}

/**
 * calico: a veth for the Pod with an address of its own (/32), a route to it
 * on the node, and no bridge. The Pod's gateway 169.254.1.1 is nobody: the
 * node's end of the veth answers for every address (proxy ARP).
 * Models:     projectcalico/calico cni-plugin/pkg/dataplane/linux @ v3.31
 * Leaves out: IPv6, bandwidth, the WorkloadEndpoint object.
 */

import { caliName } from "../../network/calico.ts";
import { execPlugin } from "../exec.ts";
import { type CniArgs, plugin } from "../spec.ts";
import type { NetConf } from "../types.ts";
import { ALL_VERSIONS } from "../version.ts";
import { openNetns } from "./netns.ts";

interface CalicoConf extends NetConf {
  /** Bytes. */
  readonly mtu?: number;
}

const GATEWAY = "169.254.1.1";
/** The same on every node and for every Pod: nobody else is on the link. */
const HOST_MAC = "ee:ee:ee:ee:ee:ee";

export const calico = plugin<CalicoConf>({
  name: "Calico",
  versions: ALL_VERSIONS,
  add(args) {
    const { conf, host, ifname, env } = args;
    const netns = openNetns(args);
    const given = execPlugin(host, conf.ipam?.type ?? "", env, conf);
    const [ip] = given?.ips ?? [];
    if (!ip) throw new Error("IPAM plugin returned missing IP config");
    const { root } = host.network;
    const name = hostEnd(args);
    root.removeLink(name);
    const mtu = conf.mtu ?? 1500;
    const pair = host.network.addVeth(netns, ifname, name, mtu);
    const { inside, outside } = pair;
    outside.mac = HOST_MAC;
    outside.proxyArp = true;
    netns.addAddress(inside, ip.address);
    const link = { device: ifname, scope: "link" } as const;
    netns.addRoute({ destination: `${GATEWAY}/32`, ...link });
    const gateway = GATEWAY;
    netns.addRoute({ destination: "0.0.0.0/0", gateway, device: ifname });
    const destination = ip.address;
    root.addRoute({ destination, device: name, scope: "link" });
    const interfaces = [{ name, mac: outside.mac }];
    return { interfaces, ips: [{ address: ip.address }] };
  },
  del(args) {
    const { conf, host, env } = args;
    if (conf.ipam?.type) execPlugin(host, conf.ipam.type, env, conf);
    const netns = args.netns ? host.network.namespace(args.netns) : undefined;
    netns?.removeLink(args.ifname);
  },
  check(args) {
    if (openNetns(args).links.has(args.ifname)) return;
    throw new Error(`interface ${args.ifname} not found`);
  },
});

function hostEnd({ env }: CniArgs): string {
  const pairs = (env.CNI_ARGS ?? "").split(";").map((pair) => pair.split("="));
  const values = new Map(pairs.map(([name = "", value = ""]) => [name, value]));
  const namespace = values.get("K8S_POD_NAMESPACE") ?? "";
  return caliName(namespace, values.get("K8S_POD_NAME") ?? "");
}

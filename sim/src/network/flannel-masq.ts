/**
 * The rules that flanneld writes on every node: what leaves the Pod network
 * takes the node's address, what stays inside keeps its own; and both may
 * pass through the node.
 * Models: flannel pkg/trafficmngr/iptables @ v0.28
 */
import type { NetworkNamespace } from "./namespace.ts";

/** `network`: of all Pods. `subnet`: of this node's. */
export function addFlannelRules(
  node: NetworkNamespace,
  network: string,
  subnet: string,
): void {
  const { iptables } = node;
  const comment = '-m comment --comment "flanneld masq"';
  const chain = "FLANNEL-POSTRTG";
  iptables.ensureRule("nat", "POSTROUTING", `${comment} -j ${chain}`);
  iptables.setChain("nat", chain, [
    `-m mark --mark 0x4000/0x4000 ${comment} -j RETURN`,
    `-s ${subnet} -d ${network} ${comment} -j RETURN`,
    `-s ${network} -d ${subnet} ${comment} -j RETURN`,
    `! -s ${network} -d ${subnet} ${comment} -j RETURN`,
    `-s ${network} ! -d 224.0.0.0/4 ${comment} -j MASQUERADE --random-fully`,
    `! -s ${network} -d ${network} ${comment} -j MASQUERADE --random-fully`,
  ]);
  const forward = '-m comment --comment "flanneld forward"';
  iptables.ensureRule("filter", "FORWARD", `${forward} -j FLANNEL-FWD`);
  iptables.setChain("filter", "FLANNEL-FWD", [
    `-s ${network} ${forward} -j ACCEPT`,
    `-d ${network} ${forward} -j ACCEPT`,
  ]);
}

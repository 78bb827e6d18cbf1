/**
 * ipMasq: packets of the Pod that leave the Pod network take the node's
 * address as their source.
 * Models: containernetworking/plugins pkg/ip/ipmasq_iptables_linux.go, pkg/utils
 */

import { sha512Hex } from "../../api/sha2.ts";
import { formatNetwork, parseCidr } from "../../network/ip.ts";
import type { CniArgs } from "../spec.ts";
import type { CniResult } from "../types.ts";

/** `CNI-` and the start of a hash: chain names have 28 letters at most. */
export function chainName(network: string, id: string, prefix = ""): string {
  return `CNI-${prefix}${sha512Hex(network + id, 32)}`.slice(0, 28);
}

export function commentOf(network: string, id: string): string {
  return `name: \\"${network}\\" id: \\"${id}\\"`;
}

export function addMasquerade(args: CniArgs, result: CniResult): void {
  const { iptables } = args.host.network.root;
  const { chain, comment } = namesOf(args);
  for (const { address } of result.ips ?? []) {
    if (address.includes(":")) continue;
    const network = formatNetwork(parseCidr(address)!);
    const accept = `-d ${network} ${comment} -j ACCEPT`;
    const masquerade = `! -d 224.0.0.0/4 ${comment} -j MASQUERADE`;
    iptables.ensureRule("nat", chain, accept);
    iptables.ensureRule("nat", chain, masquerade);
    const jump = `-s ${address.split("/")[0]}/32 ${comment} -j ${chain}`;
    iptables.ensureRule("nat", "POSTROUTING", jump);
  }
}

/** `addresses`: those that the Pod's interface had. */
export function removeMasquerade(
  args: CniArgs,
  addresses: readonly { ip: string }[],
): void {
  const { iptables } = args.host.network.root;
  const { chain, comment } = namesOf(args);
  for (const { ip } of addresses) {
    const jump = `-s ${ip}/32 ${comment} -j ${chain}`;
    iptables.deleteRule("nat", "POSTROUTING", jump);
  }
  iptables.deleteChain("nat", chain);
}

function namesOf({ conf, containerId }: CniArgs) {
  const name = conf.name ?? "";
  return {
    chain: chainName(name, containerId),
    comment: `-m comment --comment "${commentOf(name, containerId)}"`,
  };
}

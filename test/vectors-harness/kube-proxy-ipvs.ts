/** Replays kube-proxy-ipvs.json: virtual servers, ip sets, iptables rules. */
import { ipvsRules, type VirtualServer } from "../../sim/src/kube-proxy/ipvs.ts";
import type { Result, VectorFile } from "./harness.ts";
import { casesOf, Tally } from "./harness.ts";
import { byChain, CONFIG, type ProxyCase, portsOf } from "./kube-proxy-case.ts";

interface Case extends ProxyCase {
  virtualServers: (Omit<VirtualServer, "realServers"> & { realServers: string[] | null })[];
  ipsets: Record<string, string[]>;
  kubeIpvs0Addresses: string[] | null;
  iptablesRestore: string[];
}

export function replay(file: VectorFile): Result {
  const tally = new Tally();
  for (const c of casesOf<Case>(file)) tally.same(c.case, () => run(c), recorded(c));
  return tally.result();
}

function recorded({ virtualServers, ipsets, kubeIpvs0Addresses, iptablesRestore }: Case) {
  return {
    virtualServers: asSet(virtualServers),
    ipsets: Object.fromEntries(Object.entries(ipsets).map(([name, set]) => [name, set.toSorted()])),
    addresses: (kubeIpvs0Addresses ?? []).toSorted(),
    iptables: byChain(iptablesRestore),
  };
}

function run(c: Case) {
  const { virtualServers, ipsets, addresses, iptables } = ipvsRules(
    portsOf(c, CONFIG.nodeName),
    CONFIG,
  );
  return {
    virtualServers: asSet(virtualServers),
    ipsets,
    addresses: addresses.toSorted(),
    iptables: byChain(iptables),
  };
}

function asSet(servers: readonly { realServers: readonly string[] | null }[]): string[] {
  const shown = servers.map((server) => {
    const full = { ...server, realServers: (server.realServers ?? []).toSorted() };
    return JSON.stringify(Object.entries(full).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  });
  return shown.toSorted();
}

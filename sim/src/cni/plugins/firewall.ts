/**
 * firewall: lets the Pod's packets through on a node whose FORWARD chain
 * would drop them. A chained plugin.
 * Models:     containernetworking/plugins plugins/meta/firewall (iptables) @ v1.9
 * Leaves out: the firewalld backend, ingressPolicy.
 */
import { parseResult } from "../result.ts";
import { type CniArgs, plugin } from "../spec.ts";
import type { CniResult, NetConf } from "../types.ts";
import { versionsFrom } from "../version.ts";

interface FirewallConf extends NetConf {
  /** Chain of the administrator's own rules; CNI-ADMIN unless said. */
  readonly iptablesAdminChainName?: string;
}

const FORWARD = "CNI-FORWARD";

export const firewall = plugin<FirewallConf>({
  name: "firewall",
  versions: versionsFrom("0.4.0"),
  add(args) {
    const result = parseResult(args.conf.prevResult);
    if (!result) throw new Error("missing prevResult from earlier plugin");
    ensureChains(args);
    const { iptables } = args.host.network.root;
    for (const rule of rulesFor(result)) {
      iptables.ensureRule("filter", FORWARD, rule);
    }
    return result;
  },
  del(args) {
    const result = parseResult(args.conf.prevResult);
    const { iptables } = args.host.network.root;
    for (const rule of result ? rulesFor(result) : []) {
      iptables.deleteRule("filter", FORWARD, rule);
    }
  },
  check(args) {
    const result = parseResult(args.conf.prevResult);
    if (!result) throw new Error("missing prevResult from earlier plugin");
    const rules = args.host.network.root.iptables.chain("filter", FORWARD);
    for (const rule of rulesFor(result)) {
      if (rules?.includes(rule)) continue;
      throw new Error(`expected rule not found in chain ${FORWARD}: ${rule}`);
    }
  },
});

function ensureChains({ conf, host }: CniArgs<FirewallConf>): void {
  const { iptables } = host.network.root;
  const admin = conf.iptablesAdminChainName ?? "CNI-ADMIN";
  const comment = (text: string) => `-m comment --comment "${text}"`;
  iptables.ensureChain("filter", admin);
  const enter = `${comment("CNI firewall plugin rules")} -j ${FORWARD}`;
  iptables.ensureRule("filter", "FORWARD", enter, "insert");
  const ask = `${comment("CNI firewall plugin admin overrides")} -j ${admin}`;
  iptables.ensureRule("filter", FORWARD, ask, "insert");
}

/** In: answers only. Out: everything. */
function rulesFor(result: CniResult): string[] {
  const v4 = (result.ips ?? []).filter((ip) => !ip.address.includes(":"));
  return v4.flatMap(({ address }) => {
    const host = `${address.split("/")[0]}/32`;
    return [
      `-d ${host} -m conntrack --ctstate RELATED,ESTABLISHED -j ACCEPT`,
      `-s ${host} -j ACCEPT`,
    ];
  });
}

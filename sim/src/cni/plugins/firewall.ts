/**
 * firewall: lets the Pod's packets through on a node whose FORWARD chain
 * would drop them. A chained plugin.
 * Models:     containernetworking/plugins plugins/meta/firewall (iptables) @ v1.9
 * Leaves out: the firewalld backend, IPv6.
 */
import { parseResult } from "../result.ts";
import { type CniArgs, plugin } from "../spec.ts";
import type { CniResult, NetConf } from "../types.ts";
import { versionsFrom } from "../version.ts";
import { checkIngressPolicy, setupIngressPolicy } from "./firewall-ingress.ts";

interface FirewallConf extends NetConf {
  /** Chain of the administrator's own rules; CNI-ADMIN unless said. */
  readonly iptablesAdminChainName?: string;
  readonly ingressPolicy?: string;
}

const FORWARD = "CNI-FORWARD";
const ADMIN = "CNI-ADMIN";

export const firewall = plugin<FirewallConf>({
  name: "firewall",
  versions: versionsFrom("0.4.0"),
  add(args) {
    const result = parseResult(args.conf.prevResult);
    if (!result) throw new Error("missing prevResult from earlier plugin");
    const { iptables } = args.host.network.root;
    const rules = rulesFor(result);
    if (rules.length > 0) ensureChains(args);
    for (const rule of rules) iptables.ensureRule("filter", FORWARD, rule);
    setupIngressPolicy(iptables, args.conf.ingressPolicy ?? "", result);
    return result;
  },
  del(args) {
    const result = parseResult(args.conf.prevResult);
    const { iptables } = args.host.network.root;
    for (const rule of result ? rulesFor(result) : []) {
      iptables.deleteRule("filter", FORWARD, rule);
    }
    // Other Pods may need what the policy made.
    checkIngressPolicy(args.conf.ingressPolicy ?? "");
  },
  check(args) {
    const result = parseResult(args.conf.prevResult);
    if (!result) throw new Error("missing prevResult from earlier plugin");
    const rules = rulesFor(result);
    if (rules.length === 0) return;
    const { iptables } = args.host.network.root;
    const has = (chain: string, rule: string) =>
      iptables.chain("filter", chain)?.includes(rule);
    for (const [chain, rule] of jumpsOf(args.conf)) {
      if (has(chain, rule)) continue;
      throw new Error(`expected ${chain} rule [${bare(rule)}] not found`);
    }
    for (const rule of rules) {
      if (has(FORWARD, rule)) continue;
      throw new Error(`expected rule [${rule}] not found`);
    }
  },
});

/** As the plugin has the rule: words, without quotation marks. */
function bare(rule: string): string {
  return rule.replaceAll('"', "");
}

function jumpsOf({ iptablesAdminChainName: admin }: FirewallConf) {
  const comment = (text: string) => `-m comment --comment "${text}"`;
  const enter = `${comment("CNI firewall plugin rules")} -j ${FORWARD}`;
  const ask = `${comment("CNI firewall plugin admin overrides")} -j ${admin || ADMIN}`;
  return [
    ["FORWARD", enter],
    [FORWARD, ask],
  ] as const;
}

function ensureChains({ conf, host }: CniArgs<FirewallConf>): void {
  const { iptables } = host.network.root;
  iptables.ensureChain("filter", conf.iptablesAdminChainName || ADMIN);
  for (const [chain, rule] of jumpsOf(conf)) {
    iptables.ensureRule("filter", chain, rule, "insert");
  }
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

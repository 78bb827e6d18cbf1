/**
 * The modes of kube-proxy: how each brings the same ports into a node's
 * kernel, and which settings are refused.
 * Models: cmd/kube-proxy/app, pkg/proxy/apis/config/validation @ v1.36
 */
import { SCHEDULERS } from "../network/ipvs-schedulers.ts";
import type { NetworkNamespace } from "../network/namespace.ts";
import { Nftables } from "../network/nftables.ts";
import type { ProxyConfig } from "./config.ts";
import { installRules } from "./install.ts";
import { iptablesRestore, iptablesRules, isLarge } from "./iptables.ts";
import { JUMPS } from "./iptables-external.ts";
import { ipvsRules } from "./ipvs.ts";
import { installIpvs, type Moment } from "./ipvs-install.ts";
import { nftablesBase, nftablesRules } from "./nftables.ts";
import type { ServicePort } from "./service-ports.ts";

export type ProxyMode = "iptables" | "nftables" | "ipvs";

/** What a blank mode means on Linux, still in 1.36. */
export const BEST: ProxyMode = "iptables";

/** `--iptables-sync-period` */
const SYNC_PERIOD_MS = 30_000;

type Program = (
  node: NetworkNamespace,
  ports: readonly ServicePort[],
  config: ProxyConfig,
  moment: Moment,
) => readonly string[];

/** Each returns what the node's tools show then. */
export const PROGRAM: Readonly<Record<ProxyMode, Program>> = {
  iptables(node, ports, config, { cleaned, nowMs }) {
    const rules = iptablesRules(ports, config);
    // To find what is not needed takes its time where there is much.
    const cleans = !isLarge(ports) || nowMs - cleaned.atMs > SYNC_PERIOD_MS;
    if (cleans) cleaned.atMs = nowMs;
    installRules(node, rules, JUMPS, cleans);
    return iptablesRestore(rules);
  },
  nftables(node, ports, config) {
    const rules = [...nftablesBase(config), ...nftablesRules(ports, config)];
    node.nftables = new Nftables(node.nftables);
    node.nftables.load(rules);
    return rules;
  },
  ipvs(node, ports, config, moment) {
    return installIpvs(node, ipvsRules(ports, config), moment);
  },
};

const PATH = "KubeProxyConfiguration";

/** What is wrong with the settings; "" if nothing is. */
export function configProblem(mode: string, scheduler: string): string {
  if (mode !== "" && !isMode(mode)) {
    return `${PATH}.ProxyMode: Invalid value: "${mode}": must be iptables, ipvs, nftables or blank (blank means the best-available proxy [currently ${BEST}])`;
  }
  if (mode !== "ipvs" || scheduler === "") return "";
  if (Object.hasOwn(SCHEDULERS, scheduler)) return "";
  return `${PATH}.KubeProxyIPVSConfiguration.Scheduler.Scheduler: Invalid value: "${scheduler}": must be in [${Object.keys(SCHEDULERS).join(" ")} ], blank means the default algorithm method (currently rr)`;
}

function isMode(mode: string): mode is ProxyMode {
  return Object.hasOwn(PROGRAM, mode);
}

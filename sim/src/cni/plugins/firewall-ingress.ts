/**
 * The firewall plugin's ingressPolicy: who may open connections to a Pod.
 * `same-bridge`: what comes from one bridge may not go out at another.
 * Models: containernetworking/plugins plugins/meta/firewall/ingresspolicy.go
 */
import { quote } from "../../api/go-text.ts";
import type { Iptables } from "../../network/iptables.ts";
import type { CniResult } from "../types.ts";

const STAGE_1 = "CNI-ISOLATION-STAGE-1";
const STAGE_2 = "CNI-ISOLATION-STAGE-2";
const COMMENT =
  '-m comment --comment "CNI firewall plugin rules (ingressPolicy: same-bridge)"';

export function setupIngressPolicy(
  iptables: Iptables,
  policy: string,
  { interfaces = [], ips = [] }: CniResult,
): void {
  checkIngressPolicy(policy);
  if (policy !== "same-bridge") return;
  const bridge = interfaces[0]?.name;
  if (bridge === undefined) {
    const chain = 'make sure to chain "firewall" plugin with "bridge"';
    throw new Error(
      `interface needs to be set for ingress policy "${policy}", ${chain}`,
    );
  }
  if (bridge === "") throw new Error("got empty bridge name");
  if (ips.some(({ address }) => !address.includes(":"))) {
    isolate(iptables, bridge);
  }
}

export function checkIngressPolicy(policy: string): void {
  if (["", "open", "same-bridge"].includes(policy)) return;
  throw new Error(`unknown ingress policy: ${quote(policy)}`);
}

function isolate(iptables: Iptables, bridge: string): void {
  const rule = (chain: string, text: string, where: "append" | "insert") =>
    iptables.ensureRule("filter", chain, text, where);
  for (const chain of [STAGE_1, STAGE_2]) iptables.ensureChain("filter", chain);
  // Ahead of CNI-FORWARD, which lets through.
  rule("FORWARD", `${COMMENT} -j ${STAGE_1}`, "insert");
  const out = `-i ${bridge} ! -o ${bridge} ${COMMENT} -j ${STAGE_2}`;
  rule(STAGE_1, out, "insert");
  rule(STAGE_1, `${COMMENT} -j RETURN`, "append");
  rule(STAGE_2, `-o ${bridge} ${COMMENT} -j DROP`, "insert");
  rule(STAGE_2, `${COMMENT} -j RETURN`, "append");
}

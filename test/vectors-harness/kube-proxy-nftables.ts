/** Replays kube-proxy-nftables.json: the base table and what Services add. */
import { nftablesBase, nftablesRules } from "../../sim/src/kube-proxy/nftables.ts";
import type { Result, VectorFile } from "./harness.ts";
import { casesOf, Tally } from "./harness.ts";
import { CONFIG, type ProxyCase, portsOf } from "./kube-proxy-case.ts";

interface Case extends ProxyCase {
  nft: string[];
}

export function replay(file: VectorFile): Result {
  const tally = new Tally();
  const base = casesOf<string>(file, "base");
  if (base.length > 0) tally.same("base", () => sorted(nftablesBase(CONFIG)), sorted(base));
  for (const c of casesOf<Case>(file)) {
    const run = () => sorted(nftablesRules(portsOf(c, CONFIG.nodeName), CONFIG));
    tally.same(c.case, run, sorted(c.nft));
  }
  return tally.result();
}

/** Rules in order within their chain; all else as a set. */
function sorted(lines: readonly string[]): Record<string, unknown> {
  const chains: Record<string, string[]> = {};
  const others: string[] = [];
  for (const line of lines) {
    const rule = /^add rule ip kube-proxy (\S+) (.*)$/.exec(line);
    if (rule) (chains[rule[1]!] ??= []).push(rule[2]!);
    else others.push(line);
  }
  return { ...chains, others: others.toSorted() };
}

/**
 * What becomes of many connections to one ClusterIP, rule by rule: the rules
 * as kube-proxy wrote them, in the tool's own words, and how many packets each
 * took. All of it from the trace of one run.
 */
import type { TraceEntry } from "@shikumi/sim";

export interface Rule {
  /** Without `-A CHAIN` and without comments. */
  readonly text: string;
  /** How many came to it; absent where all are asked at once. */
  readonly came?: number;
  readonly took: number;
  /** How many the ones above it in its chain took. */
  readonly before: number;
  /** Where it leads. */
  readonly inner?: Chain;
}

export interface Chain {
  readonly name: string;
  readonly rules: readonly Rule[];
}

export type Mode = "iptables" | "nftables" | "ipvs";

interface Met {
  readonly rules: readonly string[];
  readonly to: string;
}

/** The chains that connections to `ip:port` pass on the node of the client. */
export function chainsOf(
  entries: readonly TraceEntry[],
  { mode, node, ip, port }: { mode: Mode; node: string; ip: string; port: number },
): Chain {
  const written = entries.findLast(
    ({ verb, actor }) => verb === "program" && actor === `kube-proxy/${node}`,
  );
  const { rules = [] } = (written?.detail ?? {}) as { rules?: readonly string[] };
  const met = metOn(entries, `node ${node}`);
  if (mode === "nftables") return nftChain(rules, met, `${ip} . tcp . ${port}`);
  if (mode === "ipvs") return ipvsChain(rules, met, `TCP  ${ip}:${port}`);
  return iptablesChain(rules, met, "KUBE-SERVICES", (text) => text.includes(` ${ip} `));
}

/** What each connection's first packet met on the node, and where it ended. */
function metOn(entries: readonly TraceEntry[], place: string): Met[] {
  const all: { rules: string[]; to: string }[] = [];
  for (const { verb, detail } of entries) {
    const { do: deed } = (detail ?? {}) as { do?: string };
    if (verb === "input" && deed === "connect") all.push({ rules: [], to: "" });
    const one = all.at(-1);
    if (verb !== "packet" || !one) continue;
    const hop = detail as { way: string; place: string; rules: string[]; after?: { dst: string } };
    if (hop.way !== "request") continue;
    if (hop.place === place) one.rules.push(...hop.rules);
    if (hop.place.startsWith("pod ")) one.to = hop.after?.dst ?? one.to;
  }
  return all;
}

const took = (met: readonly Met[], test: (rule: string) => boolean) =>
  met.filter(({ rules }) => rules.some(test)).length;

/** Rules of a chain that a packet may end at, each with the chain that it leads to. */
function iptablesChain(
  lines: readonly string[],
  met: readonly Met[],
  name: string,
  shows: (text: string) => boolean = () => true,
): Chain {
  const nat = lines.slice(lines.indexOf("*nat"));
  const rules: Rule[] = [];
  let before = 0;
  let came = met.length;
  for (const line of nat.filter((one) => one.startsWith(`-A ${name} `))) {
    const text = bare(line.slice(`-A ${name} `.length));
    if (!shows(text)) continue;
    const own = met.filter(({ rules }) => rules.includes(line));
    const target = / -j (KUBE-S\S+)$/.exec(` ${text}`)?.[1];
    const inner = target ? iptablesChain(lines, own, target) : undefined;
    rules.push({ text, came, took: own.length, before, inner });
    if (text.endsWith("KUBE-MARK-MASQ")) continue;
    before += own.length;
    came -= own.length;
  }
  return { name, rules };
}

function bare(rule: string): string {
  return rule.replace(/-m comment --comment ("[^"]*"|\S+) /, "");
}

/** One look-up, then one rule that chooses by a number. */
function nftChain(lines: readonly string[], met: readonly Met[], key: string): Chain {
  const lookup = "ip daddr . meta l4proto . th dport vmap @service-ips";
  const goto = lines.find((line) => line.includes(`service-ips { ${key} : `));
  const target = /goto (\S+)/.exec(goto ?? "")?.[1] ?? "";
  const start = `add rule ip kube-proxy ${target} `;
  const rule = lines.find((line) => line.startsWith(start))?.slice(start.length) ?? "";
  const [, head = rule, map = ""] = /^(.* map) \{ (.*) \}$/.exec(rule) ?? [];
  const choices = shares(met, map.split(" , "), (text) => {
    return text.replace(/^\d+ : /, "").replace(" . ", ":");
  });
  const taken = took(met, (line) => line.startsWith(start));
  const chooses = { text: head, took: taken, before: 0, inner: { name: "", rules: choices } };
  const found = took(met, (line) => line.endsWith(lookup));
  const inner = { name: target, rules: [chooses] };
  return { name: "services", rules: [{ text: lookup, took: found, before: 0, inner }] };
}

/** A set that lets it in, then the kernel's own load balancer. */
function ipvsChain(lines: readonly string[], met: readonly Met[], virtual: string): Chain {
  const accept = "-m set --match-set KUBE-CLUSTER-IP dst,dst -j ACCEPT";
  const at = lines.findIndex((line) => line.startsWith(`${virtual} `));
  const rest = lines.slice(at + 1);
  const end = rest.findIndex((line) => !line.startsWith("  -> "));
  const real = rest.slice(0, end).map((line) => line.trim().split(/\s+/).slice(0, 2).join(" "));
  const rules = shares(met, real, (text) => text.slice("-> ".length));
  const found = took(met, (line) => line === `-A KUBE-SERVICES ${accept}`);
  const name = lines[at]?.replace(/\s+/g, " ").trim() ?? "";
  const inner = { name, rules };
  return { name: "KUBE-SERVICES", rules: [{ text: accept, took: found, before: 0, inner }] };
}

/** How the connections fell to texts that each name an address. */
function shares(
  met: readonly Met[],
  texts: readonly string[],
  addressOf: (text: string) => string,
): Rule[] {
  let before = 0;
  return texts.map((text) => {
    const count = met.filter(({ to }) => to === addressOf(text)).length;
    const rule = { text, took: count, before };
    before += count;
    return rule;
  });
}

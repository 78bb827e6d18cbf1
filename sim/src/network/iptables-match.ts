/**
 * The matches of iptables rules that look further than at the packet alone:
 * sets of addresses, who came lately, where its conversation stands.
 * Models: xt_set, xt_recent, xt_conntrack
 */
import { inCidr } from "./ip.ts";
import { isNew, type RuleContext } from "./verdict.ts";

/** Is the address in the range, or the address itself? */
export function within(ip: string, range: string): boolean {
  return inCidr(ip, range.includes("/") ? range : `${range}/32`);
}

/** `cali+` is every interface whose name begins so. */
export function isNamed(link: string | undefined, name: string): boolean {
  if (!name.endsWith("+")) return link === name;
  return link?.startsWith(name.slice(0, -1)) ?? false;
}

/**
 * `src`, `dst`: an address, a range, or a port alone; `dst,dst`:
 * `10.96.0.1,tcp:80`; `dst,dst,src`: the same and an address or a range.
 */
export function inSet(
  name: string,
  way: string,
  { packet, sets }: RuleContext,
): boolean {
  const set = sets?.get(name);
  if (!set) return false;
  const ip = way.startsWith("src") ? packet.src : packet.dst;
  const { protocol, dstPort, src } = packet;
  const parts = way.split(",").length;
  const service = `${ip},${protocol}:${dstPort}`;
  if (parts === 2) return set.has(service);
  if (parts === 3) {
    const start = `${service},`;
    const sources = [...set].filter((one) => one.startsWith(start));
    return sources.some((one) => within(src, one.slice(start.length)));
  }
  if (way === "dst" && set.has(String(dstPort))) return true;
  if (set.has(ip)) return true;
  return [...set].some((one) => inCidr(ip, one));
}

/** Who came lately: `--set` notes the client, `--rcheck` looks for it. */
export function recent(
  option: string,
  { packet, nowMs = 0, recent: lists }: RuleContext,
  optionOf: (option: string) => string,
): boolean {
  const name = optionOf("--name");
  const list = lists?.get(name) ?? new Map<string, number>();
  if (option === "--set") {
    lists?.set(name, list.set(packet.src, nowMs));
    return true;
  }
  const atMs = list.get(packet.src);
  const withinMs = Number(optionOf("--seconds")) * 1000;
  return atMs !== undefined && nowMs - atMs <= withinMs;
}

export function inState(state: string, packet: RuleContext["packet"]): boolean {
  if (state === "NEW") return isNew(packet);
  if (state === "DNAT") return packet.tracked?.with.dnat ?? false;
  return state !== "INVALID" && !isNew(packet);
}

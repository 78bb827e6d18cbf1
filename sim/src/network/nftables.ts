/**
 * nftables: a table of chains, sets and maps, made of nft commands, and what
 * it decides about a packet.
 * Models:     nft 1.0, as far as kube-proxy uses it
 * Leaves out: expressions that kube-proxy does not write.
 * Longer because: one small language is read in one place.
 */
import { inCidr } from "./ip.ts";
import { type Hook, isNew, type RuleContext, type Verdict } from "./verdict.ts";

type HookType = "filter" | "nat";

interface Chain {
  readonly rules: string[];
  readonly hook?: { type: HookType; hook: Hook; priority: number };
}

/** A set that rules fill themselves: an element goes when its time is over. */
interface TimedSet {
  readonly timeoutMs: number;
  readonly untilMs: Map<string, number>;
}

const ACCEPT: Verdict = { kind: "accept" };

export class Nftables {
  private readonly chains = new Map<string, Chain>();
  /** Elements by set or map: key → verdict ("" in a set). */
  private readonly maps = new Map<string, Map<string, string>>();
  private readonly timed = new Map<string, TimedSet>();
  /** The table as it was: what its sets have learnt is not forgotten. */
  private before: Nftables | null;

  constructor(before: Nftables | null = null) {
    this.before = before;
  }

  /** Runs commands: `add table|chain|set|map|rule|element …`. */
  load(commands: readonly string[]): void {
    for (const command of commands) this.run(command);
    this.before = null;
  }

  private run(command: string): void {
    const rest = /^add (\w+) ip \S+ (\S+) ?(.*)$/.exec(command);
    if (!rest) return;
    const [, what, name = "", text = ""] = rest;
    if (what === "chain")
      this.chains.set(name, { rules: [], hook: hookOf(text) });
    if (what === "rule") this.chains.get(name)?.rules.push(text);
    if (what === "set" || what === "map") this.addSet(name, text);
    if (what !== "element") return;
    const inside = text
      .replace(/^\{ | \}$/g, "")
      .replace(/ comment "[^"]*"/, "");
    const [key = "", verdict = ""] = inside.split(" : ");
    this.maps.get(name)?.set(key.trim(), verdict.trim());
  }

  private addSet(name: string, text: string): void {
    const seconds = /\btimeout (\d+)s\b/.exec(text)?.[1];
    if (!seconds) return void this.maps.set(name, new Map());
    const untilMs = new Map(this.before?.timed.get(name)?.untilMs);
    this.timed.set(name, { timeoutMs: Number(seconds) * 1000, untilMs });
  }

  /**
   * The table's verdict at a hook, or undefined: nothing was said. `where`
   * picks chains by their priority.
   */
  decide(
    type: HookType,
    hook: Hook,
    context: RuleContext,
    where: (priority: number) => boolean = () => true,
  ): Verdict | undefined {
    const bases = [...this.chains]
      .filter(([, { hook: own }]) => own?.type === type && own.hook === hook)
      .filter(([, { hook: own }]) => where(own!.priority))
      .sort(([, a], [, b]) => a.hook!.priority - b.hook!.priority);
    for (const [name] of bases) {
      const verdict = this.walk(name, context);
      if (verdict && verdict !== ACCEPT) return verdict;
    }
    return undefined;
  }

  private walk(name: string, context: RuleContext): Verdict | undefined {
    for (const rule of this.chains.get(name)?.rules ?? []) {
      const verdict = new RuleReader(this, rule, context).run(name);
      if (verdict === "return") return undefined;
      if (verdict) return verdict;
    }
    return undefined;
  }

  /** `jump X`, `goto X`, `drop`, `reject`. A goto does not come back. */
  follow(
    verdict: string,
    context: RuleContext,
  ): Verdict | "return" | undefined {
    const [word, chain = ""] = verdict.split(" ");
    if (word === "drop" || word === "reject") return { kind: word };
    const found = this.walk(chain, context);
    return word === "goto" ? (found ?? "return") : found;
  }

  find(map: string, key: string): string | undefined {
    return this.maps.get(map)?.get(key);
  }

  // region: timed
  /** Is the element there, and its time not over? */
  has(set: string, key: string, nowMs = 0): boolean {
    const untilMs = this.timed.get(set)?.untilMs.get(key);
    if (untilMs !== undefined) return nowMs < untilMs;
    return this.find(set, key) !== undefined;
  }

  /** `update @set { key }`: its time begins anew. */
  update(set: string, key: string, nowMs = 0): void {
    const found = this.timed.get(set);
    found?.untilMs.set(key, nowMs + found.timeoutMs);
  }
  // endregion: timed
}

function hookOf(text: string): Chain["hook"] {
  const parts = /type (\w+) hook (\w+) priority (-?\d+)/.exec(text);
  if (!parts) return undefined;
  const [, type, hook, priority] = parts;
  return {
    type: type as HookType,
    hook: hook as Hook,
    priority: Number(priority),
  };
}

/** Reads one rule from left to right: matches, then statements. */
class RuleReader {
  private readonly nft: Nftables;
  private readonly context: RuleContext;
  private readonly rule: string;
  private text: string;

  constructor(nft: Nftables, rule: string, context: RuleContext) {
    this.nft = nft;
    this.rule = rule;
    this.text = rule.replace(/ comment "[^"]*"$/, "");
    this.context = context;
  }

  /** Tells what added the rule to its chain, if the packet matches it. */
  run(chain: string): Verdict | "return" | undefined {
    while (this.matches()) {
      // Every match is taken off the front of the text.
    }
    if (this.failed) return undefined;
    this.context.onRule?.(`add rule ip kube-proxy ${chain} ${this.rule}`);
    return this.statements();
  }

  private failed = false;

  /** Takes one match; false if there is none, or it does not hold. */
  private matches(): boolean {
    for (const [pattern, holds] of this.tests()) {
      const parts = pattern.exec(this.text);
      if (!parts) continue;
      this.failed = !holds(parts);
      this.text = this.text.slice(parts[0].length);
      return !this.failed;
    }
    return false;
  }

  /** Every match that kube-proxy writes, and when it holds. */
  private tests(): readonly [RegExp, (parts: RegExpExecArray) => boolean][] {
    const { packet, isLocal } = this.context;
    const { src, dst, tracked } = packet;
    return [
      [/^ct state new /, () => isNew(packet)],
      [/^ct status dnat /, () => tracked?.with.dnat ?? false],
      [
        /^ip ([sd])addr (!= )?\{ ([^}]*) \} /,
        ([, side, not, list]) =>
          list!
            .split(" , ")
            .some((cidr) => within(side === "s" ? src : dst, cidr)) === !not,
      ],
      [
        /^ip ([sd])addr @(\S+) /,
        ([, side, set]) =>
          this.nft.has(set!, side === "s" ? src : dst, this.context.nowMs),
      ],
      [
        /^ip ([sd])addr (!= )?(\d[\d./]*) /,
        ([, side, not, cidr]) =>
          within(side === "s" ? src : dst, cidr!) === !not,
      ],
      [
        /^ip saddr \. ip daddr \. meta l4proto \. th dport @(\S+) /,
        ([, set]) =>
          this.nft.find(set!, `${src} . ${this.service(dst)}`) !== undefined,
      ],
      [/^meta l4proto (\w+) /, ([, protocol]) => packet.protocol === protocol],
      [/^fib saddr type local /, () => isLocal(src)],
      [
        /^mark and (0x\w+) != 0 /,
        ([, bits]) => (packet.mark & Number(bits)) !== 0,
      ],
    ];
  }

  /** `10.96.10.1 . tcp . 80` */
  private service(dst: string): string {
    const { protocol, dstPort } = this.context.packet;
    return `${dst} . ${protocol} . ${dstPort}`;
  }

  private statements(): Verdict | "return" | undefined {
    const { packet, random } = this.context;
    const mark = /^mark set mark (or|xor) (0x\w+) ?/.exec(this.text);
    if (mark) {
      const bits = Number(mark[2]);
      packet.mark = mark[1] === "or" ? packet.mark | bits : packet.mark ^ bits;
      this.text = this.text.slice(mark[0].length);
    }
    const update = /^update @(\S+) \{ ip saddr \}$/.exec(this.text);
    if (update) this.nft.update(update[1]!, packet.src, this.context.nowMs);
    if (this.text === "" || update) return undefined;
    const choice = /numgen random mod (\d+) (map|vmap) \{ (.*) \}$/.exec(
      this.text,
    );
    if (choice)
      return this.choose(choice[3]!, random(Number(choice[1])), choice[2]!);
    const lookup = /^(ip daddr \. )?meta l4proto \. th dport vmap @(\S+)$/.exec(
      this.text,
    );
    if (lookup) {
      const full = this.service(packet.dst);
      const key = lookup[1] ? full : full.slice(full.indexOf(" . ") + 3);
      const verdict = this.nft.find(lookup[2]!, key);
      return verdict ? this.nft.follow(verdict, this.context) : undefined;
    }
    const fixed = /^dnat to ([\d.]+):(\d+)$/.exec(this.text);
    if (fixed) return { kind: "dnat", ip: fixed[1]!, port: Number(fixed[2]) };
    if (this.text.startsWith("masquerade")) return { kind: "masquerade" };
    return this.nft.follow(this.text, this.context);
  }

  private choose(list: string, index: number, kind: string) {
    const entries = list.split(" , ").map((entry) => entry.split(" : "));
    const value = entries.find(([key]) => Number(key) === index)?.[1] ?? "";
    if (kind === "vmap") return this.nft.follow(value, this.context);
    const [ip = "", port] = value.split(" . ");
    return { kind: "dnat", ip, port: Number(port) } as const;
  }
}

function within(ip: string, cidr: string): boolean {
  return inCidr(ip, cidr.includes("/") ? cidr : `${cidr}/32`);
}

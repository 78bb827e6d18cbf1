/**
 * What iptables rules decide about a packet: the lines of iptables.ts, read
 * and followed from chain to chain.
 * Models:     iptables matches comment, addrtype, conntrack, ipvs, mark,
 *             multiport, set, statistic, recent, nfacct; targets ACCEPT, DROP,
 *             REJECT, RETURN, DNAT, MASQUERADE, MARK
 * Leaves out: other matches: a rule with one does not match.
 */
import type { Iptables, TableName } from "./iptables.ts";
import { inSet, inState, isNamed, recent, within } from "./iptables-match.ts";
import type { RuleContext, Verdict } from "./verdict.ts";

/** Words of a rule; quoted text is one word. */
function wordsOf(rule: string): string[] {
  return rule.match(/"(?:\\.|[^"])*"|\S+/g) ?? [];
}

/** The verdict of a built-in chain, or undefined: nothing was said. */
export function decideIptables(
  iptables: Iptables,
  table: TableName,
  chain: string,
  context: RuleContext,
): Verdict | undefined {
  for (const rule of iptables.chain(table, chain) ?? []) {
    const words = wordsOf(rule);
    const target = targetOf(words);
    if (!matches(words, context)) continue;
    context.onRule?.(`-A ${chain} ${rule}`);
    if (target === "RETURN") return undefined;
    const verdict = verdictOf(target, words, context);
    if (verdict) return verdict;
    if (target === "MARK") continue;
    const found = decideIptables(iptables, table, target, context);
    // A chain that was gone to (-g) does not come back.
    if (found || words.includes("-g")) return found;
  }
  return undefined;
}

function jumpAt(words: readonly string[]): number {
  return words.findIndex((word) => word === "-j" || word === "-g");
}

function targetOf(words: readonly string[]): string {
  return words[jumpAt(words) + 1] ?? "";
}

function after(words: readonly string[], option: string): string {
  return words[words.indexOf(option) + 1] ?? "";
}

function verdictOf(
  target: string,
  words: readonly string[],
  { packet }: RuleContext,
): Verdict | undefined {
  switch (target) {
    case "ACCEPT":
      return { kind: "accept" };
    case "DROP":
      return { kind: "drop" };
    case "REJECT":
      return { kind: "reject" };
    case "MASQUERADE":
      return { kind: "masquerade" };
    case "DNAT": {
      const [ip = "", port] = after(words, "--to-destination").split(":");
      return { kind: "dnat", ip, port: Number(port ?? packet.dstPort) };
    }
    case "MARK":
      packet.mark = bits(markedBy(words, packet.mark));
      return undefined;
    default:
      return undefined;
  }
}

/** 32 bits without a sign. */
function bits(mark: number): number {
  return mark >>> 0;
}

function markedBy(words: readonly string[], mark: number): number {
  if (words.includes("--or-mark"))
    return mark | Number(after(words, "--or-mark"));
  if (words.includes("--xor-mark"))
    return mark ^ Number(after(words, "--xor-mark"));
  const [value = "0", mask = value] = after(words, "--set-xmark").split("/");
  return (mark & ~Number(mask)) | Number(value);
}

/** All matches before `-j` hold. `!` turns the one after it round. */
function matches(words: readonly string[], context: RuleContext): boolean {
  const end = jumpAt(words);
  for (let at = 0; at < end; at++) {
    const not = words[at] === "!";
    if (not) at++;
    const option = words[at]!;
    const value = words[++at] ?? "";
    if (option === "-m" && !KNOWN.has(value)) return false;
    if (option === "-m") {
      // `-m conntrack ! --ctstate …`: the option comes with its own round.
      continue;
    }
    if (IGNORED.has(option)) continue;
    if (FLAGS.has(option)) at--;
    // It has a second value: src or dst.
    if (option === "--match-set") at++;
    const holds = holdsFor(option, value, context, words);
    if (holds === undefined || holds === not) return false;
  }
  return true;
}

const KNOWN = new Set([
  ...["comment", "tcp", "udp", "sctp", "addrtype", "conntrack", "mark"],
  ...["multiport", "statistic", "set", "recent", "nfacct", "ipvs"],
]);
/** Options with a value that says nothing by itself. */
const IGNORED = new Set([
  ...["--mode", "--comment", "--name", "--seconds", "--nfacct-name"],
]);
/** Options without a value. */
const FLAGS = new Set(["--rcheck", "--set", "--reap"]);

function holdsFor(
  option: string,
  value: string,
  context: RuleContext,
  words: readonly string[],
): boolean | undefined {
  const { packet, isLocal, random, inLink, outLink } = context;
  switch (option) {
    case "-s":
      return within(packet.src, value);
    case "-d":
      return within(packet.dst, value);
    case "-i":
      return isNamed(inLink, value);
    case "-o":
      return isNamed(outLink, value);
    case "--match-set":
      return inSet(value, after(words, value), context);
    case "--rcheck":
    case "--set":
      return recent(option, context, (name) => after(words, name));
    case "--reap":
      return true;
    case "-p":
    case "--vproto":
      return packet.protocol === value;
    case "--vaddr":
      return packet.virtual?.ip === value;
    case "--vport":
      return packet.virtual?.port === Number(value);
    case "--dport":
      return packet.dstPort === Number(value);
    case "--dports":
      return value.split(",").some((part) => {
        const [first, last = first] = part.split(":").map(Number);
        return first! <= packet.dstPort && packet.dstPort <= last!;
      });
    case "--dst-type":
      return isLocal(packet.dst);
    case "--src-type":
      return isLocal(packet.src);
    case "--mark": {
      const [wanted = "0", mask = wanted] = value.split("/");
      return bits(packet.mark & Number(mask)) === Number(wanted);
    }
    case "--ctstate":
      return value.split(",").some((state) => inState(state, packet));
    case "--probability":
      return random(1_000_000) < Number(value) * 1_000_000;
    default:
      return undefined;
  }
}

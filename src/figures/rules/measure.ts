/** Many connections through the rules of each mode, in runs of a lab of the lesson. */
import type { Input } from "@shikumi/sim";
import type { Variant } from "../run.ts";
import type { Chain, Mode, Rule } from "./count.ts";

export const CONNECTIONS = 300;
export const ASKED = { node: "node-1", ip: "10.96.7.7", port: 80 } as const;

/** The lab with one proxy mode, and so many connections in place of its inputs. */
export function variantOf(mode: Mode): Variant {
  const inputs = Array.from({ length: CONNECTIONS }, (_, i): Input => {
    const to = `${ASKED.ip}:${ASKED.port}`;
    return { atMs: 15_000 + i * 20, do: "connect", from: "pod default/client", to };
  });
  return { scenario: { proxy: mode }, inputs };
}

/** A line of the drawing: the name of a chain, or one of its rules. */
export interface Line {
  readonly depth: number;
  /** How many went elsewhere before: where the bars of the chain begin. */
  readonly offset: number;
  readonly chain?: string;
  readonly rule?: Rule;
}

export function linesOf({ name, rules }: Chain, depth = 0, base = 0): Line[] {
  const head = name === "" ? [] : [{ depth, offset: base, chain: name }];
  return [
    ...head,
    ...rules.flatMap((rule) => {
      const offset = base + rule.before;
      const inner = rule.inner ? linesOf(rule.inner, depth + 1, offset) : [];
      return [{ depth, offset, rule }, ...inner];
    }),
  ];
}

/** What chooses in a rule: the words to look at. */
const CHOOSES =
  /--probability \S+|--to-destination \S+|numgen random mod \d+| rr$|\d+\.\d+\.\d+\.\d+ \. \d+|-> \S+/;

/** A rule in three: before, what chooses, after. */
export function partsOf(text: string): [string, string, string] {
  const found = CHOOSES.exec(shorten(text));
  if (!found) return [shorten(text), "", ""];
  const { index, input } = found;
  const end = index + found[0].length;
  return [input.slice(0, index), input.slice(index, end), input.slice(end)];
}

/** Hashes are cut to what tells them apart. */
export function shorten(text: string): string {
  return text.replace(/(KUBE-\w{3}-\w{4})\w{12}/g, "$1…");
}

/** What the figures of the lesson on kube-proxy draw, from runs of its labs. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import labs from "../../content/part-2-architecture/08-kube-proxy/lab.ts";
import { doorsOf } from "../../src/figures/doors/rows.ts";
import { type Chain, chainsOf, type Mode } from "../../src/figures/rules/count.ts";
import { ASKED, CONNECTIONS, partsOf, variantOf } from "../../src/figures/rules/measure.ts";
import { labOf, runOf, type Variant } from "../../src/figures/run.ts";

const run = (id: string, variant?: Variant) => runOf(labOf(labs, id), variant);

const textOf = (lang: string) => {
  const folder = join(import.meta.dirname, "../../content/part-2-architecture/08-kube-proxy");
  return readFileSync(join(folder, `${lang}.mdx`), "utf8");
};

describe("rules", () => {
  const chains = async (mode: Mode) =>
    chainsOf(await run("rules", variantOf(mode)), { mode, ...ASKED });
  /** The last rules of a tree that took something. */
  const ends = ({ rules }: Chain): number[] =>
    rules.flatMap(({ took, inner }) => (inner ? ends(inner) : took > 0 ? [took] : []));

  it.each(["iptables", "nftables", "ipvs"] as const)(
    "%s: every connection ends at one of three",
    async (mode) => {
      const counts = ends(await chains(mode));
      expect(counts).toHaveLength(3);
      expect(counts.reduce((sum, count) => sum + count)).toBe(CONNECTIONS);
      if (mode === "ipvs") expect(counts).toEqual([100, 100, 100]);
      for (const count of counts) {
        expect(textOf("en"), "The transcript tells the counts of the run.").toMatch(
          new RegExp(`\\b${count}\\b`),
        );
      }
    },
  );

  it("iptables: what a rule has left comes to the next", async () => {
    const { rules } = await chains("iptables");
    expect(rules).toHaveLength(1);
    const [mark, ...choices] = rules[0]!.inner!.rules;
    expect([mark!.came, mark!.took]).toEqual([CONNECTIONS, 0]);
    const words = choices.map(({ text }) => / --probability (\S+)/.exec(text)?.[1] ?? "");
    expect(words).toEqual(["0.3333333333", "0.5000000000", ""]);
    let left = CONNECTIONS;
    for (const { came, took, before } of choices) {
      expect([came, before]).toEqual([left, CONNECTIONS - left]);
      left -= took;
    }
    expect(left).toBe(0);
  });

  it("marks what chooses in a rule, and cuts hashes", () => {
    expect(
      partsOf("-m statistic --mode random --probability 0.5000000000 -j KUBE-SEP-MQ4W7Q2CV67URU6Q"),
    ).toEqual(["-m statistic --mode random ", "--probability 0.5000000000", " -j KUBE-SEP-MQ4W…"]);
    expect(partsOf("-j KUBE-MARK-MASQ")).toEqual(["-j KUBE-MARK-MASQ", "", ""]);
  });
});

describe("doors", () => {
  it("tell the chains, who answered, and as whom the client was seen", async () => {
    const doors = doorsOf(await run("doors"));
    const rows = doors.map(({ chains, node, server, seenAs, keepsAddress }) => {
      return [chains.join(" "), node, server, seenAs, keepsAddress].join(", ");
    });
    expect(rows).toEqual([
      "SVC SEP, node-3, web-1, 10.244.2.3, true",
      ", , web-1, 10.244.2.3, true",
      "NODEPORTS EXT MARK-MASQ SVC SEP, node-3, web-1, 10.244.2.0, false",
      "EXT MARK-MASQ SVC SEP, node-2, web-1, 10.244.1.0, false",
      "NODEPORTS EXT SVL SEP, node-1, web-1, 203.0.113.10, true",
      "NODEPORTS EXT, node-3, , , false",
      "EXT SVL SEP, node-1, web-1, 203.0.113.10, true",
    ]);
  });
});

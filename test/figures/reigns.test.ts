/** What the lesson on etcd draws and tells, from runs of its labs. */
import { createSession, type OutputLine } from "@shikumi/sim";
import { describe, expect, it } from "vitest";
import labs from "../../content/part-2-architecture/02-etcd/lab.ts";
import { reignsOf } from "../../src/figures/reigns/reigns.ts";
import { inputsOf } from "../../src/sandbox/lab.ts";

function start(id: string) {
  const lab = labs.find((one) => one.id === id)!;
  const { seed, scenario, manifest } = lab;
  const lines: OutputLine[] = [];
  const onOutput = (line: OutputLine) => lines.push(line);
  const session = createSession({ seed, scenario, inputs: inputsOf(lab, manifest), onOutput });
  return { session, lines };
}

async function run(id: string) {
  const { session, lines } = start(id);
  await session.run();
  const text = lines.map((line) => line.text).join("\n");
  return { session, trace: [...session.kernel.trace], lines, text };
}

describe("reigns", () => {
  it("overlap by 0.2 s, in different terms, and only one of the two leaders can commit", async () => {
    const { trace } = await run("commit");
    const { members, writes } = reignsOf(trace, 5, { fromMs: 53_000, toMs: 66_000 });
    const reigns = members.flatMap(({ name, reigns }) =>
      reigns.map(({ term, fromMs, toMs }) => [name, term, Math.round(fromMs), Math.round(toMs)]),
    );
    expect(reigns).toEqual([
      ["m2", 4, 55_103, 66_000],
      ["m5", 3, 53_000, 55_300],
    ]);
    const cut = [{ fromMs: 54_000, toMs: 62_000 }];
    expect(members.map(({ cuts }) => cuts)).toEqual([cut, [], [], [], cut]);
    expect(members.map(({ asksMs }) => asksMs.length)).toEqual([4, 1, 0, 0, 4]);
    expect(writes.map(({ name, code }) => `${name} ${code}`)).toEqual([
      "cut-4 500",
      "healed-4 201",
    ]);
  });
});

describe("the majority that is lost", () => {
  it("answers a cached read alone, and commits afterwards what had timed out", async () => {
    const { lines, trace, text } = await run("quorum");
    const answers = lines.map(({ atMs, isError }) => `${Math.round(atMs)} ${isError}`);
    expect(answers).toEqual([
      "8002 false",
      "12006 false",
      "21005 false",
      "22002 false",
      "30002 false",
      "33302 true",
      "36002 true",
      "37502 true",
      "55008 false",
      "55008 true",
    ]);
    expect(text).toMatch(/^late +1 /m);
    expect(text).toContain('configmaps "later" not found');
    const led = trace.filter(({ subject }) => subject.startsWith("becomes leader"));
    expect(led.map(({ actor }) => actor)).toEqual(["etcd/m1", "etcd/m1"]);
  });
});

describe("the past of an object", () => {
  it("is kept by revision, until it is compacted", async () => {
    const { session, trace, lines } = await run("past");
    const txns = trace.filter(({ verb, subject }) => verb === "txn" && subject.endsWith("/menu"));
    expect(new Set(txns.map(({ subject }) => subject))).toEqual(
      new Set(["/registry/configmaps/default/menu"]),
    );
    const revisions = txns.map(({ detail }) => (detail as { revision: number }).revision);
    expect(revisions).toEqual([126, 127, 129, 130]);
    const soups = lines
      .filter(({ atMs }) => atMs >= 20_000)
      .map(
        ({ text }) => /"soup":"(\w+)"/.exec(text)?.[1] ?? /"items":\[\]|Expired/.exec(text)?.[0],
      );
    expect(soups).toEqual(["miso", "tonjiru", '"items":[]', "Expired"]);
    const { etcd } = session.cluster.server;
    const { kvs } = await etcd.range({ key: "/registry/configmaps/default/menu" });
    const { createRevision, modRevision, version } = kvs[0]!;
    expect([createRevision, modRevision, version]).toEqual([130, 130, 1]);
  });

  it("counts the versions of a key from its creation", async () => {
    const { session } = start("past");
    await session.run({ untilMs: 20_000 });
    const { etcd } = session.cluster.server;
    const key = "/registry/configmaps/default/menu";
    const found = [126, 127, 129].map(async (revision) => {
      const { kvs } = await etcd.range({ key, revision });
      return kvs.map(({ createRevision, version }) => [createRevision, version]);
    });
    expect(await Promise.all(found)).toEqual([[[126, 1]], [[126, 2]], []]);
  });
});

/** What the figures of the lesson on the API server draw, from a run of its lab. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import labs from "../../content/part-2-architecture/03-api-server/lab.ts";
import { added, giftsOf } from "../../src/figures/completed/fields.ts";
import { labOf, runOf } from "../../src/figures/run.ts";
import { waysOf } from "../../src/figures/stations/ways.ts";

const run = (id: string) => runOf(labOf(labs, id));

const english = readFileSync(
  join(import.meta.dirname, "../../content/part-2-architecture/03-api-server/en.mdx"),
  "utf8",
);

describe("stations", () => {
  it("turn six requests away, each another one, and one station twice", async () => {
    const ways = waysOf(await run("stations"));
    expect(ways.map(({ end, code, by }) => `${end} ${code} ${by}`.trim())).toEqual([
      "etcd 201",
      "authenticate 401",
      "authorize 403 RBAC",
      "mutate 403 ServiceAccount",
      "validate 422",
      "admit 403 ResourceQuota",
      "etcd 409",
    ]);
  });
});

describe("a completed Pod", () => {
  it("finds what is new, the outermost field alone", () => {
    const before = { a: 1, b: { c: 1 }, e: {} };
    const after = { a: 2, b: { c: 1, d: [1] }, e: { f: { g: 1 } }, managedFields: [] };
    expect(added(before, after)).toEqual(["a: 2", "b.d: […]", "e: {…}"]);
  });

  it("was given fields by the schema, four plugins and the registry, as the transcript tells", async () => {
    const gifts = giftsOf(await run("stations"));
    expect(gifts.map(({ by }) => by)).toEqual([
      "decode",
      "LimitRanger",
      "ServiceAccount",
      "Priority",
      "DefaultTolerationSeconds",
      "store",
    ]);
    const transcript = /Defaults of the schema: [\s\S]*?<\/Fragment>/.exec(english)?.[0] ?? "";
    for (const field of gifts.flatMap(({ fields }) => fields)) {
      const name = field.split(":")[0]!.split(/[.[]/);
      const last = name.filter((word) => /^[a-zA-Z]+$/.test(word)).at(-1)!;
      if (!field.includes("limit-ranger")) expect(transcript).toContain(last);
    }
  });
});

describe("the lab with a webhook that does not answer", () => {
  it("refuses after 5.0 s, ignores after as long, and ends with no injector", async () => {
    const trace = await run("no-answer");
    const asked = (verb: string, subject: RegExp) =>
      trace.filter((entry) => entry.verb === verb && subject.test(entry.subject ?? ""));
    const [two] = asked("response", /^500/);
    const request = trace.find(({ id }) => id === two!.causeId)!;
    expect((two!.atMs - request.atMs) / 1000).toBeCloseTo(5.0, 1);
    const text = asked("log", /^NAME +CONTAINERS/)[0]!.subject;
    expect(text).toMatch(/one +one,proxy\nthree +three/);
    expect(asked("log", /sidecar-injector +0\/1 /)).toHaveLength(1);
    expect(asked("log", /no endpoints available for service "sidecar-injector"/)).toHaveLength(1);
  });
});

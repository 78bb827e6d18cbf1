/** What the figures of the lesson on cloud, registry and clients draw, and the numbers of its text. */
import type { TraceEntry } from "@shikumi/sim";
import { describe, expect, it } from "vitest";
import labs from "../../content/part-2-architecture/09-cloud-registry-clients/lab.ts";
import { fieldsOf } from "../../src/figures/merge/fields.ts";
import { commandsOf } from "../../src/figures/requests/requests.ts";
import { labOf, runOf } from "../../src/figures/run.ts";

async function run(id: string) {
  const texts: string[] = [];
  const entries = await runOf(labOf(labs, id), {}, ({ text }) => texts.push(text));
  return { entries, texts };
}

const seconds = (entries: readonly TraceEntry[]) =>
  entries.map(({ atMs }) => Number((atMs / 1_000).toFixed(1)));

describe("five commands", () => {
  it("are a GET each, and a PATCH of what differs", async () => {
    const { entries } = await run("apply");
    const atMs = [10_000, 12_000, 14_000, 20_000, 25_000];
    const commands = commandsOf(entries, { atMs, name: "named" });
    const named = "/apis/apps/v1/namespaces/default/deployments/named";
    expect(
      commands.map(({ asked }) => asked.map(({ method, path }) => `${method} ${path}`)),
    ).toEqual([
      [`GET ${named}`, `PATCH ${named}/scale`],
      [`GET ${named}`, `PATCH ${named}`],
      [`GET ${named}`, `PATCH ${named}`],
      ["GET /apis/apps/v1/namespaces/default/deployments"],
      [`GET ${named}`, `PATCH ${named}`],
    ]);
    expect(commands[0]!.asked[1]!.body).toBe('{"spec":{"replicas":5}}');
    expect(commands.at(-1)!.asked[1]!.body).not.toContain("last-applied");
  });

  it("merge three versions of each field", async () => {
    const { entries } = await run("apply");
    const rows = fieldsOf(entries, {
      atMs: 25_000,
      wanted: ["named", "silent", "dropped"].map((of) => ({ of, path: "spec.replicas" })),
    });
    expect(
      rows.map(({ lastApplied, file, live, sent, after }) => [
        lastApplied,
        file,
        live,
        sent,
        after,
      ]),
    ).toEqual([
      ["2", "2", "5", "2", "2"],
      [undefined, undefined, "5", undefined, "5"],
      ["2", undefined, "5", "null", "1"],
    ]);
  });
});

describe("a name", () => {
  it("is asked for again and again, or not at all", async () => {
    const { entries, texts } = await run("images");
    const pulls = entries.filter(({ verb }) => verb === "image");
    const of = (image: string) => seconds(pulls.filter(({ subject }) => subject.endsWith(image)));
    expect(of("shop:1.1")).toEqual([1.1, 13.4, 39.5, 81.9, 168.7]);
    expect(of("shop:1.0")).toEqual([1.3, 20.1]);
    expect(texts.join("\n")).toMatch(/pod\/again +Container image "shop:1.0" already present/);
    expect(texts.join("\n")).toMatch(/pod\/always .* in 211ms/);
    expect(texts.join("\n")).toMatch(/pod\/first .* in 966ms/);
  });
});

describe("a cloud", () => {
  it("makes nodes ready for use, and load balancers, in its own time", async () => {
    const { entries } = await run("balancer");
    const free = ["node-1", "node-2", "node-3"].map((name) =>
      entries.find(({ verb, subject, detail }) => {
        const { after } = (detail ?? {}) as { after?: { spec?: { providerID?: string } } };
        return verb === "write" && subject === `Node ${name}` && after?.spec?.providerID;
      }),
    );
    expect(seconds(free.map((one) => one!)).sort()).toEqual([0.4, 0.8, 1.2]);
    const addressed = ["web", "old"].map((name) =>
      entries.find(
        ({ verb, subject, detail }) =>
          verb === "write" &&
          subject === `Service default/${name}` &&
          JSON.stringify(detail).includes('"ingress":[{'),
      ),
    );
    expect(seconds(addressed.map((one) => one!))).toEqual([4, 7]);
  });
});

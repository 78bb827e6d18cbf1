/** The player of recorded sessions understands what other recordings may hold. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { compareKind } from "./compare.ts";
import type { Input, Row, Scenario, TraceFile } from "./format.ts";
import { playAll } from "./play.ts";

const path = join(import.meta.dirname, "../../vectors/controller-traces-2.json");
const recorded = JSON.parse(readFileSync(path, "utf8")) as TraceFile;

async function play(...scenarios: Partial<Scenario>[]): Promise<Row[][]> {
  const named = scenarios.map((own, i): [string, Scenario] => {
    const rest = { startsAfterMs: 2000, inputs: [], until: 4000, rows: [] };
    return [`s${i}`, { ...rest, ...own }];
  });
  const order = named.map(([name]) => name);
  const played = await playAll({ ...recorded, order, scenarios: Object.fromEntries(named) });
  return order.map((name) => played.get(name) ?? []);
}

const json = { method: "POST", contentType: "application/json" };
const pods = "/api/v1/namespaces/default/pods";

function podCalled(name: string): Input {
  const spec = { containers: [{ name: "c", image: "app:1" }] };
  const metadata = { name, labels: { app: "web" } };
  const body = { apiVersion: "v1", kind: "Pod", metadata, spec };
  return { atMs: 0, ...json, path: pods, body };
}

const budget: Input = {
  atMs: 0,
  ...json,
  path: "/apis/policy/v1/namespaces/default/poddisruptionbudgets",
  body: {
    apiVersion: "policy/v1",
    kind: "PodDisruptionBudget",
    metadata: { name: "keep" },
    spec: { minAvailable: 1, selector: { matchLabels: { app: "web" } } },
  },
};

const listed = { atMs: 2000, method: "GET", path: `${pods}?labelSelector=app%3Dweb` };

const evictions: Input[] = [
  {
    ...listed,
    bindEach: { pod: "items.*.metadata.name" },
    where: { path: "items.*.metadata.name", not: "b" },
  },
  {
    ...{ atMs: 2100, ...json, path: `${pods}/{pod}/eviction` },
    body: { apiVersion: "policy/v1", kind: "Eviction", metadata: { name: "{pod}" } },
    ...{ forEach: "pod", parallel: true, record: "client" },
    retry: { onCode: 429, everyMs: 500, maxTries: 3 },
  },
];

describe("the player of recorded sessions", () => {
  it("fills in the time where an input says {now}", async () => {
    const condition = { type: "Ready", status: "False", lastTransitionTime: "{now}" };
    const [rows] = await play({
      inputs: [
        podCalled("a"),
        { ...listed, bind: { pod: "items.0.metadata.name" } },
        {
          ...{ atMs: 2100, method: "PATCH", path: `${pods}/{pod}/status` },
          contentType: "application/strategic-merge-patch+json",
          body: { status: { conditions: [condition] } },
        },
      ],
    });
    const ready = rows!
      .filter(({ kind, t }) => kind === "pods" && t > 2050)
      .map((row) => row.ready);
    expect(ready).toEqual(["False"]);
  });

  it("keeps what it bound for the scenarios after", async () => {
    const bound = { ...listed, bind: { pod: "items.0.metadata.name" } };
    const removal = { atMs: 0, method: "DELETE", path: `${pods}/{pod}`, record: "client" };
    const [, rows] = await play({ inputs: [podCalled("a"), bound] }, { inputs: [removal] });
    expect(rows!.filter(({ client }) => client).map(({ pod, code }) => `${pod} ${code}`)).toEqual([
      "a 200",
    ]);
  });

  it("sends to all that it bound at once, and notes every answer", async () => {
    const inputs = [...["a", "b", "c", "d"].map(podCalled), budget, ...evictions];
    const [rows] = await play({ inputs, until: 3300 });
    const answers = rows!.filter(({ client }) => client);
    const at = (name: string) => answers.filter(({ pod }) => pod === name);
    expect(answers.map(({ code }) => code)).toEqual([201, 201, 201]);
    expect(answers.map(({ pod }) => pod)).toEqual(["a", "c", "d"]);
    expect(new Set(answers.map(({ t }) => Math.floor(t / 10)))).toEqual(new Set([210]));
    expect(at("b")).toEqual([]);
  });

  it("tries a refused request again, each for itself", async () => {
    const inputs = [...["a", "c"].map(podCalled), budget, ...evictions];
    const [rows] = await play({ inputs, until: 3300 });
    const answers = rows!.filter(({ client }) => client);
    const text = answers.map(({ t, pod, code }) => `${Math.round(t / 100)} ${pod} ${code}`);
    expect(text).toEqual(["21 a 201", "21 c 429", "26 c 429", "31 c 429"]);
    const others = answers.map((row) => ({ ...row, client: "evict" })).slice(0, 3);
    expect(compareKind("client", others, answers)).toBeUndefined();
    expect(compareKind("client", others.slice(0, 1), answers)).toBeDefined();
  });

  it("wakes a node in the cleanup, and takes no heartbeat for a change", async () => {
    const silent = { atMs: 0, node: "n3", heartbeats: false, kubelet: false };
    const awake = { ...silent, heartbeats: true, kubelet: true };
    const [lost, back] = await play(
      { inputs: [silent], cleanup: [awake], until: 60_000 },
      { until: 20_000 },
    );
    const readiness = (rows?: Row[]) =>
      rows?.filter(({ kind }) => kind === "nodes").map((row) => (row.ready as Row)?.status);
    expect(readiness(lost)).toEqual(["Unknown", "Unknown", "Unknown"]);
    expect(readiness(back)?.at(-1)).toBe("True");
  });
});

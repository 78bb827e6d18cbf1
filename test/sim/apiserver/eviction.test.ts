/** The eviction subresource: pkg/registry/core/pod/storage/eviction.go @ v1.36. */
import { beforeEach, describe, expect, it } from "vitest";
import type { KubeObject } from "../../../sim/src/api/types.ts";
import { account, type Bench, messageOf, newServer, pod } from "./server.ts";

interface Budget {
  status: {
    disruptionsAllowed: number;
    disruptedPods?: Record<string, string>;
    conditions?: { type: string; status: string; reason: string }[];
  };
}

let bench: Bench;
const PDB = { group: "policy", resource: "poddisruptionbudgets" };

function setStatus(where: object, name: string, body: object): void {
  const answer = bench.ask({
    ...where,
    ...{ verb: "patch", name, subresource: "status" },
    patchType: "application/merge-patch+json",
    body: { status: body },
  });
  expect(answer.code).toBe(200);
}

beforeEach(() => {
  bench = newServer();
  account(bench);
  for (const name of ["a", "b"]) {
    bench.ask({ verb: "create", body: pod(name, { labels: { app: "web" } }) });
    const conditions = ["DisruptionTarget", "Ready"].map((type) => ({
      type,
      status: type === "Ready" ? "True" : "False",
      lastTransitionTime: "2026-01-01T00:00:00Z",
    }));
    setStatus({}, name, { phase: "Running", conditions });
  }
  const selector = { matchLabels: { app: "web" } };
  const body = { metadata: { name: "web" }, spec: { minAvailable: 1, selector } };
  bench.ask({ ...PDB, verb: "create", body });
  allow(1);
});

function allow(disruptionsAllowed: number, more: object = {}): void {
  const counts = { currentHealthy: 2, desiredHealthy: 1, expectedPods: 2 };
  setStatus(PDB, "web", { disruptionsAllowed, observedGeneration: 1, ...counts, ...more });
}

function evict(name: string, deleteOptions?: object, options?: { dryRun?: string[] }) {
  const body = { metadata: { name }, deleteOptions };
  return bench.ask({ verb: "create", name, subresource: "eviction", body, options });
}

function budget(): Budget["status"] {
  const { body } = bench.ask({ ...PDB, verb: "get", name: "web" });
  return (body as unknown as Budget).status;
}

function conditionsOf(name: string): string[] {
  const { body } = bench.ask({ verb: "get", name });
  const { status } = body as { status?: { conditions?: { type: string; status: string }[] } };
  return (status?.conditions ?? []).map(({ type, status: is }) => `${type}=${is}`);
}

const DRY = ["All"];

describe("an eviction", () => {
  it("spends the last disruption, and says so in the budget's condition", () => {
    expect(evict("a", { gracePeriodSeconds: 30 }).code).toBe(201);
    expect(budget()).toMatchObject({
      disruptionsAllowed: 0,
      disruptedPods: { a: expect.any(String) },
      conditions: [{ type: "DisruptionAllowed", status: "False", reason: "InsufficientPods" }],
    });
    expect(evict("b").code).toBe(429);
  });

  it("leaves the condition alone while disruptions are left", () => {
    allow(2);
    expect(evict("a").code).toBe(201);
    expect(budget().disruptionsAllowed).toBe(1);
    expect(budget().conditions).toBeUndefined();
  });

  it("marks the Pod in the place that the condition has", () => {
    bench.ask({
      ...{ verb: "patch", name: "a", patchType: "application/merge-patch+json" },
      body: { metadata: { finalizers: ["example.com/keep"] } },
    });
    expect(evict("a").code).toBe(201);
    expect(conditionsOf("a")).toEqual(["DisruptionTarget=True", "Ready=True"]);
  });

  it.each([
    ["in the body", { dryRun: DRY }, undefined],
    ["in the address", undefined, { dryRun: DRY }],
    ["in both", { dryRun: DRY }, { dryRun: DRY }],
  ])("spends and changes nothing in a dry run asked for %s", (_, deleteOptions, options) => {
    expect(evict("a", deleteOptions, options).code).toBe(201);
    expect(budget().disruptionsAllowed).toBe(1);
    expect(conditionsOf("a")).toEqual(["DisruptionTarget=False", "Ready=True"]);
  });

  it("is refused in a dry run too if nothing is left to spend", () => {
    allow(0);
    expect(evict("a", { dryRun: DRY }).code).toBe(429);
  });

  it("refuses dry runs that differ", () => {
    const answer = evict("a", { dryRun: ["Some"] }, { dryRun: DRY });
    expect(answer.code).toBe(500);
    expect(messageOf(answer)).toContain(
      "Non-matching dry-run options in request and content: [All] and [Some]",
    );
  });

  it("takes the preconditions of its delete options seriously", () => {
    allow(2);
    const wrong = evict("a", { preconditions: { uid: "other" } });
    expect(wrong.code).toBe(409);
    expect(messageOf(wrong)).toContain("the UID in the precondition (other) does not match");
    const { body } = bench.ask({ verb: "get", name: "a" });
    const { uid, resourceVersion } = (body as KubeObject).metadata;
    const old = evict("a", { preconditions: { resourceVersion: "1" } });
    expect(messageOf(old)).toContain("the ResourceVersion in the precondition (1) does not match");
    allow(2);
    expect(evict("a", { preconditions: { uid, resourceVersion } }).code).toBe(201);
  });

  it("must name its Pod", () => {
    const answer = bench.ask({ verb: "create", name: "a", subresource: "eviction", body: {} });
    expect(answer.code).toBe(400);
    expect(messageOf(answer)).toBe("name in URL does not match name in Eviction object");
  });

  it("waits for the controller if too many were not confirmed", () => {
    const at = "2026-01-01T00:00:00Z";
    const many = Object.fromEntries(Array.from({ length: 2001 }, (_, i) => [`p-${i}`, at]));
    allow(5, { disruptedPods: many });
    const answer = evict("a");
    expect(answer.code).toBe(403);
    expect(messageOf(answer)).toBe(
      'poddisruptionbudget.policy "web" is forbidden: DisruptedPods map too big - too many evictions not confirmed by PDB controller',
    );
  });
});

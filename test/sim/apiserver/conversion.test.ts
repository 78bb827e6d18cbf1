/** Versions of a custom kind that a webhook converts; a definition that is deleted. */
import { describe, expect, it } from "vitest";
import type { KubeList, KubeObject } from "../../../sim/src/api/types.ts";
import type { ConversionReview } from "../../../sim/src/apiserver/extensions/conversion-review.ts";
import { ADMIN, type Bench, messageOf, newServer } from "./server.ts";

const crds = { group: "apiextensions.k8s.io", resource: "customresourcedefinitions" } as const;
const URL = "https://convert.example.com/";
const cron = (version: string) =>
  ({ group: "example.com", version, resource: "crons", namespace: "default" }) as const;

const open = { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } };

/** v1 says "host: port" in one field, v2 in two; v1 is stored. */
function definition(conversion: object | undefined) {
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "crons.example.com" },
    spec: {
      group: "example.com",
      scope: "Namespaced",
      names: { plural: "crons", kind: "Cron" },
      versions: [
        { name: "v1", served: true, storage: true, schema: open },
        { name: "v2", served: true, storage: false, schema: open },
      ],
      ...(conversion ? { conversion } : {}),
    },
  };
}

const WEBHOOK = {
  strategy: "Webhook",
  webhook: { clientConfig: { url: URL }, conversionReviewVersions: ["v1"] },
};

type Cron = KubeObject & { at?: string; host?: string; port?: string };

function convert(object: Cron, apiVersion: string): Cron {
  const { at = "", host, port, ...rest } = object;
  if (apiVersion.endsWith("v1")) return { ...rest, apiVersion, at: `${host}:${port}` };
  const [first = "", second = ""] = at.split(":");
  return { ...rest, apiVersion, host: first, port: second };
}

async function defined(answer?: (review: ConversionReview) => ConversionReview["response"]) {
  const bench = newServer();
  const asked: ConversionReview[] = [];
  bench.server.webhooks.set(URL, {
    actor: "converter",
    convert: async (review) => {
      asked.push(review);
      const { uid, desiredAPIVersion, objects } = review.request!;
      const convertedObjects = objects.map((one) => convert(one, desiredAPIVersion));
      const fine = { uid, convertedObjects, result: { status: "Success" } as const };
      return { ...review, response: answer ? answer(review) : fine };
    },
  });
  bench.ask({ verb: "create", ...crds, namespace: "", body: definition(WEBHOOK) });
  await bench.kernel.run({ untilMs: bench.kernel.now() + 1 });
  return { bench, asked };
}

const v1 = (name: string, at: string) => ({
  apiVersion: "example.com/v1",
  kind: "Cron",
  metadata: { name },
  at,
});

describe("a conversion webhook", () => {
  it("turns what is stored into the version that is asked for, and back", async () => {
    const { bench, asked } = await defined();
    const { code } = await bench.later({ verb: "create", ...cron("v1"), body: v1("a", "x:1") });
    expect([code, asked.length]).toEqual([201, 0]);
    const got = await bench.later({ verb: "get", ...cron("v2"), name: "a" });
    expect(got.body).toMatchObject({ apiVersion: "example.com/v2", host: "x", port: "1" });
    expect(got.body).not.toHaveProperty("at");
    const body = { ...(got.body as Cron), port: "2" };
    const put = await bench.later({ verb: "update", ...cron("v2"), name: "a", body });
    expect(put.body).toMatchObject({ apiVersion: "example.com/v2", host: "x", port: "2" });
    const stored = await bench.later({ verb: "get", ...cron("v1"), name: "a" });
    expect(stored.body).toMatchObject({ apiVersion: "example.com/v1", at: "x:2" });
  });

  it("is asked once for a whole list", async () => {
    const { bench, asked } = await defined();
    for (const name of ["a", "b", "c"]) {
      await bench.later({ verb: "create", ...cron("v1"), body: v1(name, `${name}:1`) });
    }
    const { body } = await bench.later({ verb: "list", ...cron("v2") });
    expect((body as KubeList).items.map((one) => (one as Cron).host)).toEqual(["a", "b", "c"]);
    expect(asked).toHaveLength(1);
    expect(asked[0]?.request).toMatchObject({ desiredAPIVersion: "example.com/v2" });
  });

  it("patches in the version of the patch", async () => {
    const { bench } = await defined();
    await bench.later({ verb: "create", ...cron("v1"), body: v1("a", "x:1") });
    const patchType = "application/merge-patch+json" as const;
    const request = { ...cron("v2"), name: "a", patchType, body: { host: "y" } };
    await bench.later({ verb: "patch", ...request });
    const { body } = await bench.later({ verb: "get", ...cron("v1"), name: "a" });
    expect(body).toMatchObject({ at: "y:1" });
  });

  it("lets watches show events in their order, in their version", async () => {
    const { bench } = await defined();
    const seen: string[] = [];
    bench.server.watch(
      { verb: "watch", ...cron("v2"), credentials: ADMIN },
      {
        onEvent: ({ type, object }) => {
          const { host, port } = object as Cron;
          seen.push(`${type} ${host} ${port}`);
        },
        onEnd() {},
      },
    );
    for (let i = 0; i < 4; i++) {
      await bench.later({ verb: "create", ...cron("v1"), body: v1(`n${i}`, `h${i}:${i}`) });
    }
    await bench.later({ verb: "delete", ...cron("v1"), name: "n0" });
    await bench.kernel.run({ untilMs: bench.kernel.now() + 1000 });
    expect(seen).toEqual([...[0, 1, 2, 3].map((i) => `ADDED h${i} ${i}`), "DELETED h0 0"]);
  });

  describe("that fails, in upstream's words", () => {
    type Answer = (uid: string, one: Cron) => ConversionReview["response"];
    const about = "conversion for example.com/v1, Kind=Cron";
    const result = { status: "Success" } as const;
    const meta = (one: Cron, metadata: object) => ({
      ...{ ...one, metadata: { ...one.metadata, ...metadata } },
    });
    const wrong = (change: (one: Cron) => Cron): Answer => {
      return (uid, one) => ({ uid, convertedObjects: [change(one)], result });
    };
    it.each<[string, Answer]>([
      [
        "failed: conversion webhook for /, Kind= failed: no way",
        (uid) => ({ uid, convertedObjects: [], result: { status: "Failure", message: "no way" } }),
      ],
      [
        "failed: conversion webhook for /, Kind= failed: response.result.status was '', not 'Success'",
        (uid) => ({ uid, convertedObjects: [], result: {} }),
      ],
      ["failed: conversion webhook for /, Kind= failed: no response provided", () => undefined],
      ["returned 0 objects, expected 1", (uid) => ({ uid, convertedObjects: [], result })],
      [
        "returned invalid converted object at index 1: must have the same name: a != b",
        wrong((one) => meta(one, { name: "b" })),
      ],
      [
        "returned invalid converted object at index 1: must have the same namespace: default != ",
        wrong((one) => meta(one, { namespace: undefined })),
      ],
      [
        "returned invalid converted object at index 1: invalid kind (expected Cron, received Job)",
        wrong((one) => ({ ...one, kind: "Job" })),
      ],
      [
        "returned invalid converted object at index 1: invalid groupVersion (expected example.com/v2, received v3)",
        wrong((one) => ({ ...one, apiVersion: "v3" })),
      ],
    ])("%s", async (words, response) => {
      const { bench } = await defined(({ request }) =>
        response(request!.uid, convert(request!.objects[0] as Cron, request!.desiredAPIVersion)),
      );
      await bench.later({ verb: "create", ...cron("v1"), body: v1("a", "x:1") });
      const answer = await bench.later({ verb: "get", ...cron("v2"), name: "a" });
      expect(`${answer.code} ${messageOf(answer)}`).toBe(`500 ${about} ${words}`);
    });

    it("does not take an answer to another question", async () => {
      const { bench } = await defined(() => ({ uid: "other", convertedObjects: [], result }));
      await bench.later({ verb: "create", ...cron("v1"), body: v1("a", "x:1") });
      const answer = await bench.later({ verb: "get", ...cron("v2"), name: "a" });
      expect(messageOf(answer)).toMatch(/failed: expected response.uid="[-0-9a-f]+", got "other"$/);
    });
  });

  it("is looked for in vain where nobody answers", async () => {
    const { bench } = await defined();
    bench.server.webhooks.clear();
    await bench.later({ verb: "create", ...cron("v1"), body: v1("a", "x:1") });
    const answer = await bench.later({ verb: "get", ...cron("v2"), name: "a" });
    expect(messageOf(answer)).toContain(
      "conversion for example.com/v1, Kind=Cron failed: conversion webhook for /, Kind= " +
        `failed: Post "${URL}?timeout=30s": dial tcp`,
    );
  });

  it("is to be told where it is", () => {
    const bench = newServer();
    const refused = (conversion: object) =>
      messageOf(
        bench.ask({ verb: "create", ...crds, namespace: "", body: definition(conversion) }),
      );
    expect(refused({ strategy: "Webhook" })).toContain(
      "spec.conversion.webhookClientConfig: Required value: required when strategy is set to Webhook",
    );
    expect(refused({ strategy: "Magic" })).toContain('supported values: "None", "Webhook"');
  });

  it("is not needed where versions differ in name alone", async () => {
    const bench = newServer();
    bench.ask({ verb: "create", ...crds, namespace: "", body: definition(undefined) });
    await bench.kernel.run({ untilMs: bench.kernel.now() + 1 });
    bench.ask({ verb: "create", ...cron("v1"), body: v1("a", "x:1") });
    const { body } = bench.ask({ verb: "get", ...cron("v2"), name: "a" });
    expect(body).toMatchObject({ apiVersion: "example.com/v2", at: "x:1" });
  });
});

describe("a definition that is deleted", () => {
  const started = async (): Promise<Bench> => {
    const bench = newServer();
    bench.ask({ verb: "create", ...crds, namespace: "", body: definition(undefined) });
    await bench.kernel.run({ untilMs: bench.kernel.now() + 1 });
    return bench;
  };
  const about = { ...crds, namespace: "", name: "crons.example.com" } as const;

  it("takes its objects along", async () => {
    const bench = await started();
    for (const name of ["a", "b"]) {
      bench.ask({ verb: "create", ...cron("v1"), body: v1(name, "x:1") });
    }
    const deleted: string[] = [];
    bench.server.watch(
      { verb: "watch", ...cron("v1"), credentials: ADMIN, options: { resourceVersion: "0" } },
      {
        onEvent: ({ type, object }) => deleted.push(`${type} ${object.metadata.name}`),
        onEnd() {},
      },
    );
    const { body } = bench.ask({ verb: "delete", ...about });
    expect((body as KubeObject).metadata.finalizers).toEqual([
      "customresourcecleanup.apiextensions.k8s.io",
    ]);
    await bench.kernel.run({ untilMs: bench.kernel.now() + 1000 });
    expect(deleted).toEqual(["ADDED a", "ADDED b", "DELETED a", "DELETED b"]);
    expect(bench.ask({ verb: "get", ...about }).code).toBe(404);
    expect(bench.ask({ verb: "list", ...cron("v1") }).code).toBe(404);
  });

  it("waits for objects with finalizers, and lets nothing new be made", async () => {
    const bench = await started();
    const held = v1("a", "x:1");
    const metadata = { ...held.metadata, finalizers: ["example.com/hold"] };
    bench.ask({ verb: "create", ...cron("v1"), body: { ...held, metadata } });
    bench.ask({ verb: "delete", ...about });
    await bench.kernel.run({ untilMs: bench.kernel.now() + 1000 });
    const refused = bench.ask({ verb: "create", ...cron("v1"), body: v1("b", "x:1") });
    expect([refused.code, messageOf(refused)]).toEqual([
      405,
      "create not allowed while custom resource definition is terminating",
    ]);
    const patchType = "application/merge-patch+json" as const;
    const body = { metadata: { finalizers: null } };
    bench.ask({ verb: "patch", ...cron("v1"), name: "a", patchType, body });
    await bench.kernel.run({ untilMs: bench.kernel.now() + 10_000 });
    expect(bench.ask({ verb: "get", ...about }).code).toBe(404);
  });
});

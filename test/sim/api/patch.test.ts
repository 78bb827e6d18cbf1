import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createMergePatch, mergePatch } from "../../../sim/src/api/patch/merge.ts";
import { strategicMerge } from "../../../sim/src/api/patch/strategic.ts";
import {
  threeWayJsonPatch,
  threeWayPatch,
  twoWayPatch,
} from "../../../sim/src/api/patch/three-way.ts";
import { schemaTexts } from "../../../sim/src/api/schema/texts.ts";
import { Schemas } from "../../../sim/src/api/schema.ts";
import type { Json, JsonObject } from "../../../sim/src/api/types.ts";
import { deepFreeze } from "../../../sim/src/api/types.ts";

const schemas = new Schemas(schemaTexts);

const names = fc.constantFrom("a", "b", "c", "d");
const env = fc.uniqueArray(fc.record({ name: names, value: fc.constantFrom("1", "2") }), {
  selector: (item) => item.name,
});
const container = fc.record(
  { name: names, image: fc.constantFrom("x", "y"), args: fc.array(names), env },
  { requiredKeys: ["name"] },
);
const pod = fc
  .record({
    metadata: fc.record(
      {
        labels: fc.dictionary(names, names),
        // Sorted: upstream sorts the original in place before it compares.
        finalizers: fc.uniqueArray(names).map((list) => list.toSorted()),
      },
      { requiredKeys: [] },
    ),
    spec: fc.record(
      {
        containers: fc.uniqueArray(container, { selector: (item) => item.name }),
        nodeSelector: fc.dictionary(names, names),
        tolerations: fc.array(fc.record({ key: names })),
      },
      { requiredKeys: [] },
    ),
  })
  .map((value): JsonObject => JSON.parse(JSON.stringify(value)));

describe("strategic merge patch", () => {
  it("applied to the original gives the modified object", () => {
    fc.assert(
      fc.property(pod, pod, (original, modified) => {
        deepFreeze(original);
        deepFreeze(modified);
        const patch = twoWayPatch(original, modified, "Pod", schemas);
        const result = strategicMerge(original, deepFreeze(patch), "Pod", schemas);
        expect(filled(result)).toEqual(filled(modified));
      }),
      { numRuns: 300 },
    );
  });

  it("gives the object itself if it says only what is so already", () => {
    const current = deepFreeze({ metadata: { uid: "1" }, spec: { nodeName: "a" } });
    const patch = { metadata: { uid: "1" }, spec: { nodeName: "b" } };
    const result = strategicMerge(current, patch, "Pod", schemas);
    expect(result).toEqual({ ...current, spec: { nodeName: "b" } });
    expect(result.metadata).toBe(current.metadata);
  });

  it("merges a list whose order names all items, and one that it does not", () => {
    const conditions = [{ type: "A", status: "False", reason: "x" }, { type: "B" }];
    const change = [{ type: "C" }, { type: "A", status: "True" }];
    const merged = (order: readonly string[]) => {
      const status = {
        "$setElementOrder/conditions": order.map((type) => ({ type })),
        conditions: change,
      };
      const current = deepFreeze({ status: { conditions } });
      return strategicMerge(current, { status }, "Pod", schemas).status;
    };
    const [a, b, c] = [{ type: "A", status: "True", reason: "x" }, { type: "B" }, { type: "C" }];
    expect(merged(["C", "A", "B"])).toEqual({ conditions: [c, a, b] });
    expect(merged(["C", "D", "B", "A"])).toEqual({ conditions: [c, b, a] });
    expect(merged(["C", "A"])).toEqual({ conditions: [c, a, b] });
    expect(() => merged(["A", "C"])).toThrow("doesn't match $setElementOrder list");
  });

  it("is empty between equal objects", () => {
    fc.assert(
      fc.property(pod, (object) => {
        expect(twoWayPatch(object, object, "Pod", schemas)).toEqual({});
      }),
    );
  });

  it("keeps what others added when a manifest is applied again", () => {
    const manifest = { metadata: { labels: { app: "web" } } };
    const live = { metadata: { labels: { app: "other", added: "x" } } };
    const patch = threeWayPatch({ lastApplied: manifest, manifest, live }, "Pod", schemas);
    expect(patch).toEqual({ metadata: { labels: { app: "web" } } });
  });

  it("refuses to merge fields that the kind does not have, in upstream's words", () => {
    const merge = (now: Json, then: Json) =>
      strategicMerge({ spec: { x: now } }, { spec: { x: then } }, "Pod", schemas);
    expect(() => merge({}, {})).toThrow(
      'unable to find api field in struct PodSpec for the json field "x"',
    );
    expect(() => merge([], [])).toThrow("unable to find api field");
    expect(merge(1, 2)).toEqual({ spec: { x: 2 } });
  });

  it("takes what only the patch has without nulls and directives", () => {
    const patch = {
      metadata: { labels: { a: null, b: "1" }, annotations: { $patch: "delete" } },
      spec: {
        containers: [
          { name: "c", $patch: "delete" },
          { name: "d", image: null },
        ],
      },
    };
    expect(strategicMerge({}, patch, "Pod", schemas)).toEqual({
      metadata: { labels: { b: "1" } },
      spec: { containers: [{ name: "d" }] },
    });
  });

  it("does not make a list of what is to be deleted from one that is not there", () => {
    const patch = { metadata: { "$deleteFromPrimitiveList/finalizers": ["a"] } };
    expect(strategicMerge({ metadata: {} }, patch, "Pod", schemas)).toEqual({ metadata: {} });
  });

  it("refuses a list in another order than it asks for", () => {
    const patch = {
      spec: {
        "$setElementOrder/containers": [{ name: "a" }, { name: "b" }],
        containers: [{ name: "b" }, { name: "a" }],
      },
    };
    expect(() => strategicMerge({ spec: { containers: [] } }, patch, "Pod", schemas)).toThrow(
      "the order in patch list:\n[map[name:b] map[name:a]]\n doesn't match $setElementOrder list:\n[map[name:a] map[name:b]]",
    );
  });

  it("sends and takes as a whole what is to be replaced: a budget's selector", () => {
    const kind = "PodDisruptionBudget";
    const manifest = { spec: { minAvailable: 1, selector: { matchLabels: { a: "1" } } } };
    const live = { spec: { ...manifest.spec, selector: { matchLabels: { a: "0", b: "2" } } } };
    const again = threeWayPatch({ lastApplied: manifest, manifest, live: manifest }, kind, schemas);
    // Never empty: that is why kubectl says "configured" each time.
    expect(again).toEqual({ spec: { selector: { matchLabels: { a: "1" } } } });
    const patch = threeWayPatch({ lastApplied: manifest, manifest, live }, kind, schemas);
    expect(strategicMerge(live, patch, kind, schemas)).toEqual(manifest);
  });

  it("replaces a list that has keys for server-side apply alone", () => {
    const status = (type: string) => ({ status: { conditions: [{ type, status: "True" }] } });
    const kind = "ValidatingAdmissionPolicy";
    expect(strategicMerge(status("a"), status("b"), kind, schemas)).toEqual(status("b"));
  });

  it("refuses unknown directives", () => {
    const patch = { spec: { $patch: "sideways" } };
    const run = () => strategicMerge({ spec: { nodeName: "n" } }, patch, "Pod", schemas);
    expect(run).toThrow("unknown patch type: sideways in map: map[$patch:sideways]");
  });
});

/** An empty list and no list, an empty map and no map: a patch may leave either. */
function filled(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(filled);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, child]) => [key, filled(child)] as const);
  return Object.fromEntries(
    entries.filter(([, child]) => JSON.stringify(child) !== "[]" && JSON.stringify(child) !== "{}"),
  );
}

describe("JSON merge patch", () => {
  it("follows the examples of RFC 7386", () => {
    expect(mergePatch({ a: "b" }, { a: "c" })).toEqual({ a: "c" });
    expect(mergePatch({ a: "b", b: "c" }, { a: null })).toEqual({ b: "c" });
    expect(mergePatch({ a: ["b"] }, { a: "c" })).toEqual({ a: "c" });
    expect(mergePatch({ a: { b: "c" } }, { a: { b: "d", c: null } })).toEqual({ a: { b: "d" } });
    expect(mergePatch({ a: "foo" }, "bar")).toEqual("bar");
    expect(mergePatch({ e: null }, { a: 1 })).toEqual({ e: null, a: 1 });
    expect(mergePatch({}, { a: { bb: { ccc: null } } })).toEqual({ a: { bb: {} } });
  });

  it("turns one object into another", () => {
    fc.assert(
      fc.property(pod, pod, (original, modified) => {
        expect(mergePatch(original, createMergePatch(original, modified))).toEqual(modified);
      }),
    );
  });

  it("makes a three-way patch for kinds without a schema", () => {
    const patch = threeWayJsonPatch({
      lastApplied: { spec: { a: 1, b: 2 } },
      manifest: { spec: { a: 1, c: 3 } },
      live: { spec: { a: 5, b: 2, z: 9 } },
    });
    expect(patch).toEqual({ spec: { a: 1, b: null, c: 3 } });
  });

  it("keeps nulls that stand in a list: they are items, not deletions", () => {
    const list = [null, "x", { a: null, b: 1 }];
    expect(mergePatch({ a: 1 }, { l: list })).toEqual({ a: 1, l: [null, "x", { b: 1 }] });
  });

  it("sends an empty object that a manifest has: it is a value, not an empty patch", () => {
    const manifest = { spec: { selector: {}, a: 1 } };
    const patch = threeWayJsonPatch({ lastApplied: {}, manifest, live: { spec: { a: 1 } } });
    expect(patch).toEqual({ spec: { selector: {} } });
  });
});

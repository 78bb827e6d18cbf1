import { describe, expect, it } from "vitest";
import { type JsonPatchOperation, jsonPatch } from "../../../sim/src/api/patch/json.ts";
import type { Json } from "../../../sim/src/api/types.ts";
import { deepFreeze } from "../../../sim/src/api/types.ts";

describe("JSON patch", () => {
  it("adds, replaces and removes", () => {
    const before = deepFreeze({ a: { b: [1, 2] }, "x/y": 1 });
    const after = jsonPatch(before, [
      { op: "add", path: "/a/b/-", value: 3 },
      { op: "add", path: "/a/b/0", value: 0 },
      { op: "replace", path: "/a/b/1", value: "one" },
      { op: "remove", path: "/x~1y" },
      { op: "add", path: "/a/c", value: { d: null } },
    ]);
    expect(after).toEqual({ a: { b: [0, "one", 2, 3], c: { d: null } } });
    expect(before).toEqual({ a: { b: [1, 2] }, "x/y": 1 });
  });

  it("moves, copies and tests", () => {
    const before = { a: { b: 1 }, list: ["x"] };
    const after = jsonPatch(before, [
      { op: "test", path: "/a/b", value: 1 },
      { op: "copy", from: "/a", path: "/c" },
      { op: "move", from: "/a/b", path: "/list/0" },
      { op: "test", path: "/nothing", value: null },
    ]);
    expect(after).toEqual({ a: {}, c: { b: 1 }, list: [1, "x"] });
  });

  it("counts negative indices from the end, as kube-apiserver does", () => {
    expect(jsonPatch([1, 2], [{ op: "remove", path: "/-1" }])).toEqual([1]);
    expect(jsonPatch([1, 2], [{ op: "add", path: "/-1", value: 9 }])).toEqual([1, 2, 9]);
  });

  it.each([
    [{ op: "test", path: "/a", value: 2 }, "testing value /a failed: test failed"],
    [
      { op: "remove", path: "/b" },
      "error in remove for path: '/b': Unable to remove nonexistent key: b: missing value",
    ],
    [
      { op: "add", path: "/b/c", value: 1 },
      'add operation does not apply: doc is missing path: "/b/c": missing value',
    ],
    [
      { op: "add", path: "/list/7", value: 1 },
      "error in add for path: '/list/7': Unable to access invalid index: 7: invalid index referenced",
    ],
    [{ op: "twist", path: "/a" }, "Unexpected kind: twist"],
    [{ op: "constructor", path: "/a" }, "Unexpected kind: constructor"],
  ])("refuses %j", (operation, message) => {
    expect(() => jsonPatch({ a: 1, list: [] }, [operation])).toThrow(message);
  });
});

describe("JSON patch at the edges", () => {
  const apply = (document: Json, ...operations: unknown[]) =>
    jsonPatch(document, operations as JsonPatchOperation[]);

  it("replaces and copies a key that is not there, as upstream's library does", () => {
    expect(apply({}, { op: "replace", path: "/a", value: 1 })).toEqual({ a: 1 });
    expect(apply({}, { op: "copy", from: "/a", path: "/b" })).toEqual({ b: null });
    const move = { op: "move", from: "/a", path: "/b" };
    expect(() => apply({}, move)).toThrow(
      "error in move for path: 'a': Unable to remove nonexistent key: a: missing value",
    );
  });

  it("wants an item of a list to be there", () => {
    const document = { a: [1, 2] };
    expect(apply(document, { op: "replace", path: "/a/+1", value: 3 })).toEqual({ a: [1, 3] });
    expect(apply(document, { op: "test", path: "/a/-1", value: 2 })).toBe(document);
    const beyond = "Unable to access invalid index: 2: invalid index referenced";
    expect(() => apply(document, { op: "test", path: "/a/2", value: null })).toThrow(
      `error in test for path: '/a/2': ${beyond}`,
    );
    expect(() => apply(document, { op: "copy", from: "/a/2", path: "/b" })).toThrow(
      `error in copy for from: '/a/2': ${beyond}`,
    );
    expect(() => apply(document, { op: "add", path: "/a/x", value: 0 })).toThrow(
      `error in add for path: '/a/x': value was not a proper array index: 'x': strconv.Atoi: parsing "x": invalid syntax`,
    );
  });

  it("takes the empty path for the whole document, to test and to replace it", () => {
    expect(apply({ a: 1 }, { op: "test", path: "", value: { a: 1 } })).toEqual({ a: 1 });
    expect(apply({ a: 1 }, { op: "replace", path: "", value: { b: 2 } })).toEqual({ b: 2 });
    expect(apply({ a: 1 }, { op: "replace", path: "", value: 5 })).toEqual({ a: 1 });
    expect(() => apply({ a: 1 }, { op: "add", path: "", value: {} })).toThrow(
      'add operation does not apply: doc is missing path: "": missing value',
    );
  });

  it("refuses what is no operation, and a path that is none", () => {
    expect(() => apply({}, null)).toThrow("Unexpected kind: unknown");
    expect(() => apply({}, { op: "zap", path: "/a" })).toThrow("Unexpected kind: zap");
    expect(() => apply({}, { op: "add", value: 1 })).toThrow("failed to decode path");
  });
});

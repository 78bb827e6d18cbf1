import { describe, expect, it } from "vitest";
import { jsonPatch } from "../../../sim/src/api/patch/json.ts";
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
      { op: "replace", path: "/b", value: 1 },
      "replace operation does not apply: doc is missing key: /b: missing value",
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
  ])("refuses %j", (operation, message) => {
    expect(() => jsonPatch({ a: 1, list: [] }, [operation])).toThrow(message);
  });
});

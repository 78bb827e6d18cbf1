import { describe, expect, it } from "vitest";
import { fieldChanges } from "../../src/sandbox/diff.ts";

describe("what changed in an object", () => {
  it("names each field once, with its old and new value", () => {
    const before = {
      metadata: { resourceVersion: "1" },
      spec: { replicas: 1, ports: [{ port: 80 }, { port: 81 }] },
    };
    const after = {
      metadata: { resourceVersion: "2" },
      spec: { replicas: 3, ports: [{ port: 80 }], nodeName: "n" },
    };
    expect(fieldChanges(before, after)).toEqual([
      { path: "spec.replicas", before: 1, after: 3 },
      { path: "spec.ports[1]", before: { port: 81 }, after: undefined },
      { path: "spec.nodeName", before: undefined, after: "n" },
    ]);
  });

  it("finds nothing in equal objects, new copies or not", () => {
    const object = { a: [1, { b: null }] };
    expect(fieldChanges(object, structuredClone(object))).toEqual([]);
  });
});

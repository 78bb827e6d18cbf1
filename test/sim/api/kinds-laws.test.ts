import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { TypeRef } from "../../../sim/src/api/schema.ts";
import { complaint, defaulted, kinds, pod, sent, workload } from "./kinds-support.ts";

/** Any value of a type of the schema, well-formed but often senseless. */
function anyOf(type: TypeRef, depth: number): fc.Arbitrary<unknown> {
  if (type.shape === "list") return fc.array(anyOf(type.of ?? type, depth), { maxLength: 2 });
  if (type.shape === "map") {
    return fc.dictionary(fc.constantFrom("a", "cpu", "memory"), anyOf(type.of ?? type, depth), {
      maxKeys: 2,
    });
  }
  const plain: { [letter: string]: fc.Arbitrary<unknown> } = {
    s: fc.constantFrom("", "a", "Always", "RollingUpdate", "ClientIP", "LoadBalancer", "nginx:1"),
    i: fc.integer({ min: -1, max: 100 }),
    l: fc.integer({ min: -1, max: 100 }),
    f: fc.constant(0.5),
    b: fc.boolean(),
    q: fc.constantFrom("0", "1", "1000m", "1Gi", 2),
    o: fc.constantFrom<unknown>(0, 1, "25%", "http"),
    t: fc.constant("2026-01-01T00:00:00Z"),
    m: fc.constant("2026-01-01T00:00:00.000000Z"),
    y: fc.constantFrom("", "YQ=="),
    r: fc.constantFrom<unknown>({}, { a: 1 }),
  };
  return plain[type.name] ?? structOf(type.name, depth - 1);
}

function structOf(name: string, depth: number): fc.Arbitrary<unknown> {
  if (depth <= 0) return fc.constant({});
  const fields = [...kinds.schemas.struct(name).fields.values()];
  // A few fields a time: whole objects would be too large to be telling.
  return fc
    .subarray(fields, { maxLength: Math.min(5, fields.length) })
    .chain((chosen) =>
      fc.record(Object.fromEntries(chosen.map((f) => [f.name, anyOf(f.type, depth)]))),
    );
}

describe("laws of every kind", () => {
  for (const kind of kinds.all()) {
    it(`defaulting twice is defaulting once: ${kind.apiVersion} ${kind.kind}`, () => {
      const objects = structOf(kind.struct, 6);
      fc.assert(
        fc.property(objects, (object) => {
          const once = kinds.codec.decode(kind.struct, object).object;
          const twice = kinds.codec.decode(kind.struct, once);
          expect(twice.object).toEqual(once);
          expect(twice.object).toBe(once);
          expect(twice.unknown).toEqual([]);
        }),
        { numRuns: 40 },
      );
    });
  }

  it("never fails on what decodes: validation and tables take any object", () => {
    const all = fc.constantFrom(...kinds.all());
    const made = all.chain((kind) => structOf(kind.struct, 5).map((object) => ({ kind, object })));
    fc.assert(
      fc.property(made, ({ kind, object }) => {
        const { object: read } = kinds.codec.decode(kind.struct, object);
        const whole = { apiVersion: kind.apiVersion, kind: kind.kind, ...read };
        const named = { ...whole, metadata: { name: "x", namespace: "default" } };
        kind.validateCreate(kind.strategy.prepareForCreate(named));
        kind.validateUpdate(named, named);
        expect(kind.row(named, 0).cells.length).toBe(kind.columns.length);
      }),
      { numRuns: 1000 },
    );
  });

  it("what is good before defaulting is good after it", () => {
    const good = [
      pod({}),
      pod({
        hostNetwork: true,
        containers: [{ name: "c", image: "x", ports: [{ containerPort: 80 }] }],
      }),
      pod({ volumes: [{ name: "a" }] }),
      ...["Deployment", "ReplicaSet", "StatefulSet", "DaemonSet"].map((kind) => workload(kind, {})),
      sent("v1", "Service", { spec: { type: "NodePort", ports: [{ port: 80 }] } }),
    ];
    for (const object of good) {
      expect(complaint(object)).toBe("");
      expect(complaint(defaulted(object))).toBe("");
    }
  });
});

describe("speed", () => {
  it("defaults and validates a Pod in well under the bound of a whole cluster's budget", () => {
    const object = pod({ tolerations: [{ key: "a", operator: "Exists" }] });
    const told = new Set<string>();
    for (let i = 0; i < 2000; i++) told.add(complaint({ ...object }));
    const start = performance.now();
    const runs = 5000;
    for (let i = 0; i < runs; i++) told.add(complaint({ ...object }));
    const eachUs = ((performance.now() - start) * 1000) / runs;
    expect([...told]).toEqual([""]);
    // 15 µs on a quiet machine; the test allows for one that is not.
    expect(eachUs).toBeLessThan(150);
  });
});

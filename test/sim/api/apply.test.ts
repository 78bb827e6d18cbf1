import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeSet, encodeSet } from "../../../sim/src/api/patch/apply/field-set.ts";
import type { Kind, WriteBy } from "../../../sim/src/api/patch/apply.ts";
import {
  applyConfig,
  recordUpdate,
  upgradeManagedFields,
} from "../../../sim/src/api/patch/apply.ts";
import { schemaTexts } from "../../../sim/src/api/schema/texts.ts";
import { Schemas } from "../../../sim/src/api/schema.ts";
import { StatusError } from "../../../sim/src/api/status.ts";
import type { Json, JsonObject, ManagedFieldsEntry } from "../../../sim/src/api/types.ts";
import { deepFreeze } from "../../../sim/src/api/types.ts";

const schemas = new Schemas(schemaTexts);

const time = "2026-11-30T07:14:50Z";
const by = (manager: string, more: Partial<WriteBy> = {}): WriteBy => ({
  manager,
  apiVersion: "apps/v1",
  time,
  ...more,
});
const deployment = (): Kind => ({ schemas, struct: "Deployment", resetFields: [["status"]] });
const pod = (): Kind => ({ schemas, struct: "Pod", resetFields: [["status"]] });

interface Golden {
  case: string;
  response: { body: JsonObject };
}

function recorded(name: string): JsonObject {
  const url = new URL("../../vectors/apiserver-golden.json", import.meta.url);
  const { cases }: { cases: Golden[] } = JSON.parse(readFileSync(url, "utf8"));
  const found = cases.find((one) => one.case === name);
  if (!found) throw new Error(`no case ${name}`);
  return found.response.body;
}

function managed(object: JsonObject): ManagedFieldsEntry[] {
  return (object.metadata as { managedFields?: ManagedFieldsEntry[] }).managedFields ?? [];
}

function withTime(entries: ManagedFieldsEntry[]): ManagedFieldsEntry[] {
  return entries.map((entry) => ({ ...entry, time }));
}

function unmanaged(object: JsonObject): JsonObject {
  const { managedFields: _, ...metadata } = object.metadata as JsonObject;
  return { ...object, metadata };
}

function errorOf(run: () => unknown): StatusError {
  try {
    run();
  } catch (error) {
    if (error instanceof StatusError) return error;
  }
  throw new Error("no StatusError");
}

const config = (spec: JsonObject): JsonObject => ({
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { name: "web" },
  spec,
});

describe("managedFields", () => {
  it("of a created Deployment are those of the real server", () => {
    const created = recorded("create deployment");
    const made = recordUpdate(undefined, unmanaged(created), by("t"), deployment());
    expect(managed(made)).toEqual(withTime(managed(created)));
  });

  it("of every created object that admission leaves alone are", () => {
    const url = new URL("../../vectors/apiserver-golden.json", import.meta.url);
    const { cases } = JSON.parse(readFileSync(url, "utf8"));
    let compared = 0;
    for (const { request, response } of cases) {
      const { body } = response;
      const creates = request.method === "POST" && response.code === 201;
      if (!creates || !body.metadata?.managedFields || !schemas.names().includes(body.kind))
        continue;
      // What admission and allocation add later belongs to nobody.
      if (["Pod", "Service", "Namespace"].includes(body.kind)) continue;
      const [entry] = managed(body);
      if (managed(body).length !== 1 || !entry || entry.subresource) continue;
      const kind: Kind = { schemas, struct: body.kind, resetFields: [["status"]] };
      const who = { manager: entry.manager, apiVersion: entry.apiVersion, time };
      const made = recordUpdate(undefined, unmanaged(body), who, kind);
      expect([request.path, managed(made)]).toEqual([request.path, withTime(managed(body))]);
      compared++;
    }
    expect(compared).toBeGreaterThan(5);
  });

  it("survive encoding", () => {
    const set = managed(recorded("create deployment"))[0]?.fieldsV1 as Json;
    expect(encodeSet(decodeSet(set))).toEqual(set);
  });

  it("pass a field on to whoever changes it", () => {
    const first = recordUpdate(
      undefined,
      config({ replicas: 1, paused: true }),
      by("a"),
      deployment(),
    );
    const second = recordUpdate(
      first,
      { ...unmanaged(first), spec: { replicas: 2 } },
      by("b"),
      deployment(),
    );
    expect(managed(second).map(({ manager, fieldsV1 }) => [manager, fieldsV1])).toEqual([
      ["b", { "f:spec": { "f:replicas": {} } }],
    ]);
  });

  it("keep ten updaters at most", () => {
    let live = recordUpdate(undefined, config({ replicas: 0 }), by("m0"), deployment());
    for (let i = 1; i < 14; i++) {
      const labels = { ...((live.metadata as JsonObject).labels as JsonObject), [`l${i}`]: "x" };
      const metadata = { ...(live.metadata as JsonObject), labels };
      const at = by(`m${i}`, { time: `2026-11-30T07:15:${10 + i}Z` });
      live = recordUpdate(live, { ...live, metadata }, at, deployment());
    }
    expect(managed(live)).toHaveLength(10);
    expect(managed(live).map(({ manager }) => manager)).toContain("ancient-changes");
  });
});

describe("server-side apply", () => {
  it("meets the recorded conflict", () => {
    const live = recorded("server-side apply drops a field it owned");
    const owned = recordUpdate(
      live,
      { ...live, spec: { ...(live.spec as JsonObject), replicas: 3 } },
      by("golden"),
      deployment(),
    );
    const error = errorOf(() =>
      applyConfig(owned, config({ replicas: 7 }), by("ssa"), false, deployment()),
    );
    expect(error.status).toEqual(recorded("server-side apply conflict"));
  });

  it("forced, takes the field as recorded; without it, gives it up", () => {
    const forced = recorded("server-side apply forced");
    const dropped = recorded("server-side apply drops a field it owned");
    const before = recordUpdate(
      dropped,
      { ...dropped, spec: { ...(dropped.spec as JsonObject), replicas: 3 } },
      by("golden"),
      deployment(),
    );
    const made = applyConfig(before, config({ replicas: 7 }), by("ssa"), true, deployment());
    expect(made.spec).toEqual(forced.spec);
    expect(withTime(managed(made))).toEqual(withTime(managed(forced)));
    const { spec: _, ...empty } = config({});
    const after = applyConfig(forced, empty, by("ssa"), false, deployment());
    const { replicas: __, ...rest } = dropped.spec as JsonObject;
    expect(after.spec).toEqual(rest);
    expect(withTime(managed(after))).toEqual(withTime(managed(dropped)));
  });

  it("merges lists by key, keeps others' items, removes its own", () => {
    const containers = (...names: string[]) => names.map((name) => ({ name, image: "x" }));
    const object = (...names: string[]) => ({
      apiVersion: "v1",
      kind: "Pod",
      metadata: { name: "p" },
      spec: { containers: containers(...names) },
    });
    const one = applyConfig(undefined, object("a", "b"), by("one"), false, pod());
    const both = applyConfig(one, object("c"), by("two"), false, pod());
    const names = (value: JsonObject) =>
      ((value.spec as JsonObject).containers as JsonObject[]).map(({ name }) => name);
    expect(names(both)).toEqual(["a", "b", "c"]);
    const less = applyConfig(both, object("b"), by("one"), false, pod());
    expect(names(less)).toEqual(["b", "c"]);
  });

  it("shares a field that two appliers set alike, and drops it with the last", () => {
    const one = applyConfig(undefined, config({ replicas: 2 }), by("one"), false, deployment());
    const two = applyConfig(one, config({ replicas: 2 }), by("two"), false, deployment());
    expect(managed(two)).toHaveLength(2);
    const left = applyConfig(two, config({}), by("one"), false, deployment());
    expect(left.spec).toEqual({ replicas: 2 });
    const gone = applyConfig(left, config({}), by("two"), false, deployment());
    expect(gone.spec ?? {}).toEqual({});
  });

  it("owns a struct that is atomic as a whole: an owner reference, a backend's port", () => {
    const owner = { apiVersion: "v1", kind: "Node", name: "n", uid: "u1" };
    const owned = { metadata: { name: "x", ownerReferences: [owner] }, spec: {} };
    const config = recordUpdate(undefined, owned, by("c"), pod());
    expect(managed(config)[0]?.fieldsV1).toEqual({
      "f:metadata": { "f:ownerReferences": { ".": {}, 'k:{"uid":"u1"}': {} } },
    });
    const port = { number: 80 };
    const ingress = { metadata: {}, spec: { defaultBackend: { service: { name: "s", port } } } };
    const kind: Kind = { schemas, struct: "Ingress" };
    const service = { "f:name": {}, "f:port": {} };
    expect(managed(applyConfig(undefined, ingress, by("i"), false, kind))[0]?.fieldsV1).toEqual({
      "f:spec": { "f:defaultBackend": { "f:service": service } },
    });
  });

  it("leaves the name of a field to its other owners when all in it is taken out", () => {
    const placed = (nodeName: string) => ({
      requiredDuringSchedulingIgnoredDuringExecution: {
        nodeSelectorTerms: [{ matchFields: [{ key: nodeName, operator: "Exists" }] }],
      },
    });
    const made = { metadata: {}, spec: { affinity: { nodeAffinity: placed("a") } } };
    const updated = recordUpdate(undefined, made, by("u"), pod());
    const wanted = { spec: { affinity: { nodeAffinity: placed("b") } } };
    const applied = applyConfig(updated, wanted, by("m"), true, pod());
    const after = applyConfig(applied, { spec: {} }, by("m"), true, pod());
    const left = managed(after).find(({ operation }) => operation === "Update");
    expect(left?.fieldsV1).toEqual({
      "f:spec": { "f:affinity": { ".": {}, "f:nodeAffinity": {} } },
    });
  });

  it("says every field in conflict", () => {
    const live = recordUpdate(
      undefined,
      config({ replicas: 1, paused: true }),
      by("a"),
      deployment(),
    );
    const error = errorOf(() =>
      applyConfig(live, config({ replicas: 2, paused: false }), by("b"), false, deployment()),
    );
    expect(error.message).toBe(
      'Apply failed with 2 conflicts: conflicts with "a" using apps/v1:\n- .spec.paused\n- .spec.replicas',
    );
    expect(error.status.details?.causes).toHaveLength(2);
  });

  it("lets kubectl take over what its annotation says it applied", () => {
    const applied = config({ replicas: 1 });
    const annotations = {
      "kubectl.kubernetes.io/last-applied-configuration": JSON.stringify(applied),
    };
    const live = recordUpdate(
      undefined,
      { ...applied, metadata: { name: "web", annotations } },
      by("kubectl-client-side-apply"),
      deployment(),
    );
    const made = applyConfig(live, config({ replicas: 5 }), by("kubectl"), false, deployment());
    expect(made.spec).toEqual({ replicas: 5 });
    const kept = ((made.metadata as JsonObject).annotations as Record<string, string>)[
      "kubectl.kubernetes.io/last-applied-configuration"
    ];
    expect(JSON.parse(kept ?? "")).toEqual(config({ replicas: 5 }));
    const moved = upgradeManagedFields(managed(live), ["kubectl-client-side-apply"], "kubectl");
    expect(moved.map(({ manager, operation }) => [manager, operation])).toEqual([
      ["kubectl", "Apply"],
    ]);
  });

  it("applied twice changes nothing the second time", () => {
    const names = fc.constantFrom("a", "b", "c");
    const spec = fc.record(
      {
        replicas: fc.nat({ max: 3 }),
        paused: fc.boolean(),
        template: fc.record({
          metadata: fc.record({ labels: fc.dictionary(names, names, { noNullPrototype: true }) }),
          spec: fc.record({
            containers: fc.uniqueArray(fc.record({ name: names, image: names }), {
              selector: (c) => c.name,
            }),
          }),
        }),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(spec, spec, (first, second) => {
        const base = applyConfig(undefined, config(first), by("one"), false, deployment());
        deepFreeze(base);
        const once = applyConfig(base, config(second), by("two"), true, deployment());
        const twice = applyConfig(
          once,
          config(second),
          by("two", { time: "2027-01-01T00:00:00Z" }),
          false,
          deployment(),
        );
        expect(twice).toEqual(once);
      }),
    );
  });
});

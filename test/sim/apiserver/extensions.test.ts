import { describe, expect, it } from "vitest";
import type { JsonObject, KubeList, KubeObject } from "../../../sim/src/api/types.ts";
import { handle } from "../../../sim/src/apiserver/http/handle.ts";
import { type Bench, messageOf, newServer } from "./server.ts";

const widgets = { group: "example.com", resource: "widgets" } as const;

const schema: JsonObject = {
  type: "object",
  properties: {
    spec: {
      type: "object",
      required: ["size"],
      properties: {
        size: { type: "integer", minimum: 1, maximum: 10 },
        color: { type: "string", enum: ["red", "blue"], default: "red" },
        replicas: { type: "integer", default: 1 },
        parts: {
          type: "array",
          items: { type: "object", required: ["name"], properties: { name: { type: "string" } } },
          "x-kubernetes-list-type": "map",
          "x-kubernetes-list-map-keys": ["name"],
        },
      },
      "x-kubernetes-validations": [
        { rule: "self.color != 'blue' || self.size > 2", message: "blue ones are big" },
        { rule: "self.size >= oldSelf.size", message: "widgets do not shrink" },
      ],
    },
    status: {
      type: "object",
      properties: { replicas: { type: "integer" }, ready: { type: "boolean" } },
    },
  },
};

const definition = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "widgets.example.com" },
  spec: {
    group: "example.com",
    scope: "Namespaced",
    names: { plural: "widgets", kind: "Widget", shortNames: ["wd"] },
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        schema: { openAPIV3Schema: schema },
        subresources: {
          status: {},
          scale: { specReplicasPath: ".spec.replicas", statusReplicasPath: ".status.replicas" },
        },
        additionalPrinterColumns: [{ name: "Size", type: "integer", jsonPath: ".spec.size" }],
      },
    ],
  },
};

async function defined(): Promise<Bench> {
  const bench = newServer({ tokens: new Map([["t", { name: "a", groups: ["system:masters"] }]]) });
  const crds = { group: "apiextensions.k8s.io", resource: "customresourcedefinitions" } as const;
  const { code } = bench.ask({ verb: "create", ...crds, namespace: "", body: definition });
  expect(code).toBe(201);
  await bench.kernel.run({ untilMs: bench.kernel.now() + 1 });
  return bench;
}

function widget(name: string, spec: object, more = {}) {
  return { apiVersion: "example.com/v1", kind: "Widget", metadata: { name }, spec, ...more };
}

describe("a CustomResourceDefinition", () => {
  it("adds a kind: known fields are kept, defaults filled in, others dropped", async () => {
    const { ask } = await defined();
    const body = widget("w", { size: 3, odd: 1 }, { status: { ready: true } });
    const { code, body: made, warnings } = ask({ verb: "create", ...widgets, body });
    expect(code).toBe(201);
    expect(made).toMatchObject({ spec: { size: 3, color: "red", replicas: 1 } });
    expect(made).not.toHaveProperty("spec.odd");
    expect(made).not.toHaveProperty("status");
    expect(warnings).toEqual(['unknown field "spec.odd"']);
  });

  it("refuses what its schema and its rules forbid", async () => {
    const { ask } = await defined();
    const refused = (spec: object) =>
      messageOf(ask({ verb: "create", ...widgets, body: widget("w", spec) }));
    expect(refused({ size: 11 })).toBe(
      'Widget.example.com "w" is invalid: spec.size: Invalid value: 11: spec.size in body should be less than or equal to 10',
    );
    expect(refused({})).toBe(
      'Widget.example.com "w" is invalid: [spec.size: Required value, <nil>: Invalid value: "null": some validation rules were not checked because the object was invalid; correct the existing errors to complete validation]',
    );
    expect(refused({ size: "x" })).toContain('must be of type integer: "string"');
    expect(refused({ size: 1, color: "green" })).toContain('supported values: "red", "blue"');
    expect(refused({ size: 1, color: "blue" })).toContain("blue ones are big");
  });

  it("compares with what was, where a rule says so", async () => {
    const { ask } = await defined();
    ask({ verb: "create", ...widgets, body: widget("w", { size: 3 }) });
    const patchType = "application/merge-patch+json" as const;
    const patch = (size: number) =>
      ask({ verb: "patch", ...widgets, name: "w", patchType, body: { spec: { size } } });
    expect(messageOf(patch(2))).toContain("widgets do not shrink");
    const { metadata } = patch(4).body as KubeObject;
    expect(metadata.generation).toBe(2);
  });

  it("has a status and a scale of its own", async () => {
    const { ask } = await defined();
    const made = ask({ verb: "create", ...widgets, body: widget("w", { size: 3 }) });
    const body = { ...(made.body as KubeObject), spec: { size: 9 }, status: { replicas: 2 } };
    ask({ verb: "update", ...widgets, name: "w", subresource: "status", body });
    const patchType = "application/merge-patch+json" as const;
    const scale = { ...widgets, name: "w", subresource: "scale" } as const;
    const { body: scaled } = ask({
      verb: "patch",
      ...scale,
      patchType,
      body: { spec: { replicas: 5 } },
    });
    expect(scaled).toMatchObject({ spec: { replicas: 5 }, status: { replicas: 2 } });
    const { body: now } = ask({ verb: "get", ...widgets, name: "w" });
    expect(now).toMatchObject({ spec: { size: 3, replicas: 5 }, status: { replicas: 2 } });
  });

  it("can be applied by several managers, by the keys of its lists", async () => {
    const { ask } = await defined();
    const apply = (fieldManager: string, spec: object) =>
      ask({
        verb: "patch",
        ...widgets,
        name: "w",
        patchType: "application/apply-patch+yaml",
        body: widget("w", spec),
        options: { fieldManager },
      });
    expect(apply("one", { size: 3, parts: [{ name: "a" }] }).code).toBe(201);
    expect(apply("two", { parts: [{ name: "b" }] }).code).toBe(200);
    const answer = apply("two", { size: 4, parts: [{ name: "b" }] });
    expect(messageOf(answer)).toContain('conflict with "one": .spec.size');
    const { body } = ask({ verb: "get", ...widgets, name: "w" });
    expect(body).toMatchObject({ spec: { parts: [{ name: "a" }, { name: "b" }] } });
  });

  it("shows in discovery, in tables and in OpenAPI, and goes with its definition", async () => {
    const { ask, server, kernel } = await defined();
    ask({ verb: "create", ...widgets, body: widget("w", { size: 3 }) });
    const get = async (path: string, accept = "application/json") => {
      const headers = { Authorization: "Bearer t", Accept: accept };
      const response = await handle(server, new Request(`https://x${path}`, { headers }));
      return { status: response.status, text: await response.text() };
    };
    const found = await get("/apis/example.com/v1");
    expect(JSON.parse(found.text).resources.map(({ name }: { name: string }) => name)).toEqual([
      "widgets",
      "widgets/scale",
      "widgets/status",
    ]);
    const table = await get(
      "/apis/example.com/v1/namespaces/default/widgets",
      "application/json;as=Table;v=v1;g=meta.k8s.io",
    );
    expect(JSON.parse(table.text).rows[0].cells).toEqual(["w", 3]);
    expect((await get("/openapi/v3/apis/example.com/v1")).text).toContain("color");
    const crds = { group: "apiextensions.k8s.io", resource: "customresourcedefinitions" } as const;
    ask({ verb: "delete", ...crds, namespace: "", name: "widgets.example.com" });
    await kernel.run({ untilMs: kernel.now() + 100 });
    expect((await get("/apis/example.com/v1")).status).toBe(404);
  });

  it("is established, which clients wait for", async () => {
    const { ask } = await defined();
    const crds = { group: "apiextensions.k8s.io", resource: "customresourcedefinitions" } as const;
    const { body } = ask({ verb: "list", ...crds, namespace: "" });
    const [crd] = (body as KubeList).items as (KubeObject & { status: JsonObject })[];
    const conditions = crd!.status.conditions as unknown as { type: string; status: string }[];
    expect(conditions.map(({ type, status }) => `${type}=${status}`)).toEqual([
      "NamesAccepted=True",
      "Established=True",
    ]);
  });
});

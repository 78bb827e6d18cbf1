import { describe, expect, it } from "vitest";
import { openApiOf } from "../../../sim/src/api/openapi.ts";
import { kinds } from "./kinds-support.ts";

type Doc = { [key: string]: Doc } & { [key: string]: unknown };

function documentOf(group: string): Doc {
  const own = kinds.all().filter((kind) => kind.group === group);
  return openApiOf(kinds.schemas, own) as Doc;
}

describe("OpenAPI", () => {
  it("resolves every reference within its document", () => {
    for (const group of new Set(kinds.all().map((kind) => kind.group))) {
      const text = JSON.stringify(documentOf(group));
      const refs = [...text.matchAll(/"#\/components\/schemas\/([^"]+)"/g)].map((m) => m[1] ?? "");
      const names = Object.keys(documentOf(group).components?.schemas ?? {});
      expect(refs.filter((name) => !names.includes(name))).toEqual([]);
    }
  });

  it("tells how lists of a Pod are merged", () => {
    const schemas = documentOf("apps").components?.schemas as Doc;
    const spec = schemas["io.k8s.api.core.v1.PodSpec"]?.properties as Doc;
    expect(spec.containers).toMatchObject({
      "x-kubernetes-patch-merge-key": "name",
      "x-kubernetes-patch-strategy": "merge",
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["name"],
    });
    expect(spec.volumes).toMatchObject({ "x-kubernetes-patch-strategy": "merge,retainKeys" });
    const budgets = documentOf("policy").components?.schemas as Doc;
    expect(budgets["io.k8s.api.policy.v1.PodDisruptionBudgetSpec"]?.properties).toMatchObject({
      selector: { "x-kubernetes-patch-strategy": "replace" },
    });
    expect(spec.restartPolicy).toMatchObject({
      type: "string",
      enum: ["Always", "Never", "OnFailure"],
      default: "Always",
    });
  });

  it("calls quantities, times and raw fields by their names", () => {
    const schemas = documentOf("").components?.schemas as Doc;
    const machinery = "io.k8s.apimachinery.pkg";
    const named = (name: string) => ({
      allOf: [{ $ref: `#/components/schemas/${machinery}.${name}` }],
    });
    const field = (struct: string, name: string) => (schemas[struct]!.properties as Doc)[name];
    const resources = "io.k8s.api.core.v1.ResourceRequirements";
    expect(field(resources, "limits")).toEqual({
      type: "object",
      additionalProperties: named("api.resource.Quantity"),
    });
    // Without a type clients show the name: map[string]Quantity.
    expect(schemas[`${machinery}.api.resource.Quantity`]).toEqual({
      oneOf: [{ type: "string" }, { type: "number" }],
    });
    const meta = `${machinery}.apis.meta.v1`;
    expect(field(`${meta}.ObjectMeta`, "creationTimestamp")).toMatchObject(
      named("apis.meta.v1.Time"),
    );
    expect(field(`${meta}.ManagedFieldsEntry`, "fieldsV1")).toMatchObject(
      named("apis.meta.v1.FieldsV1"),
    );
    expect(schemas[`${meta}.Time`]).toEqual({ type: "string", format: "date-time" });
  });

  it("lists the values of an enum in its description", () => {
    const schemas = documentOf("apps").components?.schemas as Doc;
    const strategy = schemas["io.k8s.api.apps.v1.DeploymentStrategy"]?.properties as Doc;
    expect(strategy.type?.description).toBe(
      'Possible enum values:\n - `"Recreate"`\n - `"RollingUpdate"`',
    );
  });

  it("tells of each path which kind it is about, and that it can be tried dry", () => {
    const paths = documentOf("apps").paths as Doc;
    const patch = paths["/apis/apps/v1/namespaces/{namespace}/deployments/{name}"]?.patch as Doc;
    expect(patch["x-kubernetes-group-version-kind"]).toEqual({
      group: "apps",
      kind: "Deployment",
      version: "v1",
    });
    expect(patch.parameters).toMatchObject([
      { name: "dryRun" },
      { name: "fieldManager" },
      { name: "fieldValidation" },
      { name: "force" },
    ]);
    expect(Object.keys((patch.requestBody as Doc).content as Doc)).toEqual([
      "application/apply-patch+yaml",
      "application/json-patch+json",
      "application/merge-patch+json",
      "application/strategic-merge-patch+json",
    ]);
  });
});

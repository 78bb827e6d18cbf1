import { describe, expect, it } from "vitest";
import { handle } from "../../../sim/src/apiserver/http/handle.ts";
import type { ApiServer } from "../../../sim/src/apiserver/server.ts";
import { ADMIN, account, configMap, newServer, pod } from "./server.ts";

const SPACE = "/api/v1/namespaces/default";
const MAPS = `${SPACE}/configmaps`;
const DEPLOYMENTS = "/apis/apps/v1/namespaces/default/deployments";

/** Code and message of a refusal; of anything else the code. */
async function said(
  server: ApiServer,
  method: string,
  path: string,
  body: unknown,
  type = "application/json",
) {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const init = { method, headers: { "content-type": type }, body: text };
  const response = await handle(server, new Request(`https://x${path}`, init), ADMIN);
  const { message } = await response.json();
  return message ? `${response.status} ${message}` : String(response.status);
}

function deployment(name: string) {
  const labels = { app: name };
  const template = { metadata: { labels }, spec: { containers: [{ name: "c", image: "i" }] } };
  const spec = { selector: { matchLabels: labels }, template };
  return { apiVersion: "apps/v1", kind: "Deployment", metadata: { name }, spec };
}

describe("a body", () => {
  it("that has no fields is shown by its bytes", async () => {
    const { server } = newServer();
    const no = "400 the object provided is unrecognized (must be of type ConfigMap): ";
    const why = (what: string) =>
      `couldn't get version/kind; json parse error: json: cannot unmarshal ${what} into Go value of type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }`;
    expect(await said(server, "POST", MAPS, "[]")).toBe(`${no}${why("array")} (5b5d)`);
    expect(await said(server, "POST", MAPS, '"x"')).toBe(`${no}${why("string")} (227822)`);
    const yaml = "application/yaml";
    expect(await said(server, "POST", MAPS, "- a", yaml)).toBe(`${no}${why("array")} (2d2061)`);
    // Nothing is an object without a field.
    const nameless =
      '422 ConfigMap "" is invalid: metadata.name: Required value: name or generateName is required';
    expect(await said(server, "POST", MAPS, "null")).toBe(nameless);
    expect(await said(server, "POST", MAPS, "", yaml)).toBe(nameless);
  });

  it("says a kind and a version that upstream knows", async () => {
    const { server } = newServer();
    const scheme = 'in scheme "pkg/api/legacyscheme/scheme.go:30"';
    expect(await said(server, "POST", MAPS, { kind: "Nope", apiVersion: "v1" })).toBe(
      `400 Nope in version "v1" cannot be handled as a ConfigMap: no kind "Nope" is registered for version "v1" ${scheme}`,
    );
    expect(await said(server, "POST", MAPS, { kind: "ConfigMap", apiVersion: "v2" })).toBe(
      `400 ConfigMap in version "v2" cannot be handled as a ConfigMap: no kind "ConfigMap" is registered for version "v2" ${scheme}`,
    );
    for (const apiVersion of ["apps/v1beta1", "extensions/v1beta1"]) {
      expect(await said(server, "POST", DEPLOYMENTS, { kind: "Deployment", apiVersion })).toBe(
        `400 the API version in the data (${apiVersion}) does not match the expected API version (apps/v1)`,
      );
    }
    expect(await said(server, "POST", MAPS, { kind: 5 })).toBe(
      `400 the object provided is unrecognized (must be of type ConfigMap): couldn't get version/kind; json parse error: json: cannot unmarshal number into Go struct field .kind of type string ({"kind":5})`,
    );
    expect(await said(server, "POST", MAPS, { apiVersion: "a/b/c" })).toBe(
      `400 the object provided is unrecognized (must be of type ConfigMap): unexpected GroupVersion string: a/b/c ({"apiVersion":"a/b/c"})`,
    );
  });

  it("names its version as a number; 0 is none", async () => {
    const { server, ask } = newServer();
    ask({ verb: "create", resource: "configmaps", body: configMap("a") });
    const put = (resourceVersion: string) =>
      said(server, "PUT", `${MAPS}/a`, { metadata: { name: "a", resourceVersion } });
    expect(await put("0")).toBe("200");
    expect(await put("x")).toBe('500 strconv.ParseUint: parsing "x": invalid syntax');
    expect(await put("1")).toMatch(/^409 .*the object has been modified/);
    const post = (name: string, resourceVersion: string) =>
      said(server, "POST", MAPS, { metadata: { name, resourceVersion } });
    expect(await post("b", "0")).toBe("201");
    expect(await post("c", "x")).toBe("201");
    const why = "500 resourceVersion should not be set on objects to be created";
    expect(await post("d", "7")).toBe(why);
  });
});

describe("a patch that cannot be read", () => {
  it("is looked at once there is something to patch", async () => {
    const { server, ask } = newServer();
    ask({ verb: "create", resource: "configmaps", body: configMap("a") });
    const patch = (name: string) =>
      said(server, "PATCH", `${MAPS}/${name}`, "{", "application/merge-patch+json");
    expect(await patch("a")).toBe("400 error decoding patch: unexpected end of JSON input");
    expect(await patch("nope")).toBe('404 configmaps "nope" not found');
  });
});

describe("a body below an object", () => {
  const other = (name: string) =>
    `400 the name of the object (other) does not match the name on the URL (${name})`;
  const elsewhere =
    "400 the namespace of the provided object does not match the namespace sent on the request";

  it("is of the object that the URL names: scale", async () => {
    const { server, ask } = newServer();
    ask({ verb: "create", group: "apps", resource: "deployments", body: deployment("web") });
    const path = `${DEPLOYMENTS}/web/scale`;
    const put = (metadata: object) => said(server, "PUT", path, { metadata, spec: {} });
    expect(await put({ name: "other" })).toBe(other("web"));
    expect(await put({ name: "web", namespace: "x" })).toBe(elsewhere);
    expect(await put({})).toBe(
      "400 the name of the object (web based on URL) was undeterminable: name must be provided",
    );
    const patch = (body: object) =>
      said(server, "PATCH", path, body, "application/merge-patch+json");
    expect(await patch({ metadata: { name: "other" } })).toBe(other("web"));
    const bad = await patch({ spec: { replicas: "x" } });
    expect(bad).toMatch(/^422 {2}"" is invalid: patch: Invalid value: "\{/);
    expect(bad).toContain(
      "json: cannot unmarshal string into Go struct field ScaleSpec.spec.replicas of type int32",
    );
  });

  it("is of the object that the URL names: finalize and binding", async () => {
    const bench = newServer();
    const { server, ask } = bench;
    const path = `${SPACE}/finalize`;
    const put = (metadata: object) =>
      said(server, "PUT", path, { metadata, spec: { finalizers: ["kubernetes"] } });
    expect(await put({ name: "other" })).toBe(other("default"));
    expect(await put({ name: "default", resourceVersion: "1" })).toMatch(/^409 /);
    expect(await put({ name: "default" })).toBe("200");
    account(bench);
    ask({ verb: "create", body: pod("p") });
    const binding = { metadata: { name: "q" }, target: { kind: "Node", name: "n" } };
    expect(await said(server, "POST", `${SPACE}/pods/p/binding`, binding)).toBe(
      "400 name in URL does not match name in Binding object",
    );
  });
});

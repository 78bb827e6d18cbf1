import { expect, it } from "vitest";
import { handle } from "../../../sim/src/apiserver/http/handle.ts";
import { ADMIN, newServer } from "./server.ts";

const path = "/apis/apps/v1/namespaces/default/deployments";
const types = {
  json: "application/json-patch+json",
  merge: "application/merge-patch+json",
  strategic: "application/strategic-merge-patch+json",
  apply: "application/apply-patch+yaml",
};

interface Answer {
  readonly code: number;
  readonly message: string;
  readonly warning: string | null;
}

async function withDeployment() {
  const { server } = newServer();
  const containers = [{ name: "c", image: "nginx" }];
  const template = { metadata: { labels: { app: "w" } }, spec: { containers } };
  const spec = { replicas: 1, selector: { matchLabels: { app: "w" } }, template };
  const web = { apiVersion: "apps/v1", kind: "Deployment", metadata: { name: "web" }, spec };
  const send = async (method: string, url: string, type: string, body: unknown) => {
    const headers = { "Content-Type": type };
    const text = typeof body === "string" ? body : JSON.stringify(body);
    return handle(server, new Request(`https://x${url}`, { method, headers, body: text }), ADMIN);
  };
  expect((await send("POST", path, "application/json", web)).status).toBe(201);
  return async (type: keyof typeof types, body: unknown, query = ""): Promise<Answer> => {
    const answer = await send("PATCH", `${path}/web${query}`, types[type], body);
    const { message = "" } = (await answer.json()) as { message?: string };
    return { code: answer.status, message, warning: answer.headers.get("warning") };
  };
}

it("shows a patch whose outcome is no such object, with the reason", async () => {
  const patch = await withDeployment();
  const three = { spec: { replicas: "three" } };
  const strategic = await patch("strategic", three);
  expect(strategic.code).toBe(422);
  expect(strategic.message).toBe(
    ' "" is invalid: patch: Invalid value: "map[spec:map[replicas:three]]": unrecognized type: int32',
  );
  const merge = await patch("merge", three);
  expect(merge.code).toBe(422);
  expect(merge.message).toMatch(
    /^ "" is invalid: patch: Invalid value: "\{\\"apiVersion\\":\\"apps\/v1\\",\\"kind\\":\\"Deployment\\",\\"metadata\\":\{\\"name\\":\\"web\\",/,
  );
  expect(merge.message).toContain(
    '\\"spec\\":{\\"progressDeadlineSeconds\\":600,\\"replicas\\":\\"three\\",\\"revisionHistoryLimit\\":10',
  );
  expect(merge.message).toMatch(
    /": json: cannot unmarshal string into Go struct field DeploymentSpec.spec.replicas of type int32$/,
  );
  const json = await patch("json", [{ op: "add", path: "/spec/paused", value: 5 }]);
  expect(json.message).toMatch(/Go struct field DeploymentSpec.spec.paused of type bool$/);
});

it("says wrong types in the converter's words, if the patch is a strategic one", async () => {
  const patch = await withDeployment();
  const why = async (spec: unknown) => {
    const { message } = await patch("strategic", { spec });
    return message.slice(message.lastIndexOf('": ') + 3);
  };
  expect(await why({ replicas: 1.5 })).toBe("cannot convert float64 to int32");
  expect(await why({ paused: 1 })).toBe("unrecognized type: bool");
  expect(await why({ template: 5 })).toBe("cannot restore struct from: int64");
  expect(await why({ template: { spec: { nodeSelector: "x" } } })).toBe(
    "cannot restore map from string",
  );
  expect(await why({ template: { spec: { containers: { a: 1 } } } })).toBe(
    "cannot restore slice from map",
  );
  expect(await why({ template: { metadata: { labels: { a: 1 } } } })).toBe(
    "cannot convert int64 to string",
  );
});

it("takes unknown and repeated fields as the client asks", async () => {
  const patch = await withDeployment();
  const strict = "?fieldValidation=Strict";
  expect(await patch("strategic", { spec: { foo: 1 } }, strict)).toMatchObject({
    code: 422,
    message:
      ' "" is invalid: patch: Invalid value: "map[spec:map[foo:1]]": strict decoding error: unknown field "spec.foo"',
  });
  const twice = '{"spec":{"replicas":2,"replicas":3}}';
  expect(await patch("merge", twice)).toMatchObject({
    code: 200,
    warning: '299 - "duplicate field \\"spec.replicas\\""',
  });
  expect((await patch("merge", twice, strict)).code).toBe(422);
});

it("refuses a body that is no patch, each kind in its words", async () => {
  const patch = await withDeployment();
  const said = async (type: keyof typeof types, body: string) => {
    const { code, message } = await patch(type, body);
    return `${code} ${message}`;
  };
  const array = "json: cannot unmarshal array into Go value of type map[string]interface {}";
  expect(await said("merge", "[]")).toBe(`400 error decoding patch: ${array}`);
  expect(await said("strategic", "[]")).toBe(`400 ${array}`);
  expect(await said("strategic", "no")).toMatch(/^400 invalid character/);
  expect(await said("merge", "null")).toBe("500 Invalid JSON Patch");
  const object = "json: cannot unmarshal object into Go value of type []handlers.jsonPatchOp";
  expect(await said("json", "{}")).toBe(`400 error decoding patch: ${object}`);
  expect(await said("json", '[{"op":5}]')).toBe(
    "400 error decoding patch: json: cannot unmarshal number into Go struct field jsonPatchOp.op of type string",
  );
  expect(await said("json", "null")).toBe("200 ");
});

it("answers 500 where strategic merge cannot go on, as upstream does", async () => {
  const patch = await withDeployment();
  const nameless = { spec: { template: { spec: { containers: [{ image: "z" }] } } } };
  expect(await patch("strategic", nameless)).toMatchObject({
    code: 500,
    message: "map: map[image:z] does not contain declared merge key: name",
  });
  const kept = { spec: { strategy: { $retainKeys: ["type"], rollingUpdate: {} } } };
  expect((await patch("strategic", kept)).code).toBe(400);
});

it("says which types of an applied configuration are wrong, and where", async () => {
  const patch = await withDeployment();
  const said = async (spec: unknown, metadata = {}) => {
    const config = { apiVersion: "apps/v1", kind: "Deployment", metadata, spec };
    const { code, message } = await patch("apply", config, "?fieldManager=m");
    return `${code} ${message}`.replace(
      "failed to create typed patch object (default/web; apps/v1, Kind=Deployment): ",
      "",
    );
  };
  const pod = (spec: unknown) => ({ template: { spec } });
  const container = (more: object) => pod({ containers: [{ name: "c", ...more }] });
  const at = '500 .spec.template.spec.containers[name="c"]';
  expect(await said({ replicas: "three" })).toBe(
    "500 .spec.replicas: expected numeric (int or float), got string",
  );
  expect(await said({ replicas: { a: 1 }, paused: 1 })).toBe(
    "500 errors:\n  .spec.replicas: expected numeric (int or float), got map[string]interface {}\n  .spec.paused: expected boolean, got &{1}",
  );
  expect(await said({ foo: 1 })).toBe("500 .spec.foo: field not declared in schema");
  expect(await said({}, { labels: { a: [1, "x"] } })).toBe(
    '500 .metadata.labels.a: expected string, got &value.valueUnstructured{Value:[]interface {}{1, "x"}}',
  );
  expect(await said(pod("x"))).toBe("500 .spec.template.spec: expected map, got &{x}");
  expect(await said(container({ args: "x" }))).toBe(`${at}.args: expected list, got &{x}`);
  expect(await said(container({ args: [true] }))).toBe(
    `${at}.args[0]: expected string, got &value.valueUnstructured{Value:true}`,
  );
  expect(await said(container({ resources: { limits: { cpu: [] } } }))).toBe(
    `${at}.resources.limits.cpu: expected any scalar, got &{[]}`,
  );
  const ports = [{ containerPort: 80 }, { containerPort: 80, protocol: "TCP" }];
  expect(await said(container({ ports }))).toBe(
    `${at}.ports: duplicate entries for key [containerPort=80,protocol="TCP"]`,
  );
  expect(await said(pod({ containers: [null] }))).toBe(
    "500 .spec.template.spec.containers: element 0: associative list with keys may not have a null element",
  );
  const finalizers = ["a.b/c", "a.b/c"];
  expect(await said({}, { finalizers })).toBe(
    '500 .metadata.finalizers: duplicate entries for key [="a.b/c"]',
  );
  expect(await said({ minReadySeconds: null })).toMatch(/^200 /);
});

/** Bodies in protobuf; what real clients send is tried in test/clients. */
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { answer } from "../../sim/node/http.ts";
import { decodeObject, PROTOBUF } from "../../sim/node/protobuf/decode.ts";
import { numbersOf } from "../../sim/node/protobuf/numbers.ts";
import { fieldsIn, message, ProtobufError } from "../../sim/node/protobuf/wire.ts";
import { createSession } from "../../sim/src/index.ts";
import { kinds } from "../sim/api/kinds-support.ts";

const MAGIC = Uint8Array.from([0x6b, 0x38, 0x73, 0]);
const int = (number: number, value: number) => Uint8Array.from([number << 3, value]);
const join = (...parts: Uint8Array[]) => Uint8Array.from(Buffer.concat(parts));

/** An object in its envelope. */
function envelope(apiVersion: string, kind: string, raw: Uint8Array): Uint8Array {
  const meta = message([1, apiVersion], [2, kind]);
  return join(MAGIC, message([1, meta], [2, raw]));
}

describe("protobuf", () => {
  it("reads what it writes", () => {
    const value = fc.oneof(fc.string(), fc.uint8Array({ maxLength: 300 }));
    const field = fc.tuple(fc.integer({ min: 1, max: 3000 }), value);
    fc.assert(
      fc.property(fc.array(field), (fields) => {
        const read = [...fieldsIn(message(...fields))].map((one) => [one.number, [...one.bytes!]]);
        const bytes = (one: string | Uint8Array) =>
          typeof one === "string" ? new TextEncoder().encode(one) : one;
        expect(read).toEqual(fields.map(([number, one]) => [number, [...bytes(one)]]));
      }),
    );
  });

  it("knows fields of the schema alone, by numbers of their own", () => {
    for (const kind of kinds.all()) {
      const numbers = numbersOf(kind.struct);
      if (!numbers) continue;
      const { fields } = kinds.schemas.struct(kind.struct);
      const names = [...numbers.values()].map(({ name }) => name);
      expect(names.filter((name) => !fields.has(name))).toEqual([]);
      expect(new Set(names).size).toBe(names.length);
    }
  });

  it("makes of a message what JSON would hold", () => {
    const port = join(message([1, "web"]), int(3, 80), message([4, "TCP"]));
    // An int or a text: which one is told first.
    const probe = message([
      1,
      message([3, join(message([1, join(int(1, 1), message([3, "web"]))]))]),
    ]);
    const limits = message([1, "memory"], [2, message([1, "64Mi"])]);
    const container = message(
      [1, "c"],
      [6, port],
      [8, message([1, limits])],
      [10, probe],
      [17, false],
    );
    const volume = message([1, "v"], [2, message([6, message([1, "s"])])]);
    const created = message([1, "p"], [8, int(1, 100)], [11, message([1, "app"], [2, "web"])]);
    const raw = message([1, created], [2, message([1, volume], [2, container])]);
    expect(decodeObject(envelope("v1", "Pod", raw), kinds)).toEqual({
      kind: "Pod",
      apiVersion: "v1",
      metadata: { name: "p", creationTimestamp: "1970-01-01T00:01:40Z", labels: { app: "web" } },
      spec: {
        volumes: [{ name: "v", secret: { secretName: "s" } }],
        containers: [
          {
            name: "c",
            ports: [{ name: "web", containerPort: 80, protocol: "TCP" }],
            resources: { limits: { memory: "64Mi" } },
            livenessProbe: { tcpSocket: { port: "web" } },
            stdinOnce: false,
          },
        ],
      },
    });
  });

  it("reads bytes, lists inside maps, numbers below zero", () => {
    const secret = message([2, message([1, "k"], [2, Uint8Array.from([255, 0])])]);
    expect(decodeObject(envelope("v1", "Secret", secret), kinds)).toMatchObject({
      data: { k: "/wA=" },
    });
    const extra = message([1, "scopes"], [2, message([1, ["a", "b"]])]);
    const review = message([2, message([5, extra])]);
    const body = envelope("authorization.k8s.io/v1", "SubjectAccessReview", review);
    expect(decodeObject(body, kinds)).toMatchObject({ spec: { extra: { scopes: ["a", "b"] } } });
    const minusOne = Uint8Array.from([2 << 3, ...Array<number>(9).fill(255), 1]);
    const priority = envelope("scheduling.k8s.io/v1", "PriorityClass", minusOne);
    expect(decodeObject(priority, kinds)).toMatchObject({ value: -1 });
  });

  it("refuses what is no such message", () => {
    const bad = [
      Uint8Array.from([1, 2, 3]),
      envelope("v1", "Pod", Uint8Array.from([10, 200])),
      envelope("v1", "Pod", int(1, 5)),
      envelope("v1", "Teapot", message()),
    ];
    for (const body of bad) expect(() => decodeObject(body, kinds)).toThrow(ProtobufError);
  });
});

describe("what clients outside the page are answered", () => {
  const session = createSession({ seed: 1, trace: "off", scenario: { nodes: 0 } });
  beforeAll(() => session.kernel.run({ untilMs: 1_000 }));
  const ask = (path: string, init: RequestInit = {}) =>
    answer(session.cluster, new Request(`http://localhost${path}`, init));
  const post = (body: Uint8Array) => {
    const headers = { "content-type": PROTOBUF };
    return ask("/api/v1/namespaces", { method: "POST", headers, body: Buffer.from(body) });
  };

  it("takes a body in protobuf, and says 415 of what it cannot read", async () => {
    const made = await post(envelope("v1", "Namespace", message([1, message([1, "n"])])));
    expect([made.status, (await made.json()).metadata.name]).toEqual([201, "n"]);
    expect((await post(Uint8Array.from([1]))).status).toBe(415);
  });

  it("has the definitions of every kind in /openapi/v2, each reference resolved", async () => {
    const { definitions, paths } = await (await ask("/openapi/v2")).json();
    const spec = definitions["io.k8s.api.policy.v1.PodDisruptionBudgetSpec"].properties;
    expect(spec.selector).toMatchObject({
      $ref: "#/definitions/io.k8s.apimachinery.pkg.apis.meta.v1.LabelSelector",
      "x-kubernetes-patch-strategy": "replace",
    });
    expect(spec.minAvailable.$ref).toContain("IntOrString");
    expect(paths["/api/v1/nodes/{name}"].patch.consumes).toContain("application/merge-patch+json");
    const refs = [...JSON.stringify(definitions).matchAll(/"#\/definitions\/([^"]+)"/g)];
    expect(refs.filter(([, name]) => !(name! in definitions))).toEqual([]);
  });
});

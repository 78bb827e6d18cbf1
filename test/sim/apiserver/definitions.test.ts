import { describe, expect, it } from "vitest";
import type { JsonObject, KubeObject } from "../../../sim/src/api/types.ts";
import { type Bench, messageOf, newServer } from "./server.ts";

const crds = {
  group: "apiextensions.k8s.io",
  resource: "customresourcedefinitions",
  namespace: "",
} as const;

function definition(spec: object, version: object = {}): JsonObject {
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "widgets.example.com" },
    spec: {
      group: "example.com",
      scope: "Namespaced",
      names: { plural: "widgets", kind: "Widget" },
      versions: [
        {
          name: "v1",
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: "object" } },
          ...version,
        },
      ],
      ...spec,
    },
  };
}

/** What is wrong with it; "" if nothing. */
function refused(body: JsonObject): string {
  const { ask } = newServer();
  return messageOf(ask({ verb: "create", ...crds, body })).replace(/^.*? is invalid: /, "");
}

const withSchema = (schema: object) =>
  refused(definition({}, { schema: { openAPIV3Schema: schema } }));
const field = (x: object) => withSchema({ type: "object", properties: { x } });
const AT = "spec.validation.openAPIV3Schema";

describe("a definition is refused", () => {
  it("that says nothing of its objects", () => {
    expect(refused(definition({}, { schema: undefined }))).toBe(
      "spec.versions[0].schema.openAPIV3Schema: Required value: schemas are required",
    );
  });

  it("whose names are none", () => {
    const names = { plural: "Widgets", kind: "Widget", listKind: "Widget", shortNames: ["W"] };
    const label = (what: string) => expect.stringContaining(what);
    expect(refused(definition({ names }))).toEqual(
      label(
        'metadata.name: Invalid value: "widgets.example.com": must be spec.names.plural+"."+spec.group',
      ),
    );
    expect(refused(definition({ names }))).toEqual(
      label('spec.names.listKind: Invalid value: "Widget": kind and listKind may not be the same'),
    );
    expect(refused(definition({ names }))).toEqual(
      label('spec.names.shortNames[0]: Invalid value: "W": a DNS-1035 label'),
    );
  });

  it("whose versions do not agree on the one that is stored", () => {
    const schema = { openAPIV3Schema: { type: "object" } };
    const one = { served: true, storage: true, schema };
    const versions = [
      { name: "v1", ...one },
      { name: "v1", ...one },
    ];
    const shown =
      '{"Name":"v1","Served":true,"Storage":true,"Deprecated":false,"DeprecationWarning":null,"Schema":null,"Subresources":null,"AdditionalPrinterColumns":null,"SelectableFields":null}';
    expect(refused(definition({ versions }))).toBe(
      `[spec.versions: Invalid value: [${shown},${shown}]: must contain unique version names, spec.versions: Invalid value: [${shown},${shown}]: must have exactly one version marked as storage version]`,
    );
  });

  it("of a group of Kubernetes that nobody approved", () => {
    const body = { ...definition({ group: "x.k8s.io" }), metadata: { name: "widgets.x.k8s.io" } };
    expect(refused(body)).toBe(
      'metadata.annotations[api-approved.kubernetes.io]: Required value: protected groups must have approval annotation "api-approved.kubernetes.io", see https://github.com/kubernetes/enhancements/pull/1111',
    );
    const annotations = { "api-approved.kubernetes.io": "unapproved, a test" };
    expect(refused({ ...body, metadata: { ...body.metadata, annotations } })).toBe("");
  });

  it("whose scale is read from elsewhere", () => {
    const scale = { specReplicasPath: ".status.replicas", statusReplicasPath: "status" };
    expect(refused(definition({}, { subresources: { scale } }))).toBe(
      '[spec.subresources.scale.specReplicasPath: Invalid value: ".status.replicas": should be a json path under .spec, spec.subresources.scale.statusReplicasPath: Invalid value: "status": must be a simple json path starting with .]',
    );
  });

  it("whose columns are of no type", () => {
    const additionalPrinterColumns = [{ name: "a", type: "text", jsonPath: "spec" }];
    expect(refused(definition({}, { additionalPrinterColumns }))).toBe(
      '[spec.additionalPrinterColumns[0].type: Invalid value: "text": must be one of boolean,date,integer,number,string, spec.additionalPrinterColumns[0].JSONPath: Invalid value: "spec": must be a simple json path starting with .]',
    );
  });

  it("that selects by what is not there", () => {
    const selectableFields = [{ jsonPath: ".spec.a" }];
    expect(refused(definition({}, { selectableFields }))).toBe(
      'spec.selectableFields[0].jsonPath: Invalid value: ".spec.a": is an invalid path: does not refer to a valid field',
    );
  });
});

describe("a schema", () => {
  const cases: [string, object, string][] = [
    [
      "needs types",
      {},
      `${AT}.properties[x].type: Required value: must not be empty for specified object fields`,
    ],
    [
      "knows few types",
      { type: "text" },
      `${AT}.properties[x].type: Unsupported value: "text": supported values: "array", "boolean", "integer", "number", "object", "string"`,
    ],
    [
      "tells what lists hold",
      { type: "array" },
      `${AT}.properties[x].items: Required value: must be specified`,
    ],
    [
      "has logic without types",
      { type: "object", anyOf: [{ type: "object", required: ["a"] }] },
      `${AT}.properties[x].anyOf[0].type: Forbidden: must be empty to be structural`,
    ],
    [
      "tells fields outside of logic",
      { type: "object", allOf: [{ properties: { a: { minimum: 1 } } }] },
      `${AT}.properties[x].properties[a]: Required value: because it is defined in ${AT}.properties[x].allOf[0].properties[a]`,
    ],
    [
      "has maps or fields",
      {
        type: "object",
        properties: { a: { type: "string" } },
        additionalProperties: { type: "string" },
      },
      `${AT}.properties[x].additionalProperties: Forbidden: additionalProperties and properties are mutual exclusive`,
    ],
    [
      "has defaults that fit",
      { type: "integer", default: "a" },
      `${AT}.properties[x].default: Invalid value: "string":  in body must be of type integer: "string"`,
    ],
    [
      "has defaults of known fields",
      { type: "object", default: { a: 1 } },
      `${AT}.properties[x].default: Invalid value: {"a":1}: must not have unknown fields`,
    ],
    [
      "has no unique items",
      { type: "array", uniqueItems: true, items: { type: "string" } },
      `${AT}.properties[x].uniqueItems: Forbidden: uniqueItems cannot be set to true since the runtime complexity becomes quadratic`,
    ],
    [
      "has keys of maps",
      { type: "array", "x-kubernetes-list-type": "map", items: { type: "object" } },
      `${AT}.properties[x].x-kubernetes-list-map-keys: Required value: must not be empty if x-kubernetes-list-type is map`,
    ],
    [
      "has keys that are there",
      {
        type: "array",
        "x-kubernetes-list-type": "map",
        "x-kubernetes-list-map-keys": ["a"],
        items: { type: "object", properties: { a: { type: "string" } } },
      },
      `${AT}.properties[x].items.properties[a].default: Required value: this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property`,
    ],
    [
      "has sets of whole things",
      { type: "array", "x-kubernetes-list-type": "set", items: { type: "object" } },
      `${AT}.properties[x].items.x-kubernetes-map-type: Invalid value: "null": must be atomic as item of a list with x-kubernetes-list-type=set`,
    ],
    [
      "keeps unknown fields or not",
      { type: "object", "x-kubernetes-preserve-unknown-fields": false },
      `${AT}.properties[x].x-kubernetes-preserve-unknown-fields: Invalid value: false: must be true or undefined`,
    ],
    [
      "does not embed what it does not know",
      { type: "object", "x-kubernetes-embedded-resource": true },
      `${AT}.properties[x].properties: Required value: must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields`,
    ],
  ];
  for (const [what, x, message] of cases) {
    it(what, () => expect(field(x)).toBe(message));
  }

  it("may leave the type of an integer or a string open", () => {
    const anyOf = [{ type: "integer" }, { type: "string" }];
    expect(field({ "x-kubernetes-int-or-string": true, anyOf })).toBe("");
  });

  it("says of metadata the names alone", () => {
    const metadata = { type: "object", properties: { labels: { type: "object" } } };
    expect(withSchema({ type: "object", properties: { metadata } })).toBe(
      `${AT}.properties[metadata]: Forbidden: must not specify anything other than name and generateName, but metadata is implicitly specified`,
    );
  });

  it("warns of formats that nobody knows", () => {
    const { ask } = newServer();
    const schema = {
      type: "object",
      properties: { x: { type: "string", format: "odd" }, n: { type: "integer", format: "int32" } },
    };
    const body = definition({}, { schema: { openAPIV3Schema: schema } });
    const options = { fieldManager: "kubectl" };
    expect(ask({ verb: "create", ...crds, body, options }).warnings).toEqual([
      'unrecognized format "odd"',
    ]);
  });
});

describe("a rule of a schema", () => {
  const rule = (one: object, x: object = { type: "integer" }) =>
    field({ ...x, "x-kubernetes-validations": [one] });
  const HERE = `${AT}.properties[x].x-kubernetes-validations[0]`;
  const printed = (text: string) =>
    `{"Rule":"${text}","Message":"","MessageExpression":"","Reason":null,"FieldPath":"","OptionalOldSelf":null}`;

  it("compares what can be compared", () => {
    expect(rule({ rule: "self == 'a'" })).toBe(
      `${HERE}.rule: Invalid value: ${printed("self == 'a'")}: compilation failed: ERROR: <input>:1:6: found no matching overload for '_==_' applied to '(int, string)'\n | self == 'a'\n | .....^`,
    );
  });

  it("names fields that are there", () => {
    const x = { type: "object", properties: { "a-b": { type: "string" } } };
    expect(rule({ rule: "self.a__dash__b == ''" }, x)).toBe("");
    expect(rule({ rule: "self.c == ''" }, x)).toContain(
      "ERROR: <input>:1:5: undefined field 'c'\n | self.c == ''\n | ....^",
    );
  });

  it("is a test", () => {
    expect(rule({ rule: "self" })).toBe(
      `${HERE}.rule: Invalid value: ${printed("self")}: cel expression must evaluate to a bool`,
    );
  });

  it("has a message in one line, and a reason that is one", () => {
    expect(rule({ rule: "true", message: "a\nb", reason: "Odd", fieldPath: ".y" })).toBe(
      `[${HERE}.message: Invalid value: "a\\nb": message must not contain line breaks, ${HERE}.reason: Unsupported value: "Odd": supported values: "FieldValueDuplicate", "FieldValueForbidden", "FieldValueInvalid", "FieldValueRequired", ${HERE}.fieldPath: Invalid value: ".y": fieldPath must be a valid path]`,
    );
  });

  it("looks back only where parts are told apart", () => {
    const one = { rule: "self == oldSelf" };
    const items = { type: "string", "x-kubernetes-validations": [one] };
    expect(field({ type: "array", items })).toBe(
      `${AT}.properties[x].items.x-kubernetes-validations[0].rule: Invalid value: "self == oldSelf": oldSelf cannot be used on the uncorrelatable portion of the schema within ${AT}.properties[x]`,
    );
    expect(rule({ rule: "true", optionalOldSelf: true })).toBe(
      `${HERE}.optionalOldSelf: Invalid value: true: may not be set if oldSelf is not used in rule`,
    );
  });
});

async function served(schema: object, version: object = {}): Promise<Bench> {
  const bench = newServer();
  const body = definition({}, { schema: { openAPIV3Schema: schema }, ...version });
  expect(messageOf(bench.ask({ verb: "create", ...crds, body }))).toBe("");
  await bench.kernel.run({ untilMs: bench.kernel.now() + 1 });
  return bench;
}

const widgets = { group: "example.com", resource: "widgets" } as const;
const widget = (spec: object) => ({
  apiVersion: "example.com/v1",
  kind: "Widget",
  metadata: { name: "w" },
  spec,
});

async function wrong(spec: object, properties: object, more: object = {}): Promise<string> {
  const schema = { type: "object", properties: { spec: { type: "object", properties, ...more } } };
  const { ask } = await served(schema);
  const answer = ask({ verb: "create", ...widgets, body: widget(spec) });
  return messageOf(answer).replace(/^.*? is invalid: /, "");
}

describe("an object of a definition", () => {
  it("fits formats, sets and maps", async () => {
    const string = { type: "string" };
    expect(await wrong({ a: "x" }, { a: { type: "string", format: "date-time" } })).toBe(
      'spec.a: Invalid value: "x": spec.a in body must be of type date-time: "x"',
    );
    const set = { type: "array", items: string, "x-kubernetes-list-type": "set" };
    expect(await wrong({ a: ["x", "x"] }, { a: set })).toBe('spec.a[1]: Duplicate value: "x"');
    const keyed = {
      type: "array",
      items: { type: "object", required: ["k"], properties: { k: string, v: string } },
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["k"],
    };
    const items = [{ k: "a" }, { k: "a", v: "1" }];
    expect(await wrong({ a: items }, { a: keyed })).toBe('spec.a[1]: Duplicate value: {"k":"a"}');
  });

  it("fits logic, as the real one tells it", async () => {
    const oneOf = [{ required: ["a"] }, { required: ["b"] }];
    const properties = { a: { type: "string" }, b: { type: "string" } };
    expect(await wrong({}, properties, { oneOf })).toBe(
      '[<nil>: Invalid value: "": "spec" must validate one and only one schema (oneOf). Found none valid, spec.a: Required value]',
    );
    expect(await wrong({ a: "", b: "" }, properties, { oneOf })).toBe(
      '<nil>: Invalid value: "": "spec" must validate one and only one schema (oneOf). Found 2 valid alternatives',
    );
  });

  it("is told which of its fields breaks a rule, and why", async () => {
    const rules = [
      { rule: "self.a < 3", fieldPath: ".a", reason: "FieldValueForbidden", message: "small" },
      { rule: "self.a < 4", messageExpression: "'not ' + string(self.a)" },
      { rule: "self.a < 5" },
    ];
    expect(
      await wrong({ a: 9 }, { a: { type: "integer" } }, { "x-kubernetes-validations": rules }),
    ).toBe(
      '[spec.a: Forbidden: small, spec: Invalid value: "object": not 9, spec: Invalid value: "object": failed rule: self.a < 5]',
    );
  });

  it("has fields whose names expressions write otherwise", async () => {
    const properties = { "a-b": { type: "string" }, namespace: { type: "string" } };
    const rule = "self.a__dash__b == self.__namespace__";
    const more = { "x-kubernetes-validations": [{ rule }] };
    expect(await wrong({ "a-b": "x", namespace: "x" }, properties, more)).toBe("");
    expect(await wrong({ "a-b": "x", namespace: "y" }, properties, more)).toContain("failed rule");
  });

  it("may keep what a stricter schema would refuse, until it is changed", async () => {
    const schema = (maxLength: number) => ({
      type: "object",
      properties: {
        spec: {
          type: "object",
          properties: { a: { type: "string", maxLength }, b: { type: "string", maxLength } },
        },
      },
    });
    const bench = await served(schema(9));
    const { ask, kernel } = bench;
    ask({ verb: "create", ...widgets, body: widget({ a: "long", b: "x" }) });
    const { body } = ask({ verb: "get", ...crds, name: "widgets.example.com" });
    const spec = (body as KubeObject & { spec: JsonObject }).spec;
    const versions = [
      { ...(spec.versions as JsonObject[])[0], schema: { openAPIV3Schema: schema(2) } },
    ];
    const next = { ...(body as KubeObject), spec: { ...spec, versions } };
    expect(
      messageOf(ask({ verb: "update", ...crds, name: "widgets.example.com", body: next })),
    ).toBe("");
    await kernel.run({ untilMs: kernel.now() + 1 });
    const patchType = "application/merge-patch+json" as const;
    const patch = (change: object) =>
      ask({ verb: "patch", ...widgets, name: "w", patchType, body: { spec: change } });
    expect(patch({ b: "y" }).code).toBe(200);
    expect(messageOf(patch({ a: "longer" }))).toContain(
      "spec.a: Too long: may not be more than 2 bytes",
    );
  });
});

describe("names of a definition", () => {
  it("are not given to another of the group", async () => {
    const { ask, kernel } = await served({ type: "object" });
    const other = definition({ names: { plural: "gadgets", kind: "Widget" } });
    const body = { ...other, metadata: { name: "gadgets.example.com" } };
    ask({ verb: "create", ...crds, body });
    await kernel.run({ untilMs: kernel.now() + 1 });
    const conditions = () => {
      const { body } = ask({ verb: "get", ...crds, name: "gadgets.example.com" });
      const { status } = body as KubeObject & { status: JsonObject };
      return (status.conditions as JsonObject[]).map(
        ({ type, status, reason, message }) => `${type}=${status} ${reason}: ${message}`,
      );
    };
    expect(conditions()).toEqual([
      'NamesAccepted=False ListKindConflict: "WidgetList" is already in use',
      "Established=False NotAccepted: not all names are accepted",
    ]);
    const gadgets = { group: "example.com", resource: "gadgets" } as const;
    expect(ask({ verb: "list", ...gadgets }).code).toBe(404);
    ask({ verb: "delete", ...crds, name: "widgets.example.com" });
    await kernel.run({ untilMs: kernel.now() + 100 });
    expect(conditions()[1]).toBe(
      "Established=True InitialNamesAccepted: the initial names have been accepted",
    );
    expect(ask({ verb: "list", ...gadgets }).code).toBe(200);
  });

  it("and its scope stay, once it is established", async () => {
    const { ask } = await served({ type: "object" });
    const { body } = ask({ verb: "get", ...crds, name: "widgets.example.com" });
    const { spec } = body as KubeObject & { spec: JsonObject };
    const next = { ...(body as KubeObject), spec: { ...spec, scope: "Cluster" } };
    const answer = ask({ verb: "update", ...crds, name: "widgets.example.com", body: next });
    expect(messageOf(answer)).toContain('spec.scope: Invalid value: "Cluster": field is immutable');
  });
});

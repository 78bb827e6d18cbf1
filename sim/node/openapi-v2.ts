/**
 * /openapi/v2, made of the documents of v3: what clients fall back to for a
 * kind that no v3 document names, and what old ones know alone. As JSON, or as
 * the protobuf that kubectl asks for.
 * Models: kube-openapi/pkg/{builder,handler}, gnostic-models/openapiv2
 */
import { message } from "./protobuf/wire.ts";

/** As it is asked for; the answer has a dot for the `@`, which no media type may hold. */
export const OPENAPI_V2_PROTOBUF = "application/com.github.proto-openapi.spec.v2@v1.0+protobuf";

type Doc = { readonly [key: string]: unknown };
type Ask = (path: string) => Promise<Doc>;

/** The whole document; `ask` gets the server's answer to a path. */
export async function openApiV2(ask: Ask): Promise<Doc> {
  const definitions: { [name: string]: unknown } = {};
  const paths: { [path: string]: unknown } = {};
  const index = Object.keys(part(await ask("/openapi/v3"), "paths"));
  for (const path of index.filter((one) => /^apis?\/.*v\d/.test(one))) {
    const document = await ask(`/openapi/v3/${path}`);
    const schemas = part(part(document, "components"), "schemas");
    for (const name in schemas) definitions[name] = schemaV2(part(schemas, name));
    const own = part(document, "paths");
    for (const at in own) paths[at] = mapped(part(own, at), operationV2);
  }
  const info = { title: "Kubernetes", version: "v1.36.2" };
  return { swagger: "2.0", info, paths, definitions };
}

function part(doc: Doc, key: string): Doc {
  return (doc[key] ?? {}) as Doc;
}

function mapped(doc: Doc, change: (one: Doc) => unknown): Doc {
  return Object.fromEntries(Object.keys(doc).map((key) => [key, change(part(doc, key))]));
}

function schemaV2(schema: Doc): Doc {
  const { allOf, oneOf, properties, items, additionalProperties, $ref, ...kept } = schema;
  const [only] = (allOf ?? []) as Doc[];
  const target = ($ref ?? only?.$ref) as string | undefined;
  return {
    ...(target ? { $ref: target.replace("components/schemas", "definitions") } : {}),
    ...kept,
    ...(oneOf ? { type: "string" } : {}),
    ...(properties ? { properties: mapped(properties as Doc, schemaV2) } : {}),
    ...(items ? { items: schemaV2(items as Doc) } : {}),
    ...(additionalProperties
      ? { additionalProperties: schemaV2(additionalProperties as Doc) }
      : {}),
  };
}

function operationV2({ parameters, requestBody, ...kept }: Doc): Doc {
  const query = ((parameters ?? []) as Doc[]).map(({ schema, ...one }) => {
    return { ...one, type: part({ schema }, "schema").type };
  });
  const consumes = requestBody ? Object.keys(part(requestBody as Doc, "content")) : undefined;
  return { ...kept, parameters: query, ...(consumes ? { consumes } : {}) };
}

/** The document as an openapi.v2.Document. */
export function encodeOpenApiV2(doc: Doc): Uint8Array {
  const { title, version } = part(doc, "info") as { title: string; version: string };
  return message(
    [1, doc.swagger as string],
    [2, message([1, title], [2, version])],
    [8, message([2, named(part(doc, "paths"), encodePath)])],
    [9, message([1, named(part(doc, "definitions"), encodeSchema)])],
  );
}

/** Pairs of a name and what it names. */
function named(doc: Doc, encode: (value: Doc) => Uint8Array): Uint8Array[] {
  return Object.keys(doc).map((name) => message([1, name], [2, encode(part(doc, name))]));
}

const METHODS = { get: 2, put: 3, post: 4, delete: 5, patch: 8 };

function encodePath(path: Doc): Uint8Array {
  const methods = Object.entries(METHODS).filter(([method]) => path[method]);
  return message(
    ...methods.map(([method, number]) => [number, encodeOperation(part(path, method))] as const),
  );
}

function encodeOperation(operation: Doc): Uint8Array {
  const parameters = ((operation.parameters ?? []) as { [key: string]: string }[]).map((one) => {
    const query = message([2, one.in], [4, one.name], [6, one.type]);
    return message([1, message([2, message([3, query])])]);
  });
  return message(
    [7, operation.consumes as string[] | undefined],
    [8, parameters],
    [13, extensions(operation)],
  );
}

function encodeSchema(schema: Doc): Uint8Array {
  const { additionalProperties, items, properties, type } = schema;
  return message(
    [1, schema.$ref as string | undefined],
    [2, schema.format as string | undefined],
    [4, schema.description as string | undefined],
    [19, schema.required as string[] | undefined],
    [
      21,
      additionalProperties ? message([1, encodeSchema(additionalProperties as Doc)]) : undefined,
    ],
    [22, type ? message([1, type as string]) : undefined],
    [23, items ? message([1, encodeSchema(items as Doc)]) : undefined],
    [25, properties ? message([1, named(properties as Doc, encodeSchema)]) : undefined],
    [31, extensions(schema)],
  );
}

/** `x-…`: their values are YAML, and JSON is that too. */
function extensions(doc: Doc): Uint8Array[] {
  const names = Object.keys(doc).filter((name) => name.startsWith("x-"));
  return names.map((name) => {
    return message([1, name], [2, message([2, JSON.stringify(doc[name])])]);
  });
}

/**
 * Which form of an answer the client takes, by its Accept header.
 * Models:     apiserver/pkg/endpoints/handlers/negotiation/negotiate.go @ v1.36
 * Leaves out: protobuf and CBOR: clients that ask for them take JSON too.
 */
export interface MediaType {
  /** `application/json`. */
  readonly type: string;
  readonly params: { readonly [name: string]: string };
}

export interface Accepted {
  readonly type: "application/json" | "application/yaml";
  /** What the object is to be turned into. */
  readonly as?: "Table" | "PartialObjectMetadata" | "PartialObjectMetadataList";
}

export function parseMediaTypes(header: string): MediaType[] {
  return header.split(",").map((part) => {
    const [type = "", ...rest] = part.split(";").map((text) => text.trim());
    const params: Record<string, string> = {};
    for (const text of rest) {
      const equals = text.indexOf("=");
      if (equals > 0) params[text.slice(0, equals)] = text.slice(equals + 1);
    }
    return { type: type.toLowerCase(), params };
  });
}

const CONVERSIONS = [
  "Table",
  "PartialObjectMetadata",
  "PartialObjectMetadataList",
];

/**
 * The first clause that can be met; undefined: none. Errors are never turned
 * into tables.
 */
export function negotiate(
  header: string | null,
  convertible = false,
): Accepted | undefined {
  if (!header) return { type: "application/json" };
  for (const { type, params } of byQuality(parseMediaTypes(header))) {
    const known = outputType(type);
    if (!known) continue;
    const { as } = params;
    if (!as) return { type: known };
    if (!convertible || !CONVERSIONS.includes(as)) continue;
    if (params.g !== "meta.k8s.io" || params.v !== "v1") continue;
    return { type: known, as: as as Accepted["as"] };
  }
  return undefined;
}

/** The wanted most first, and of these what names its type. */
function byQuality(types: readonly MediaType[]): MediaType[] {
  const quality = ({ params }: MediaType) => Number(params.q ?? 1);
  const wild = ({ type }: MediaType) => type.split("*").length;
  return types.toSorted((a, b) => quality(b) - quality(a) || wild(a) - wild(b));
}

function outputType(type: string): Accepted["type"] | undefined {
  if (
    type === "application/json" ||
    type === "*/*" ||
    type === "application/*"
  ) {
    return "application/json";
  }
  return type === "application/yaml" ? type : undefined;
}

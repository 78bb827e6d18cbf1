/**
 * Types that have a name of their own in OpenAPI though no struct is behind
 * them: quantities, times, and what may be any JSON.
 * Models: apimachinery/pkg/{api/resource,util/intstr,apis/meta/v1,runtime},
 *         OpenAPISchemaType and OpenAPIV3OneOfTypes @ v1.36
 */
import type { Json } from "./types.ts";

const MACHINERY = "io.k8s.apimachinery.pkg";
const EXTENSIONS =
  "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSON";

const object: Json = { type: "object" };
const moment: Json = { type: "string", format: "date-time" };

function oneOf(...types: readonly string[]): Json {
  return { oneOf: types.map((type) => ({ type })) };
}

/** By the letter of the schema notation, or by a name of RAW. */
const SHARED: { readonly [key: string]: readonly [string, Json] } = {
  q: [`${MACHINERY}.api.resource.Quantity`, oneOf("string", "number")],
  o: [
    `${MACHINERY}.util.intstr.IntOrString`,
    { ...(oneOf("integer", "string") as object), format: "int-or-string" },
  ],
  t: [`${MACHINERY}.apis.meta.v1.Time`, moment],
  m: [`${MACHINERY}.apis.meta.v1.MicroTime`, moment],
  FieldsV1: [`${MACHINERY}.apis.meta.v1.FieldsV1`, object],
  RawExtension: [`${MACHINERY}.runtime.RawExtension`, object],
  JSON: [EXTENSIONS, {}],
  JSONSchemaPropsOrBool: [`${EXTENSIONS}SchemaPropsOrBool`, {}],
  JSONSchemaPropsOrArray: [`${EXTENSIONS}SchemaPropsOrArray`, {}],
  JSONSchemaPropsOrStringArray: [`${EXTENSIONS}SchemaPropsOrStringArray`, {}],
  CustomResourceSubresourceStatus: [
    EXTENSIONS.replace(/JSON$/, "CustomResourceSubresourceStatus"),
    object,
  ],
};

/** The type's name in a document, and its schema. */
export function sharedType(key: string): [string, Json] | undefined {
  const found = SHARED[key];
  return found && [...found];
}

const RAW: { readonly [field: string]: string } = {
  "ManagedFieldsEntry.fieldsV1": "FieldsV1",
  "ControllerRevision.data": "RawExtension",
  "CustomResourceSubresources.status": "CustomResourceSubresourceStatus",
  "JSONSchemaProps.default": "JSON",
  "JSONSchemaProps.example": "JSON",
  "JSONSchemaProps.enum": "JSON",
  "JSONSchemaProps.items": "JSONSchemaPropsOrArray",
  "JSONSchemaProps.additionalItems": "JSONSchemaPropsOrBool",
  "JSONSchemaProps.additionalProperties": "JSONSchemaPropsOrBool",
  "JSONSchemaProps.dependencies": "JSONSchemaPropsOrStringArray",
};

/** What any JSON of a field is called; "" if it has no name. */
export function rawTypeOf(struct: string, field: string): string {
  return RAW[`${struct}.${field}`] ?? "";
}

/** Types of fields as explain names them. */
import type { Schemas, Struct, TypeRef } from "../../api/schema.ts";

export const PLAIN: { readonly [letter: string]: string } = {
  s: "string",
  q: "Quantity",
  o: "IntOrString",
  b: "boolean",
  i: "integer",
  l: "integer",
  f: "number",
  t: "string",
  m: "string",
  y: "string",
  r: "Object",
};

export function structOf(type: TypeRef, schemas: Schemas): Struct | undefined {
  if (type.of) return structOf(type.of, schemas);
  return PLAIN[type.name] ? undefined : schemas.struct(type.name);
}

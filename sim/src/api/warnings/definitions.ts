/**
 * Formats that a definition asks for and nobody knows: texts are not checked.
 * Models: apiextensions-apiserver/pkg/registry/customresourcedefinition/strategy.go @ v1.36
 */
import { unknownFormats } from "../custom/formats.ts";
import { quote } from "../go-text.ts";
import { obj } from "../kinds/access.ts";
import { eachSchema, saidOf } from "../kinds/crd/hub.ts";
import type { Obj } from "../kinds/definition.ts";

export function definitionWarnings(
  crd: Obj,
  old: Obj | undefined,
): readonly string[] {
  const known = new Set(old ? formatsOf(old) : []);
  return formatsOf(crd)
    .filter((format) => !known.has(format))
    .map((format) => `unrecognized format ${quote(format)}`);
}

function formatsOf(crd: Obj): string[] {
  const found: string[] = [];
  for (const { value } of saidOf(obj(crd.spec), "schema")) {
    const schema = obj(obj(value).openAPIV3Schema);
    eachSchema(schema, (one) => found.push(...unknownFormats(one)));
  }
  return found;
}

/**
 * What is wrong with the types of a configuration, before it is applied.
 * Models:     structured-merge-diff/v6 typed/validate.go, helpers.go
 */
import { goJson, goTypeOf, goValue, quote } from "../../go-text.ts";
import type { Json } from "../../types.ts";
import { isList, isObject } from "../value.ts";
import type { Place } from "./shape.ts";
import {
  elementOf,
  fieldPlace,
  isNamedField,
  itemPlace,
  takesAnyField,
} from "./shape.ts";

/** One text; "" if there is nothing wrong. */
export function typeErrors(place: Place, config: Json): string {
  const errors = errorsAt(place, config, "");
  if (errors.length < 2) return errors[0] ?? "";
  return `errors:\n${errors.map((error) => `  ${error}`).join("\n")}`;
}

function errorsAt(
  place: Place,
  value: Json | undefined,
  path: string,
): string[] {
  if (value === null || value === undefined) return [];
  const { shape, name, of } = place.type;
  const wrong = (what: string) => [path ? `${path}: ${what}` : what];
  if (shape === "list") {
    if (isList(value)) return itemErrors(place, value, path);
    // A text may stand for bytes.
    if (of?.name === "y" && typeof value === "string") return [];
    return wrong(`expected list, got &{${goValue(value)}}`);
  }
  if (shape === "map" || /^[A-Z]/.test(name)) {
    if (!isObject(value))
      return wrong(`expected map, got &{${goValue(value)}}`);
    return Object.entries(value).flatMap(([key, child]) => {
      const at = `${path}.${key}`;
      const known = takesAnyField(place) || isNamedField(place, key);
      if (!known) return [`${at}: field not declared in schema`];
      return errorsAt(fieldPlace(place, key), child, at);
    });
  }
  const problem = scalarError(name, value);
  return problem ? wrong(problem) : [];
}

/** By the letters of the schema's notation. */
function scalarError(letter: string, value: Json): string | undefined {
  const isNumber = typeof value === "number";
  const isScalar = typeof value !== "object";
  switch (letter) {
    case "i":
    case "l":
    case "f":
      if (isNumber) return undefined;
      return `expected numeric (int or float), got ${goTypeOf(value)}`;
    case "b":
      if (typeof value === "boolean") return undefined;
      return `expected boolean, got &{${goValue(value)}}`;
    case "s":
    case "y":
      if (typeof value === "string") return undefined;
      return `expected string, got &value.valueUnstructured{Value:${goSyntax(value)}}`;
    case "q":
    case "o":
      if (isScalar) return undefined;
      return `expected any scalar, got &{${goValue(value)}}`;
    default:
      return undefined;
  }
}

/** `%#v`: a value as it stands in Go's source. */
function goSyntax(value: Json): string {
  if (typeof value === "string") return quote(value);
  if (isList(value)) return `[]interface {}{${value.map(goSyntax).join(", ")}}`;
  if (!isObject(value))
    return value === null ? "interface {}(nil)" : `${value}`;
  const fields = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const written = fields.map(
    ([key, child]) => `${quote(key)}:${goSyntax(child)}`,
  );
  return `map[string]interface {}{${written.join(", ")}}`;
}

function itemErrors(
  place: Place,
  items: readonly Json[],
  path: string,
): string[] {
  const errors: string[] = [];
  const inner = itemPlace(place);
  const keyed = place.listType === "map" || place.listType === "set";
  const seen = new Set<string>();
  for (const [i, item] of items.entries()) {
    if (!keyed) {
      errors.push(...errorsAt(inner, item, `${path}[${i}]`));
      continue;
    }
    const problem = identityError(place, item);
    // What has no identity ends the list: nothing can be said of the rest.
    if (problem) return [...errors, `${path}: element ${i}: ${problem}`];
    const element = elementText(elementOf(place, item));
    if (seen.has(element)) {
      errors.push(`${path}: duplicate entries for key ${element}`);
    }
    seen.add(element);
    errors.push(...errorsAt(inner, item, path + element));
  }
  return errors;
}

function identityError(place: Place, item: Json): string | undefined {
  if (place.listType === "map") {
    const keys = "associative list with keys may not have";
    if (item === null) return `${keys} a null element`;
    return isObject(item) ? undefined : `${keys} non-map elements`;
  }
  if (isList(item)) {
    return "not supported: associative list with lists as elements";
  }
  const what = "associative list without keys has an element that's";
  if (item === null) return `${what} an explicit null`;
  return isObject(item) ? `${what} a map type` : undefined;
}

/** `[name="c"]` or `[="x"]`, from `k:{"name":"c"}` and `v:"x"`. */
function elementText(element: string): string {
  const value: Json = JSON.parse(element.slice(2));
  if (element.startsWith("v:")) return `[=${goJson(value)}]`;
  const keys = isObject(value) ? Object.entries(value) : [];
  return `[${keys.map(([key, one]) => `${key}=${goJson(one)}`).join(",")}]`;
}

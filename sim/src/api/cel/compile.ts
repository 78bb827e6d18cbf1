/**
 * Expressions of admission: what they may name, and what they must come to.
 * Models: apiserver/pkg/admission/plugin/cel/compile.go @ v1.36
 */
import { checkCel } from "./check.ts";
import { DYN, isUnknown, UNKNOWN } from "./types.ts";

/** Names whose types the server does not know: objects of any kind. */
const OBJECTS = ["object", "oldObject", "params"];

/** For admission: `names` may be used; `types` is what it may come to. */
export function compileErrors(
  expression: string,
  names: readonly string[],
  types: readonly string[],
): string[] {
  const scope = Object.fromEntries(
    names.map((name) => [name, OBJECTS.includes(name) ? DYN : UNKNOWN]),
  );
  const { errors, type } = checkCel(expression, scope);
  if (errors) return [`compilation failed: ${errors}`];
  const fits = types.length === 0 || types.includes(type.kind);
  if (fits || isUnknown(type)) return [];
  return types.length === 1
    ? [`must evaluate to ${types[0]}`]
    : [`must evaluate to one of [${types.join(" ")}]`];
}

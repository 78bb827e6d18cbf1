/**
 * The simple JSON paths of printer columns: `.spec.replicas`,
 * `.status.conditions[?(@.type=="Ready")].status`, `.spec.items[0].name`.
 */
import { obj } from "../../api/kinds/access.ts";
import type { Json } from "../../api/types.ts";

const STEP =
  /\.([\w-]+)|\['([^']+)'\]|\[(\d+)\]|\[\?\(@\.([\w.-]+)\s*==\s*["']([^"']*)["']\)\]/gy;

/** The value at `path`; undefined if there is none. */
export function valueAtPath(value: Json, path: string): Json {
  let found: Json = value;
  STEP.lastIndex = 0;
  for (const [, name, quoted, index, field, wanted] of path.matchAll(STEP)) {
    if (found === undefined || found === null) return undefined;
    if (index !== undefined) {
      found = Array.isArray(found) ? found[Number(index)] : undefined;
    } else if (field !== undefined) {
      const items: readonly Json[] = Array.isArray(found) ? found : [];
      found = items.find((item) => String(obj(item)[field]) === wanted);
    } else found = obj(found)[name ?? quoted ?? ""];
  }
  return found;
}

/** `object` with the value at a plain path replaced. */
export function withValueAt(object: Json, path: string, value: Json): Json {
  const [first = "", ...rest] = path.replace(/^\./, "").split(".");
  const outer = obj(object);
  const inner =
    rest.length === 0
      ? value
      : withValueAt(outer[first], rest.join("."), value);
  return { ...outer, [first]: inner };
}

/**
 * The annotation in which kubectl apply remembers what it applied last.
 * Models:     kubectl/pkg/util/apply.go @ v1.36
 */
import type { Json, JsonObject, KubeObject } from "../api/types.ts";

export const LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration";

/** The object with itself in its annotation, as compact JSON. */
export function withLastApplied<T extends KubeObject>(object: T): T {
  const { [LAST_APPLIED]: _, ...annotations } =
    object.metadata.annotations ?? {};
  const plain = { ...object, metadata: { ...object.metadata, annotations } };
  const text = `${goJson(plain as KubeObject as KubeObject & JsonObject)}\n`;
  return {
    ...object,
    metadata: {
      ...object.metadata,
      annotations: { ...annotations, [LAST_APPLIED]: text },
    },
  };
}

export function lastAppliedOf(object: KubeObject): JsonObject | undefined {
  const text = object.metadata.annotations?.[LAST_APPLIED];
  return text === undefined ? undefined : (JSON.parse(text) as JsonObject);
}

/** JSON as Go writes a map: keys in order, `<`, `>` and `&` escaped. */
export function goJson(value: Json): string {
  return escaped(JSON.stringify(sorted(value)));
}

/** Signs that Go does not write as they are. */
export function escaped(text: string): string {
  return text.replace(
    /[<>&\u2028\u2029]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

function sorted(value: Json): Json {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const object = value as JsonObject;
  const keys = Object.keys(object).sort();
  return Object.fromEntries(keys.map((key) => [key, sorted(object[key])]));
}

/**
 * The annotation in which kubectl apply remembers what it applied last.
 * Models:     kubectl/pkg/util/apply.go @ v1.36
 */
import { goSortedJson } from "../api/go-text.ts";
import type { JsonObject, KubeObject } from "../api/types.ts";

export const LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration";

/** The object with itself in its annotation, as compact JSON. */
export function withLastApplied<T extends KubeObject>(object: T): T {
  const { [LAST_APPLIED]: _, ...annotations } =
    object.metadata.annotations ?? {};
  const plain = { ...object, metadata: { ...object.metadata, annotations } };
  const text = `${goSortedJson(plain)}\n`;
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

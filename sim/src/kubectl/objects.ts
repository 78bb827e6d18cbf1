/** Typed objects as objects whose fields are open, and the other way round. */
import type { Obj } from "../api/kinds/definition.ts";
import type { JsonObject, KubeList, KubeObject } from "../api/types.ts";

export function itemsOf(list: KubeList): readonly Obj[] {
  return list.items as readonly Obj[];
}

/** The caller knows the kind. */
export function typed<T extends KubeObject>(object: KubeObject): T {
  return object as T;
}

export function jsonOf(object: object): JsonObject {
  return object as JsonObject;
}

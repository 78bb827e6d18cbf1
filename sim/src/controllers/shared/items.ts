/**
 * Names of objects of any kind: `pods default/web`. For controllers that
 * work on all kinds.
 */
import { groupResource, type ResourceRef } from "../../api/resource.ts";
import { type KubeObject, keyOf } from "../../api/types.ts";

/** Names one object among those of all kinds. */
export type ItemKey = string;

export function itemKey(ref: ResourceRef, object: KubeObject): ItemKey {
  return `${groupResource(ref)} ${keyOf(object)}`;
}

/** `deployments.apps` and the key within it. */
export function splitItemKey(item: ItemKey): { resource: string; key: string } {
  const space = item.indexOf(" ");
  return { resource: item.slice(0, space), key: item.slice(space + 1) };
}

/** From the watch cache to what a client gets. */
import type { KubeObject } from "../../api/types.ts";
import type { RequestContext } from "../context.ts";
import { andThen, type MaybePromise } from "../maybe.ts";
import { objectKey } from "./keys.ts";
import type { Selection } from "./selection.ts";

/** A stored object in the version that the URL asks for. */
export function served<T extends KubeObject>(
  { resource }: RequestContext,
  object: T,
): MaybePromise<KubeObject> {
  const { fromStorage } = resource;
  return fromStorage ? andThen(fromStorage([object]), onlyOne) : object;
}

function onlyOne([object]: readonly KubeObject[]): KubeObject {
  return object!;
}

/** Selected objects of the cache, by the shortest way to them. */
export function selectCached(
  ctx: RequestContext,
  { namespace, name, indexValue, matches }: Selection,
): KubeObject[] {
  const { cache } = ctx.resource.storage!;
  let found: KubeObject[];
  if (name !== undefined && (namespace || !ctx.resource.kind.namespaced)) {
    const one = cache.get(objectKey(namespace, name));
    found = one ? [one] : [];
  } else if (indexValue !== undefined) {
    found = cache.listByIndex(indexValue);
    if (namespace) {
      found = found.filter(({ metadata }) => metadata.namespace === namespace);
    }
  } else found = cache.list(namespace);
  return matches ? found.filter(matches) : found;
}

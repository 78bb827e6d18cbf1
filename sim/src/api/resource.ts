/**
 * Names a kind to a client: enough to build the request, no more. Every kind
 * definition in kinds/ is one; `T` is the type of its objects.
 */
import type { KubeObject } from "./types.ts";

export interface ResourceRef<T extends KubeObject = KubeObject> {
  /** "" for the core group. */
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  /** Plural, lower case: `pods`. */
  readonly resource: string;
  readonly namespaced: boolean;
  /** Never set: carries `T` to the compiler. */
  readonly objectType?: T;
}

/** `v1`, `apps/v1`. */
export function apiVersionOf(ref: { group: string; version: string }): string {
  return ref.group ? `${ref.group}/${ref.version}` : ref.version;
}

/** `pods`, `deployments.apps`: as error texts and RBAC messages say it. */
export function groupResource(ref: {
  group: string;
  resource: string;
}): string {
  return ref.group ? `${ref.resource}.${ref.group}` : ref.resource;
}

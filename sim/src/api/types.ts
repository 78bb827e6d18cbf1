/**
 * What every API object is made of. Objects are plain, frozen and shared: an
 * update is a new object that shares the unchanged parts. The kinds' own
 * fields are in kinds/, one file a kind.
 * Models: staging/src/k8s.io/apimachinery/pkg/apis/meta/v1/types.go @ v1.36
 */

export interface OwnerReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly controller?: boolean;
  readonly blockOwnerDeletion?: boolean;
}

export interface ManagedFieldsEntry {
  readonly manager: string;
  readonly operation: "Apply" | "Update";
  readonly apiVersion: string;
  readonly time?: string;
  readonly fieldsType: "FieldsV1";
  readonly fieldsV1: Json;
  readonly subresource?: string;
}

export interface ObjectMeta {
  readonly name: string;
  readonly generateName?: string;
  readonly namespace?: string;
  readonly uid?: string;
  readonly resourceVersion?: string;
  readonly generation?: number;
  readonly creationTimestamp?: string;
  readonly deletionTimestamp?: string;
  readonly deletionGracePeriodSeconds?: number;
  readonly labels?: Labels;
  readonly annotations?: Labels;
  readonly ownerReferences?: readonly OwnerReference[];
  readonly finalizers?: readonly string[];
  readonly managedFields?: readonly ManagedFieldsEntry[];
}

export type Labels = { readonly [key: string]: string };

/** Any object of the API; a kind adds its `spec` and `status`. Never changed in place. */
export interface KubeObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ObjectMeta;
}

export interface ListMeta {
  readonly resourceVersion?: string;
  readonly continue?: string;
  readonly remainingItemCount?: number;
}

/** What a list request answers with; `metadata.resourceVersion` is where a watch goes on. */
export interface KubeList<T extends KubeObject = KubeObject> {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ListMeta;
  readonly items: readonly T[];
}

export interface Condition {
  readonly type: string;
  readonly status: "True" | "False" | "Unknown";
  readonly observedGeneration?: number;
  readonly lastTransitionTime?: string;
  readonly lastUpdateTime?: string;
  readonly lastHeartbeatTime?: string;
  readonly lastProbeTime?: string | null;
  readonly reason?: string;
  readonly message?: string;
}

/** The body of an error answer (and of some deletes). */
export interface Status {
  readonly kind: "Status";
  readonly apiVersion: "v1";
  readonly metadata: ListMeta;
  readonly status: "Success" | "Failure";
  readonly message?: string;
  readonly reason?: string;
  readonly details?: StatusDetails;
  readonly code?: number;
}

export interface StatusDetails {
  readonly name?: string;
  readonly group?: string;
  readonly kind?: string;
  readonly uid?: string;
  readonly causes?: readonly StatusCause[];
  readonly retryAfterSeconds?: number;
}

export interface StatusCause {
  readonly reason?: string;
  readonly message?: string;
  readonly field?: string;
}

/** An event on a watch; not the API kind Event. */
export interface WatchEvent<T extends KubeObject = KubeObject> {
  readonly type: "ADDED" | "MODIFIED" | "DELETED" | "BOOKMARK" | "ERROR";
  readonly object: T;
}

/** `default/web`, or `web` for a cluster-wide object. */
export type ObjectKey = string;

export function keyOf(object: KubeObject): ObjectKey {
  const { namespace, name } = object.metadata;
  return namespace ? `${namespace}/${name}` : name;
}

/** Splits a key; namespace is "" for a cluster-wide object. */
export function splitKey(key: ObjectKey): { namespace: string; name: string } {
  const slash = key.indexOf("/");
  return slash < 0
    ? { namespace: "", name: key }
    : { namespace: key.slice(0, slash), name: key.slice(slash + 1) };
}

/** The owner that manages the object, if it has one. */
export function controllerOf(object: KubeObject): OwnerReference | undefined {
  const owners = object.metadata.ownerReferences;
  if (!owners) return undefined;
  for (const owner of owners) if (owner.controller) return owner;
  return undefined;
}

/** Any JSON value, read-only. */
export type Json =
  | string
  | number
  | boolean
  | null
  | undefined
  | readonly Json[]
  | { readonly [key: string]: Json };

/** A JSON object of any shape. */
export type JsonObject = { readonly [key: string]: Json };

/**
 * Freezes `value` and all in it that is not frozen yet; stops at frozen parts,
 * so freezing an update costs only what is new.
 */
export function deepFreeze<T>(value: T): T {
  if (typeof value !== "object" || value === null) return value;
  if (Object.isFrozen(value)) return value;
  Object.freeze(value);
  if (Array.isArray(value)) for (const item of value) deepFreeze(item);
  else {
    for (const key in value) {
      const part = value[key];
      // Most parts are plain: they cost no call.
      if (typeof part === "object") deepFreeze(part);
    }
  }
  return value;
}

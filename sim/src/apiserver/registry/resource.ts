/**
 * A served resource: its kind, how its bodies are read, and its storage. Two
 * versions of a kind are two resources that share one storage.
 */
import type { Kind, Obj } from "../../api/kinds/definition.ts";
import type { Decoded } from "../../api/schema/decode.ts";
import type { Schemas } from "../../api/schema.ts";
import type { ApiRequest } from "../../api/transport.ts";
import type { Json, JsonObject, KubeObject } from "../../api/types.ts";
import type { EtcdApi } from "../../etcd/index.ts";
import type { MaybePromise } from "../maybe.ts";
import { objectKey, storagePrefix } from "./keys.ts";
import { WatchCache } from "./watch-cache.ts";

export interface Resource {
  readonly kind: Kind;
  /** `namespaced` and so on for a kind that only answers: a review. */
  readonly storage: Storage | undefined;
  /** Reads a body; with defaults unless told otherwise. See `Codec`. */
  decode(body: Json, defaulting?: boolean, stored?: JsonObject): Decoded;
  /** Done before it is first asked for. */
  prepare?: (request: ApiRequest) => MaybePromise<void>;
  /** From a custom resource definition. */
  readonly custom: boolean;
  /** True while its definition is being deleted: no new objects. */
  readonly closed?: () => boolean;
  /** Where its struct is described, if not with the built-in kinds. */
  readonly schemas?: Schemas;
  /** Where a custom resource keeps its replicas. */
  readonly scale?: JsonObject;
  /** From the stored version to this one, and back: perhaps by a webhook. */
  readonly fromStorage?: (
    objects: readonly KubeObject[],
  ) => MaybePromise<readonly KubeObject[]>;
  readonly toStorage?: (object: Obj) => MaybePromise<Obj>;
}

export class Storage {
  readonly prefix: string;
  readonly cache: WatchCache;
  readonly kind: Kind;

  constructor(etcd: EtcdApi, kind: Kind, custom: boolean, historyMax?: number) {
    this.kind = kind;
    this.prefix = storagePrefix(kind, custom);
    const indexOf = kind.group === "" ? INDEXED[kind.resource] : undefined;
    const { prefix } = this;
    this.cache = new WatchCache({ etcd, prefix, indexOf, historyMax });
  }

  /** Key in etcd. */
  key(namespace: string, name: string): string {
    return this.prefix + objectKey(namespace, name);
  }

  get(namespace: string, name: string): Obj | undefined {
    const found = this.cache.get(objectKey(namespace, name));
    return found as Obj | undefined;
  }
}

interface HasNodeName extends KubeObject {
  readonly spec?: { readonly nodeName?: string };
}

/** By which field watchers of a kind are filed: each kubelet has its own. */
const INDEXED: { readonly [resource: string]: typeof nodeNameOf } = {
  pods: nodeNameOf,
  nodes: ({ metadata }) => metadata.name,
};

function nodeNameOf(object: HasNodeName): string {
  return object.spec?.nodeName ?? "";
}

/**
 * What a server serves: every resource by its group, version and name, and
 * the storages behind them. Two versions of a kind share one storage.
 */

import type { Kind, StoredAs } from "../api/kinds/definition.ts";
import type { Kinds } from "../api/kinds/registry.ts";
import type { EtcdApi } from "../etcd/index.ts";
import { type Resource, Storage } from "./registry/resource.ts";

export class Resources {
  readonly kinds: Kinds;
  private readonly etcd: EtcdApi;
  private readonly historyMax: number | undefined;
  private readonly byPath = new Map<string, Resource>();
  /** Storages of built-in kinds by the plain name of their resource. */
  private readonly storages = new Map<string, Storage>();

  constructor(etcd: EtcdApi, kinds: Kinds, historyMax?: number) {
    this.etcd = etcd;
    this.kinds = kinds;
    this.historyMax = historyMax;
    for (const kind of kinds.all()) this.serve(kind);
  }

  /** Serves a built-in kind. */
  private serve(kind: Kind): void {
    const path = pathOf(kind);
    if (this.byPath.has(path)) return;
    const decode: Resource["decode"] = (body, defaulting = true, stored) =>
      this.kinds.codec.decode(kind.struct, body, defaulting, stored);
    const { storedAs } = kind;
    const storage = storedAs
      ? this.byPath.get(pathOf(storedAs.kind))?.storage
      : this.newStorage(kind, false);
    const resource = { kind, storage, decode, custom: false };
    this.byPath.set(path, storedAs ? inVersion(resource, storedAs) : resource);
  }

  /** Adds a resource of an extension; `storage` follows its objects. */
  add(resource: Resource): void {
    this.byPath.set(pathOf(resource.kind), resource);
  }

  remove({ kind }: Resource): void {
    this.byPath.delete(pathOf(kind));
  }

  /** A storage for the kind; none for one that is only answered. */
  newStorage(kind: Kind, custom: boolean): Storage | undefined {
    if (!kind.verbs.includes("get") && !kind.verbs.includes("list")) return;
    if (kind.kind === "ComponentStatus") return;
    const shared = custom ? undefined : this.storages.get(kind.resource);
    if (shared && shared.kind.group === kind.group) return shared;
    const storage = new Storage(this.etcd, kind, custom, this.historyMax);
    storage.cache.start();
    if (!custom && !shared) this.storages.set(kind.resource, storage);
    return storage;
  }

  find(group: string, version: string, resource: string): Resource | undefined {
    const path = group
      ? `${group}/${version}/${resource}`
      : `${version}/${resource}`;
    return this.byPath.get(path);
  }

  ofKind(apiVersion: string, kind: string): Resource | undefined {
    for (const resource of this.byPath.values()) {
      const one = resource.kind;
      if (one.apiVersion === apiVersion && one.kind === kind) return resource;
    }
    return undefined;
  }

  hasGroupVersion(group: string, version: string): boolean {
    for (const { kind } of this.byPath.values()) {
      if (kind.group === group && kind.version === version) return true;
    }
    return false;
  }

  /** Storage of a built-in resource. */
  storageOf(resource: string): Storage {
    const found = this.storages.get(resource);
    if (!found) throw new Error(`no storage of ${resource}`);
    return found;
  }

  all(): IterableIterator<Resource> {
    return this.byPath.values();
  }
}

function pathOf({ apiVersion, resource }: StoredAs["kind"]): string {
  return `${apiVersion}/${resource}`;
}

function inVersion(resource: Resource, { from, to }: StoredAs): Resource {
  return {
    ...resource,
    fromStorage: (objects) => objects.map(from),
    toStorage: to,
  };
}

/** A resource that is only the body of a request, and never stored. */
export function bodyOnly(kinds: Kinds, kind: Kind): Resource {
  return {
    kind,
    storage: undefined,
    custom: false,
    decode: (body, defaulting = true) =>
      kinds.codec.decode(kind.struct, body, defaulting),
  };
}

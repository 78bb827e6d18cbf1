/**
 * CustomResourceDefinitions add kinds while the server runs: each served
 * version becomes a resource like any other.
 * Models: apiextensions-apiserver/pkg/{apiserver,controller} @ v1.36
 */

import { defaulted, pruned } from "../../api/custom/structural.ts";
import { list, obj, same, str } from "../../api/kinds/access.ts";
import type { Obj } from "../../api/kinds/definition.ts";
import type { Json, JsonObject } from "../../api/types.ts";
import { LOOPBACK } from "../authentication/user.ts";
import { newContext } from "../context.ts";
import { andThen, type MaybePromise } from "../maybe.ts";
import type { Resource, Storage } from "../registry/resource.ts";
import type { ApiServer } from "../server.ts";
import { converterOf } from "./conversion.ts";
import { customKind } from "./custom-kind.ts";
import { cleanUp, isTerminating } from "./deletion.ts";
import {
  isEstablished,
  type NameConflict,
  nameConflict,
  namedStatus,
} from "./naming.ts";
import { schemaText } from "./schema-text.ts";

export class Definitions {
  private readonly server: ApiServer;
  private readonly served = new Map<string, Resource[]>();
  private readonly storages = new Map<string, Storage | undefined>();
  /** Definitions that are being deleted, after their objects. */
  private readonly ending = new Set<string>();
  /** Counts schemas: each gets structs of its own. */
  private count = 0;

  constructor(server: ApiServer) {
    this.server = server;
    const { cache } = server.storageOf("customresourcedefinitions");
    for (const crd of cache.values()) this.serve(crd as Obj);
    cache.onChange(({ type, object }) => {
      if (type !== "DELETED") return this.serve(object as Obj);
      this.retire(object.metadata.name);
      // Others of the group may have waited for its names.
      const { group } = obj((object as Obj).spec);
      for (const crd of cache.values() as Iterable<Obj>) {
        const waits = obj(crd.spec).group === group && !isEstablished(crd);
        if (waits) this.serve(crd);
      }
    });
  }

  private serve(crd: Obj): void {
    const { name } = crd.metadata;
    const before = this.served.get(name);
    if (before && isTerminating(crd)) return this.terminate(crd, before);
    this.retire(name);
    const spec = obj(crd.spec);
    const pending = !same(obj(crd.status).acceptedNames, spec.names);
    if (pending && !isTerminating(crd)) {
      this.server.kernel.after(0, () => this.decideNames(name));
    }
    if (this.conflictOf(crd)) return;
    const versions = list(spec.versions).filter(({ served }) => served);
    const stored = list(spec.versions).find(({ storage }) => storage);
    const resources = versions.map((version) =>
      this.resource(spec, version, str(stored?.name)),
    );
    for (const resource of resources) this.server.resources.add(resource);
    this.served.set(name, resources);
    if (isTerminating(crd)) this.terminate(crd, resources);
  }

  /** Whether a name that it asks for belongs to another of its group. */
  private conflictOf(crd: Obj): NameConflict | undefined {
    const { cache } = this.server.storageOf("customresourcedefinitions");
    return nameConflict(crd, [...cache.values()] as Obj[]);
  }

  /** Nothing new is made; of several servers the first to look cleans up. */
  private terminate(crd: Obj, served: readonly Resource[]): void {
    const { name } = crd.metadata;
    if (this.ending.has(name)) return;
    this.ending.add(name);
    cleanUp(this.server, crd, served);
  }

  private retire(name: string): void {
    this.ending.delete(name);
    for (const resource of this.served.get(name) ?? []) {
      this.server.resources.remove(resource);
    }
    this.served.delete(name);
  }

  private resource(
    spec: JsonObject,
    version: JsonObject,
    stored: string,
  ): Resource {
    const { kinds, resources } = this.server;
    const schema = obj(obj(version.schema).openAPIV3Schema);
    const struct = `${str(obj(spec.names).kind)}_v${this.count++}`;
    kinds.schemas.add(schemaText(struct, schema), "custom");
    const kind = customKind({ spec, version, schema, struct });
    const key = `${kind.resource}.${kind.group}`;
    const storage = this.storages.get(key) ?? resources.newStorage(kind, true);
    this.storages.set(key, storage);
    const { scale } = obj(version.subresources);
    const convert = converterOf(this.server, spec);
    const storedVersion = `${kind.group}/${stored}`;
    return {
      kind,
      storage,
      custom: true,
      closed: () => this.ending.has(`${kind.resource}.${kind.group}`),
      scale: scale === undefined ? undefined : obj(scale),
      decode: (body, defaulting = true) =>
        this.decode(body, schema, defaulting),
      fromStorage: (objects) => convert(objects, kind.apiVersion),
      toStorage: (object) =>
        andThen(convert([object], storedVersion), ([one]) => one as Obj),
    };
  }

  /** Metadata is decoded as that of all kinds, the rest by the schema. */
  private decode(body: Json, schema: JsonObject, defaulting: boolean) {
    const unknown: string[] = [];
    const kept = obj(pruned(body, schema, "", unknown));
    const whole = defaulting ? obj(defaulted(kept, schema)) : kept;
    const { codec } = this.server.kinds;
    const meta = codec.decode("ObjectMeta", whole.metadata ?? {}, false);
    unknown.push(...meta.unknown.map((path) => `metadata.${path}`));
    return { object: { ...whole, metadata: meta.object }, unknown };
  }

  /** Names are accepted, the kind is there: two conditions say so. */
  private decideNames(name: string): MaybePromise<unknown> {
    const { server } = this;
    const resource = server.resourceOf(
      "apiextensions.k8s.io",
      "v1",
      "customresourcedefinitions",
    )!;
    const now = resource.storage!.get("", name) as Obj | undefined;
    if (!now) return undefined;
    const status = namedStatus(
      now,
      this.conflictOf(now),
      server.kernel.timestamp(),
    );
    if (same(status, now.status)) return undefined;
    const request = {
      verb: "update",
      group: resource.kind.group,
      version: "v1",
      resource: resource.kind.resource,
      subresource: "status",
      name: now.metadata.name,
      body: { ...now, status },
    } as const;
    const ctx = newContext(server, request, resource, LOOPBACK);
    return server.runFrom(ctx, "decoding and defaulting");
  }
}

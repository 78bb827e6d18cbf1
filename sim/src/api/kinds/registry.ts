/**
 * The kinds of one cluster: an instance each, since CustomResourceDefinitions
 * add kinds while it runs.
 * Models: apimachinery/pkg/{runtime/scheme,api/meta/restmapper}.go @ v1.36
 */
import { Codec, type Decoded, type Hooks } from "../schema/decode.ts";
import { Schemas, type SchemaText } from "../schema.ts";
import type { KubeObject } from "../types.ts";
import { fieldsOf } from "./define.ts";
import type { Kind, Obj } from "./definition.ts";

export class Kinds {
  readonly schemas: Schemas;
  readonly codec: Codec;
  private readonly byKind = new Map<string, Kind>();
  private readonly byResource = new Map<string, Kind>();

  /** `texts` are looked in in order. */
  constructor(
    texts: readonly SchemaText[],
    kinds: readonly Kind[],
    hooks: Hooks,
  ) {
    this.schemas = new Schemas(texts);
    const own = kinds.map((kind) => kind.hooks);
    this.codec = new Codec(this.schemas, Object.assign({}, hooks, ...own));
    for (const kind of kinds) this.add(kind);
  }

  /** Adds a kind, or replaces the one of its name. */
  add(kind: Kind): void {
    this.byKind.set(`${kind.apiVersion} ${kind.kind}`, kind);
    this.byResource.set(`${kind.apiVersion} ${kind.resource}`, kind);
  }

  remove(kind: Kind): void {
    this.byKind.delete(`${kind.apiVersion} ${kind.kind}`);
    this.byResource.delete(`${kind.apiVersion} ${kind.resource}`);
  }

  kindOf(apiVersion: string, kind: string): Kind | undefined {
    return this.byKind.get(`${apiVersion} ${kind}`);
  }

  resourceOf(
    group: string,
    version: string,
    resource: string,
  ): Kind | undefined {
    return this.byResource.get(
      `${group ? `${group}/${version}` : version} ${resource}`,
    );
  }

  /** In the order in which they were added, discovery's. */
  all(): readonly Kind[] {
    return [...this.byKind.values()];
  }

  /** What a person types: `po`, `pods`, `pod`, `deploy.apps`. */
  byName(name: string): Kind | undefined {
    const [resource = "", ...group] = name.toLowerCase().split(".");
    const wanted = group.join(".");
    return this.all().find(
      (kind) =>
        (kind.resource === resource ||
          kind.singular === resource ||
          kind.shortNames.includes(resource)) &&
        (!wanted ||
          wanted === kind.group ||
          wanted === `${kind.version}.${kind.group}`),
    );
  }

  /** These and more: what discovery tells where there are custom kinds. */
  and(more: readonly Kind[]): Kinds {
    const own = { byKind: new Map(this.byKind), byResource: new Map() };
    const both = Object.assign(Object.create(Kinds.prototype), this, own);
    for (const kind of [...this.all(), ...more]) both.add(kind);
    return both;
  }

  /**
   * What the server makes of a sent object: types checked, unknown fields
   * found and dropped, defaults filled in. Throws DecodeError.
   */
  decode(kind: Kind, value: unknown): Decoded {
    return this.codec.decode(kind.struct, value);
  }

  /** Unknown fields alone, as strict field validation names them. */
  unknownFields(kind: Kind, value: unknown): readonly string[] {
    return this.codec.decode(kind.struct, value, false).unknown;
  }

  /** `object` with its defaults; itself if it has them already. */
  applyDefaults(kind: Kind, object: KubeObject): KubeObject {
    return this.codec.decode(kind.struct, fieldsOf(object)).object as Obj;
  }
}

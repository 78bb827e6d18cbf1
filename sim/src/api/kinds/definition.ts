/**
 * What a kind is: its names, its fields, and the rules of its life. One
 * frozen object a kind; everything that the API server does with a kind comes
 * from it.
 * Models: apiserver/pkg/registry/{generic/registry,rest}, apimachinery/pkg/
 *         api/meta, pkg/registry, each strategy.go @ v1.36
 */
import type { FieldError } from "../field-error.ts";
import type { ResourceRef } from "../resource.ts";
import type { Hooks } from "../schema/decode.ts";
import type { Columns, Row } from "../table.ts";
import type { JsonObject, KubeObject, ObjectMeta } from "../types.ts";
import type { NameRule } from "./metadata.ts";

/** What validation and tables see: an object of a kind, its fields open. */
export type Obj = KubeObject & { readonly [field: string]: unknown };

/** A path below an object: `pods/status`, `deployments/scale`. */
export interface Subresource {
  readonly name: string;
  readonly verbs: readonly string[];
  /** Kind and group-version of its body where it is not the parent's. */
  readonly kind?: string;
  readonly group?: string;
  readonly version?: string;
}

/** Who makes an object. */
export interface Author {
  readonly name: string;
  readonly uid?: string;
  readonly groups: readonly string[];
  readonly extra?: { readonly [key: string]: readonly string[] };
}

/** What may be changed at a subresource of the kind's own. */
export interface Change {
  prepare(object: Obj, old: Obj, now: string): Obj;
  errors(object: Obj, old: Obj): readonly FieldError[];
}

/** Of a version that is served beside the one that is stored. */
export interface StoredAs {
  /** The stored one. */
  readonly kind: Pick<Kind, "apiVersion" | "group" | "resource">;
  from(stored: KubeObject): KubeObject;
  to(object: Obj): Obj;
}

/** The rules of a kind's life. Each gives back what is to be stored. */
export interface Strategy {
  /** After admission, before validation: what a client may not set is cleared. */
  prepareForCreate(object: KubeObject): KubeObject;
  /** Writes down who makes a new object, where the kind does so. */
  readonly madeBy?: (object: Obj, author: Author) => Obj;
  prepareForUpdate(object: KubeObject, old: KubeObject): KubeObject;
  /** An update of `/status`: all but the status is kept from `old`. */
  prepareForStatusUpdate(object: KubeObject, old: KubeObject): KubeObject;
  /** At subresources that are not as other kinds have them. */
  readonly changes?: { readonly [subresource: string]: Change };
  /** PUT may create it: Lease, Event, Endpoints and few others. */
  readonly allowCreateOnUpdate: boolean;
  /** Updates need no resourceVersion. */
  readonly allowUnconditionalUpdate: boolean;
}

export type Validate = (object: Obj) => readonly FieldError[];
export type ValidateChange = (object: Obj, old: Obj) => readonly FieldError[];
/** Field selectors besides metadata.name and metadata.namespace. */
export type Selectable = { readonly [path: string]: (object: Obj) => string };

/** What changed in metadata, metadata as it stands, `validate`, `validateChange`. */
export type UpdateCheck = "metaChange" | "meta" | "rules" | "change";

/** A kind of the API; `T` is the type of its objects. */
export interface Kind<T extends KubeObject = KubeObject>
  extends ResourceRef<T> {
  readonly apiVersion: string;
  readonly singular: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly verbs: readonly string[];
  readonly subresources: readonly Subresource[];
  /** The struct of the schema that describes it. */
  readonly struct: string;
  /** Defaults that a fixed value cannot say, by struct. */
  readonly hooks: Hooks;
  readonly columns: Columns;
  readonly row: Row;
  readonly selectable: Selectable;
  readonly strategy: Strategy;
  /** The warning that every request for it is answered with; "" for most. */
  readonly deprecation: string;
  readonly storedAs?: StoredAs;
  /** Errors of a new object, metadata's first. None: it may be stored. */
  readonly validateCreate: (object: KubeObject) => readonly FieldError[];
  readonly validateUpdate: (
    object: KubeObject,
    old: KubeObject,
  ) => readonly FieldError[];
  /** Of an update of `/status`. */
  readonly validateStatusUpdate: (
    object: KubeObject,
    old: KubeObject,
  ) => readonly FieldError[];
}

/** What is special about a kind; the rest is as most kinds have it. */
export interface KindOptions {
  readonly group?: string;
  readonly version?: string;
  readonly kind: string;
  /** Plural; absent: as is usual for the kind in lower case. */
  readonly resource?: string;
  /** Absent: true. */
  readonly namespaced?: boolean;
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  /** Absent: all. */
  readonly verbs?: readonly string[];
  readonly subresources?: readonly Subresource[];
  /** Absent: as the kind is called. */
  readonly struct?: string;
  readonly hooks?: Hooks;
  readonly columns?: Columns;
  readonly row?: Row;
  readonly selectable?: Selectable;
  /** It is never stored and needs no name. */
  readonly nameless?: boolean;
  /** What it may be called. Absent: a DNS subdomain. */
  readonly nameRule?: NameRule;
  readonly validate?: Validate;
  /** Of a new object alone, after `validate`. */
  readonly validateNew?: Validate;
  readonly validateChange?: ValidateChange;
  /** What is looked at on update, in order; a check that stands twice is listed twice. */
  readonly updateOrder?: readonly UpdateCheck[];
  /**
   * Who looks at metadata besides the rules that all built-in kinds share: the
   * server alone, once the rest is good, or rules of the kind's own server.
   */
  readonly metaBy?: "server" | "extension";
  readonly validateStatusChange?: ValidateChange;
  /** What a new object's status is. Absent: the kind has no status. */
  readonly emptyStatus?: JsonObject;
  /** Fields whose change counts the generation up. Absent: no generation. */
  readonly generationOf?: readonly string[];
  /** After the common preparation, on create. */
  readonly onCreate?: (object: Obj) => Obj;
  /** After the common preparation, on update. */
  readonly onUpdate?: (object: Obj, old: Obj) => Obj;
  readonly madeBy?: Strategy["madeBy"];
  readonly changes?: Strategy["changes"];
  /** Metadata that a status update may not change. Absent: none. */
  readonly statusKeeps?: readonly (keyof ObjectMeta)[];
  /** Absent: this version is stored. */
  readonly storedAs?: StoredAs;
  /** What it is told of it since it is on its way out. */
  readonly deprecation?: string;
  readonly allowCreateOnUpdate?: boolean;
  readonly allowUnconditionalUpdate?: boolean;
}

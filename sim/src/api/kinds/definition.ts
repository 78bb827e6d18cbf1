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
import type { KubeObject } from "../types.ts";

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

/** The rules of a kind's life. Each gives back what is to be stored. */
export interface Strategy {
  /** After admission, before validation: what a client may not set is cleared. */
  prepareForCreate(object: KubeObject): KubeObject;
  prepareForUpdate(object: KubeObject, old: KubeObject): KubeObject;
  /** An update of `/status`: all but the status is kept from `old`. */
  prepareForStatusUpdate(object: KubeObject, old: KubeObject): KubeObject;
  /** PUT may create it: Lease, Event, Endpoints and few others. */
  readonly allowCreateOnUpdate: boolean;
  /** Updates need no resourceVersion. */
  readonly allowUnconditionalUpdate: boolean;
}

export type Validate = (object: Obj) => readonly FieldError[];
export type ValidateChange = (object: Obj, old: Obj) => readonly FieldError[];
/** Field selectors besides metadata.name and metadata.namespace. */
export type Selectable = { readonly [path: string]: (object: Obj) => string };

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

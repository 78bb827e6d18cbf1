/**
 * What a part of an object was before an update. Errors of a part that did not
 * change are let pass: a schema that became stricter does not lock objects up.
 * Models: apiserver/pkg/cel/common/equality.go, apiextensions-apiserver/pkg/
 *         apiserver/validation/ratcheting.go @ v1.36
 */
import { obj, same, strings } from "../kinds/access.ts";
import type { Json, JsonObject } from "../types.ts";

export class Past {
  readonly value: Json;
  /** The innermost part that has a past; undefined: this one. */
  private readonly parent?: Past;
  private readonly now: Json;

  constructor(value: Json, now: Json, parent?: Past) {
    this.value = value;
    this.now = now;
    this.parent = parent;
  }

  /** Nothing changed here, or around it where that cannot be told. */
  get unchanged(): boolean {
    if (this.parent) return this.parent.unchanged;
    return same(this.value, this.now);
  }

  /** True if it is known which part it was. */
  get related(): boolean {
    return this.parent === undefined;
  }

  field(name: string, schema: JsonObject): Past {
    if (!this.related) return this;
    const before = obj(this.value);
    const atomic = schema["x-kubernetes-map-type"] === "atomic";
    if (atomic || !Object.hasOwn(before, name)) return this.unrelated();
    return new Past(before[name], obj(this.now)[name]);
  }

  /** Items are told apart in lists with keys alone. */
  item(index: number, schema: JsonObject): Past {
    if (!this.related) return this;
    const keyed = schema["x-kubernetes-list-type"] === "map";
    if (!keyed || !Array.isArray(this.value)) return this.unrelated();
    const keys = strings(schema["x-kubernetes-list-map-keys"]);
    const items = this.now as readonly Json[];
    const wanted = obj(items[index]);
    const before = this.value.find((one: Json) =>
      keys.every((key) => same(obj(one)[key], wanted[key])),
    );
    if (before === undefined) return this.unrelated();
    return new Past(before, items[index]);
  }

  private unrelated(): Past {
    return new Past(undefined, undefined, this);
  }
}

/**
 * What the server says of a patch that it cannot apply, or whose outcome is
 * no object of the kind.
 * Models: apiserver/pkg/endpoints/handlers/patch.go, errors of
 *         apimachinery/pkg/runtime/converter.go @ v1.36
 */
import { invalid } from "../../api/field-error.ts";
import { goJson, goSortedJson, goValue } from "../../api/go-text.ts";
import {
  badDeletionList,
  badOrderList,
  badRetainKeys,
} from "../../api/patch/directives.ts";
import { isList, isObject } from "../../api/patch/value.ts";
import type { Schemas, TypeRef } from "../../api/schema.ts";
import { badRequest, invalidObject, statusError } from "../../api/status.ts";
import type { Json, JsonObject } from "../../api/types.ts";
import type { RequestContext } from "../context.ts";

/** A patch that does not apply. Upstream does not say which part it was. */
export function unprocessable() {
  const message =
    "the server rejected our request due to an error in our request";
  return statusError(422, "Invalid", message, {});
}

/** Of what strategic merge complains, little is known to be the client's fault. */
export function strategicFailure(message: string) {
  if ([badRetainKeys, badOrderList, badDeletionList].includes(message)) {
    return badRequest(message);
  }
  if (message === "lists of lists are not supported") return unprocessable();
  return statusError(500, "", message);
}

/** 422 of an outcome that cannot be read: it is shown with the reason. */
export function unfit(ctx: RequestContext, next: Json, why: string) {
  const strategic =
    ctx.request.patchType === "application/strategic-merge-patch+json";
  const shown = strategic ? goValue(ctx.body) : outcomeText(ctx, next);
  const reason = strategic ? converted(why) : why;
  const nothing = { group: "", kind: "" };
  return invalidObject(nothing, "", [invalid("patch", shown, reason)]);
}

const mismatch =
  /^json: cannot unmarshal (\w+)( \S+)? into Go .* of type (.+)$/;

const kinds: { readonly [word: string]: string } = {
  number: "int64",
  array: "slice",
  object: "map",
};

/** A wrong type in the words of the converter, which reads no JSON. */
function converted(why: string): string {
  const [, word = "", fraction, type = ""] = mismatch.exec(why) ?? [];
  if (type === "") return why;
  const kind = fraction ? "float64" : (kinds[word] ?? word);
  if (type.startsWith("[]")) return `cannot restore slice from ${kind}`;
  if (/^map\[|ResourceList$/.test(type)) {
    return `cannot restore map from ${kind}`;
  }
  if (type.includes(".")) return `cannot restore struct from: ${kind}`;
  const number = kind === "int64" || kind === "float64";
  const converts = kind === "float64" ? type !== "string" : type === "string";
  return number && converts && type !== "bool"
    ? `cannot convert ${kind} to ${type}`
    : `unrecognized type: ${type}`;
}

/**
 * The outcome as JSON: what the patch passed through has its keys in order,
 * what it brought is as it was sent, the rest as the server writes it.
 */
function outcomeText(ctx: RequestContext, next: Json): string {
  const { schemas } = ctx.server.kinds;
  const merges = ctx.request.patchType === "application/merge-patch+json";
  const write = merges ? goSortedJson : goJson;
  const text = (before: Json, after: Json, type: TypeRef): string => {
    if (before === after) return goJson(inOrder(after, type, schemas));
    if (isList(before) && isList(after) && !merges) {
      const items = after.map((item, i) =>
        text(before.includes(item) ? item : before[i], item, ofItems(type)),
      );
      return `[${items.join(",")}]`;
    }
    if (!isObject(before) || !isObject(after)) return write(after);
    const fields = Object.keys(after)
      .filter((key) => after[key] !== undefined)
      .toSorted()
      .map((key) => {
        const inner = text(
          before[key],
          after[key],
          ofField(type, key, schemas),
        );
        return `${goJson(key)}:${inner}`;
      });
    return `{${fields.join(",")}}`;
  };
  const whole: TypeRef = { shape: "plain", name: ctx.resource.kind.struct };
  return text(ctx.old as Json, next, whole);
}

const anything: TypeRef = Object.freeze({ shape: "plain", name: "r" });

function ofItems({ of }: TypeRef): TypeRef {
  return of ?? anything;
}

function ofField(type: TypeRef, key: string, schemas: Schemas): TypeRef {
  if (type.of) return type.of;
  if (!/^[A-Z]/.test(type.name)) return anything;
  return schemas.struct(type.name).fields.get(key)?.type ?? anything;
}

/** A struct's fields as the schema has them; a map's by their names. */
function inOrder(value: Json, type: TypeRef, schemas: Schemas): Json {
  if (isList(value)) {
    return value.map((item) => inOrder(item, ofItems(type), schemas));
  }
  const struct = /^[A-Z]/.test(type.name);
  if (!isObject(value) || !(struct || type.of)) return value;
  const known = struct ? [...schemas.struct(type.name).fields.keys()] : [];
  const rest = Object.keys(value).filter((key) => !known.includes(key));
  const ordered: Record<string, Json> = {};
  for (const key of [...known, ...rest.toSorted()]) {
    const child = value[key];
    if (child === undefined) continue;
    ordered[key] = inOrder(child, ofField(type, key, schemas), schemas);
  }
  return ordered as JsonObject;
}

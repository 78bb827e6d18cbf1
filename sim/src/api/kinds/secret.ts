/**
 * Secret: data that few should read.
 * Models: pkg/registry/core/secret/strategy.go, pkg/apis/core/v1/conversion.go @ v1.36
 */
import { toBase64 } from "../base64.ts";
import {
  type FieldError,
  forbidden,
  invalid,
  required,
  tooLong,
} from "../field-error.ts";
import { GoJsonError, parseGoJson } from "../go-json.ts";
import { configMapKey } from "../names.ts";
import { age, columns } from "../table.ts";
import type { Json, JsonObject } from "../types.ts";
import { map, obj, same, str } from "./access.ts";
import { defineKind } from "./define.ts";
import type { Kind, Obj } from "./definition.ts";
import type * as types from "./types/core.ts";

export type Secret = types.Secret;

const bytesMax = 1024 * 1024;

export const Secret: Kind<Secret> = defineKind<Secret>({
  kind: "Secret",
  hooks: { Secret: encodeStrings },
  selectable: { type: (secret) => str(secret.type) },
  columns: columns("Name|Type|Data|Age"),
  row: (secret, now) => {
    const keys = Object.keys(obj(secret.data)).length;
    return {
      cells: [secret.metadata.name, str(secret.type), keys, age(secret, now)],
    };
  },
  validate,
  validateChange,
  updateOrder: ["metaChange", "change", "meta", "rules"],
});

/** `stringData` is for writing alone: it goes into `data`. */
function encodeStrings(secret: JsonObject): JsonObject {
  const { stringData, ...rest } = secret;
  if (stringData === undefined) return secret;
  const data: Record<string, Json> = { ...obj(rest.data) };
  for (const [key, value] of Object.entries(map(stringData)))
    data[key] = toBase64(value);
  return { ...rest, data };
}

/** What a type of Secret asks of its data. */
const byType: { readonly [type: string]: (data: Data) => FieldError[] } = {
  "kubernetes.io/dockercfg": (data) => configErrors(data, ".dockercfg"),
  "kubernetes.io/dockerconfigjson": (data) =>
    configErrors(data, ".dockerconfigjson"),
  "kubernetes.io/ssh-auth": (data) =>
    data["ssh-privatekey"] ? [] : [required("data[ssh-privatekey]")],
  "kubernetes.io/tls": (data) =>
    ["tls.crt", "tls.key"]
      .filter((key) => data[key] === undefined)
      .map((key) => required(`data[${key}]`)),
  // One of them will do, even empty.
  "kubernetes.io/basic-auth": ({ username, password }) =>
    (username ?? password) === undefined
      ? [required("data[username]"), required("data[password]")]
      : [],
};

type Data = { readonly [key: string]: string };

/** A file of registries' passwords is a JSON object. */
function configErrors(data: Data, key: string): FieldError[] {
  const path = `data[${key}]`;
  const text = data[key];
  const wrong = (why: string) => [
    invalid(path, "<secret contents redacted>", why),
  ];
  if (text === undefined) return [required(path)];
  try {
    const { value } = parseGoJson(atob(text));
    if (value === null || (typeof value === "object" && !Array.isArray(value)))
      return [];
    const kinds = { boolean: "bool", object: "array" } as const;
    const type = typeof value as keyof typeof kinds;
    const into = "into Go value of type map[string]interface {}";
    return wrong(`json: cannot unmarshal ${kinds[type] ?? type} ${into}`);
  } catch (error) {
    if (error instanceof GoJsonError) return wrong(error.message);
    throw error;
  }
}

function validate(secret: Obj): FieldError[] {
  const data = map(secret.data);
  const errors: FieldError[] = [];
  let bytes = 0;
  for (const key in data) {
    for (const text of configMapKey(key))
      errors.push(invalid(`data[${key}]`, key, text));
    bytes += Math.floor(((data[key] ?? "").replace(/=+$/, "").length * 3) / 4);
  }
  if (bytes > bytesMax) errors.push(tooLong("data", bytesMax));
  const type = str(secret.type);
  errors.push(...(byType[type]?.(data) ?? []));
  const account = "kubernetes.io/service-account.name";
  if (
    type === "kubernetes.io/service-account-token" &&
    !secret.metadata.annotations?.[account]
  ) {
    errors.push(required(`metadata.annotations[${account}]`));
  }
  return errors;
}

function validateChange(secret: Obj, old: Obj): FieldError[] {
  const errors: FieldError[] = [];
  if (secret.type !== old.type)
    errors.push(invalid("type", secret.type, "field is immutable"));
  if (!old.immutable) return errors;
  const rule = "field is immutable when `immutable` is set";
  if (!secret.immutable) errors.push(forbidden("immutable", rule));
  if (!same(secret.data, old.data)) errors.push(forbidden("data", rule));
  return errors;
}

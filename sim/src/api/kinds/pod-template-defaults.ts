/**
 * Defaults inside a Pod's spec that depend on other fields.
 * Models: pkg/apis/core/v1/defaults.go, pkg/util/parsers @ v1.36
 */
import type { Hooks } from "../schema/decode.ts";
import type { Json, JsonObject } from "../types.ts";
import { obj, str, withFields } from "./access.ts";

function container(value: JsonObject): JsonObject {
  if (value.imagePullPolicy !== undefined) return value;
  return { ...value, imagePullPolicy: pullPolicy(value.image) };
}

function pullPolicy(image: Json): string {
  return imageTag(str(image)) === "latest" ? "Always" : "IfNotPresent";
}

const pathPart = /^[a-z0-9]+((\.|_|__|-+)[a-z0-9]+)*$/;
const tagForm = /^\w[\w.-]{0,127}$/;

/**
 * The tag of an image; `latest` if it has neither tag nor digest, "" if it is
 * no image that upstream's parser takes: capitals in its path, say.
 */
export function imageTag(image: string): string {
  const [named = "", digest] = image.split("@");
  const slash = named.lastIndexOf("/");
  const colon = named.indexOf(":", slash);
  const name = colon < 0 ? named : named.slice(0, colon);
  const tag = colon < 0 ? undefined : named.slice(colon + 1);
  const parts = name.split("/");
  const domain = parts.length > 1 && /[.:A-Z]|^localhost$/.test(parts[0] ?? "");
  if (domain) parts.shift();
  if (!parts.every((part) => pathPart.test(part))) return "";
  if (tag !== undefined) return tagForm.test(tag) ? tag : "";
  return digest ? "" : "latest";
}

/** A volume with no source is an emptyDir; one of an image is pulled. */
function volume(value: JsonObject): JsonObject {
  const image = obj(value.image);
  if (value.image !== undefined && image.pullPolicy === undefined) {
    const policy = pullPolicy(image.reference);
    return { ...value, image: { ...image, pullPolicy: policy } };
  }
  for (const field in value) if (field !== "name") return value;
  return { ...value, emptyDir: {} };
}

/** Rules for every Pod template; fixed defaults are in the schema. */
export const podTemplateHooks: Hooks = Object.freeze({
  Container: container,
  EphemeralContainer: container,
  Volume: volume,
});

/** `serviceAccount` is the old name of `serviceAccountName`: both are kept alike. */
export function mirrorServiceAccount(spec: JsonObject): JsonObject {
  const name = spec.serviceAccountName ?? spec.serviceAccount;
  return name === undefined
    ? spec
    : withFields(spec, { serviceAccountName: name, serviceAccount: name });
}

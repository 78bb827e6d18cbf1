/**
 * Defaults inside a Pod's spec that depend on other fields.
 * Models:     pkg/apis/core/v1/defaults.go @ v1.36
 * Leaves out: rounding of quantities below a thousandth.
 */
import type { Hooks } from "../schema/decode.ts";
import type { JsonObject } from "../types.ts";
import { str, withFields } from "./access.ts";

function container(value: JsonObject): JsonObject {
  if (value.imagePullPolicy !== undefined) return value;
  const policy =
    imageTag(str(value.image)) === "latest" ? "Always" : "IfNotPresent";
  return { ...value, imagePullPolicy: policy };
}

/** The tag of an image; `latest` if it has neither tag nor digest, "" if it is no image. */
export function imageTag(image: string): string {
  const [named = "", digest] = image.split("@");
  const last = named.slice(named.lastIndexOf("/") + 1);
  const colon = last.lastIndexOf(":");
  if (!/^[a-zA-Z0-9._\-/:[\]]+$/.test(named)) return "";
  if (colon >= 0) return last.slice(colon + 1);
  return digest ? "" : "latest";
}

/** A volume with no source is an emptyDir. */
function volume(value: JsonObject): JsonObject {
  for (const field in value) if (field !== "name") return value;
  return { ...value, emptyDir: {} };
}

/** Objects whose HTTP probe names no path or scheme: fixed defaults, in the schema. */
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

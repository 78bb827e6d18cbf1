/**
 * Reads the body of an HTTP request: JSON or YAML to a value.
 * Models: apiserver/pkg/endpoints/handlers/{create,update,patch}.go,
 *         apimachinery/pkg/runtime/serializer/json/json.go @ v1.36
 */
import { GoJsonError, parseGoJson } from "../../api/go-json.ts";
import { isObject } from "../../api/patch/value.ts";
import {
  badRequest,
  notFound,
  requestEntityTooLarge,
  statusError,
  unsupportedMediaType,
} from "../../api/status.ts";
import type { Json, JsonObject } from "../../api/types.ts";
import { parseManifests } from "../../api/yaml.ts";
import type { RequestContext } from "../context.ts";
import { RawBody } from "../raw-body.ts";
import { goTypeName, notAnObject } from "./decode.ts";
import { readDelete } from "./read-delete.ts";
import { checkOptions } from "./request-options.ts";

/** Most bytes of a body. */
const BODY_BYTES_MAX = 3 * 1024 * 1024;

export function readRaw(ctx: RequestContext): void {
  const { verb, body } = ctx.request;
  const raw = body instanceof RawBody ? body : undefined;
  if (verb === "get" || verb === "list" || verb === "watch") return;
  if (verb === "delete" || verb === "deletecollection") {
    if (raw) ctx.body = raw.text === "" ? undefined : parsed(ctx, raw);
    readDelete(ctx);
    return;
  }
  if (verb === "create" && raw) checkMediaType(raw);
  checkOptions(ctx);
  if (raw) ctx.body = parsed(ctx, raw);
}

function parsed(ctx: RequestContext, raw: RawBody): Json {
  const { text, mediaType } = raw;
  if (text.length > BODY_BYTES_MAX) {
    throw requestEntityTooLarge(`limit is ${BODY_BYTES_MAX}`);
  }
  if (ctx.request.verb === "patch") return patchBody(ctx, raw);
  checkMediaType(raw);
  return mediaType.endsWith("yaml") ? yamlBody(ctx, text) : jsonBody(ctx, text);
}

/** Throws 415. */
function checkMediaType({ mediaType }: RawBody): void {
  if (mediaType === "application/json" || mediaType === "") return;
  if (mediaType === "application/yaml") return;
  if (mediaType === "application/vnd.kubernetes.protobuf") throw noProtobuf();
  throw unsupportedMediaType();
}

function jsonBody(ctx: RequestContext, text: string): Json {
  try {
    const { value, duplicates } = parseGoJson(text);
    ctx.duplicates = duplicates;
    return withKind(ctx, value, text);
  } catch (error) {
    if (!(error instanceof GoJsonError)) throw error;
    const why = `couldn't get version/kind; json parse error: ${error.message}`;
    // The options of a delete are decoded without a word about the kind.
    if (ctx.request.verb.startsWith("delete")) {
      throw statusError(500, "", why);
    }
    throw unrecognized(ctx, why, text);
  }
}

/** What a program that converts says before the parser's own words. */
const CONVERTING = "error converting YAML to JSON: ";

function yamlBody(ctx: RequestContext, text: string): Json {
  const { documents, errors } = parseManifests(text);
  const [problem] = errors;
  if (problem) {
    throw unrecognized(ctx, problem.message.replace(CONVERTING, ""), text);
  }
  return withKind(ctx, documents[0]?.value, text);
}

/** The kind and the version are looked for before anything else. */
function withKind(ctx: RequestContext, value: Json, text: string): Json {
  const object = value ?? {};
  const problem = isObject(object) ? kindProblem(object) : notAnObject(object);
  if (problem === "") return object;
  if (ctx.request.verb.startsWith("delete"))
    throw statusError(500, "", problem);
  throw unrecognized(ctx, problem, text);
}

function kindProblem(object: JsonObject): string {
  for (const [name, value] of Object.entries(object)) {
    if (name !== "kind" && name !== "apiVersion") continue;
    if (value === null || typeof value === "string") continue;
    return `couldn't get version/kind; json parse error: json: cannot unmarshal ${goTypeName(value)} into Go struct field .${name} of type string`;
  }
  const version = object.apiVersion;
  const parts = typeof version === "string" ? version.split("/").length : 0;
  return parts > 2 ? `unexpected GroupVersion string: ${version}` : "";
}

/** Apply sends YAML, which JSON is a part of; all others send JSON. */
function patchBody(ctx: RequestContext, { text, mediaType }: RawBody): Json {
  const applies = mediaType === "application/apply-patch+yaml";
  try {
    if (applies && !/^\s*[[{]/.test(text)) return appliedYaml(text);
    const { value, duplicates } = parseGoJson(text);
    if (mediaType.endsWith("merge-patch+json")) ctx.duplicates = duplicates;
    return applies ? mapOf(value) : value;
  } catch (error) {
    if (!(error instanceof GoJsonError)) throw error;
    if (applies) return appliedYaml(text);
    const { storage, kind } = ctx.resource;
    // A patch is read once there is something to apply it to.
    const patchable = storage?.get(ctx.namespace, ctx.name);
    if (storage && !patchable) throw notFound(kind, ctx.name);
    throw badRequest((decoding[mediaType] ?? "") + error.message);
  }
}

/** A strategic merge patch has the parser's words alone. */
const decoding: { readonly [mediaType: string]: string } = {
  "application/merge-patch+json": "error decoding patch: ",
  "application/json-patch+json": "error decoding patch: ",
};

const OF_YAML = "error decoding YAML: ";

function appliedYaml(text: string): Json {
  const { documents, errors } = parseManifests(text);
  const [problem] = errors;
  if (problem) throw badRequest(OF_YAML + problem.message);
  return mapOf(documents[0]?.value);
}

/** What is applied has fields, or is nothing. */
function mapOf(value: Json): Json {
  if (isObject(value ?? {})) return value;
  throw badRequest(
    `${OF_YAML}error unmarshaling JSON: while decoding JSON: json: cannot unmarshal ${goTypeName(value)} into Go value of type map[string]interface {}`,
  );
}

function unrecognized(ctx: RequestContext, why: string, text: string) {
  const { kind } = ctx.resource.kind;
  return badRequest(
    `the object provided is unrecognized (must be of type ${kind}): ${why} (${summary(text)})`,
  );
}

const SUMMARY_BYTES = 30;

/** The beginning of a body; in hexadecimal if it is no JSON object. */
function summary(text: string): string {
  if (text === "") return "<empty>";
  if (text.startsWith("{")) {
    return text.length > SUMMARY_BYTES
      ? `${text.slice(0, SUMMARY_BYTES)} ...`
      : text;
  }
  const bytes = [...new TextEncoder().encode(text)];
  const hex = bytes
    .slice(0, SUMMARY_BYTES)
    .map((byte) => byte.toString(16).padStart(2, "0"))
    .join("");
  return bytes.length > SUMMARY_BYTES ? `${hex} ...` : hex;
}

function noProtobuf() {
  const known = "application/json, application/yaml";
  const error = unsupportedMediaType(known);
  const { status } = error;
  const hint =
    "; the simulator does not read protobuf: send the manifest with `kubectl apply -f`, or make it with `--dry-run=client -o yaml`";
  return new (error.constructor as new (s: typeof status) => Error)({
    ...status,
    message: status.message + hint,
  });
}

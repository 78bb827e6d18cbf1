/**
 * Reads the body of an HTTP request: JSON or YAML to a value, and the options
 * that a delete carries in its body.
 * Models: apiserver/pkg/endpoints/handlers/{create,delete,patch}.go,
 *         apimachinery/pkg/runtime/serializer/json/json.go @ v1.36
 */
import {
  type FieldError,
  forbidden,
  notSupported,
} from "../../api/field-error.ts";
import { GoJsonError, parseGoJson } from "../../api/go-json.ts";
import { obj } from "../../api/kinds/access.ts";
import {
  badRequest,
  invalidObject,
  requestEntityTooLarge,
  statusError,
  unsupportedMediaType,
} from "../../api/status.ts";
import type { Json, JsonObject } from "../../api/types.ts";
import { parseManifests } from "../../api/yaml.ts";
import type { RequestContext } from "../context.ts";
import { RawBody } from "../raw-body.ts";

/** Most bytes of a body. */
const BODY_BYTES_MAX = 3 * 1024 * 1024;

export function readRaw(ctx: RequestContext): void {
  const { verb, body } = ctx.request;
  if (body instanceof RawBody) ctx.body = parsed(ctx, body);
  if (verb === "get" || verb === "list" || verb === "watch") return;
  if (verb === "delete" || verb === "deletecollection") readDelete(ctx);
  checkOptions(ctx);
}

function parsed(ctx: RequestContext, raw: RawBody): Json {
  const { text, mediaType } = raw;
  const { verb } = ctx.request;
  if (text.length > BODY_BYTES_MAX) {
    throw requestEntityTooLarge(`limit is ${BODY_BYTES_MAX}`);
  }
  if (text === "" && (verb === "delete" || verb === "deletecollection")) {
    return undefined;
  }
  if (verb === "patch") return patchBody(ctx, raw);
  if (mediaType === "application/yaml" || mediaType === "text/yaml") {
    return yamlBody(ctx, text);
  }
  if (mediaType !== "" && mediaType !== "application/json") {
    if (mediaType === "application/vnd.kubernetes.protobuf") throw noProtobuf();
    throw unsupportedMediaType();
  }
  return jsonBody(ctx, text);
}

function jsonBody(ctx: RequestContext, text: string): Json {
  try {
    const { value, duplicates } = parseGoJson(text);
    ctx.duplicates = duplicates;
    return value;
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
  return documents[0]?.value;
}

/** Apply sends YAML, which JSON is a part of; all others send JSON. */
function patchBody(ctx: RequestContext, { text, mediaType }: RawBody): Json {
  if (mediaType === "application/apply-patch+yaml" && !/^\s*[[{]/.test(text)) {
    const { documents, errors } = parseManifests(text);
    const [problem] = errors;
    if (problem) throw badRequest(`error decoding YAML: ${problem.message}`);
    return documents[0]?.value;
  }
  try {
    const { value, duplicates } = parseGoJson(text);
    if (mediaType.endsWith("merge-patch+json")) ctx.duplicates = duplicates;
    return value;
  } catch (error) {
    if (!(error instanceof GoJsonError)) throw error;
    throw badRequest((decoding[mediaType] ?? "") + error.message);
  }
}

/** A strategic merge patch has the parser's words alone. */
const decoding: { readonly [mediaType: string]: string } = {
  "application/apply-patch+yaml": "error decoding YAML: ",
  "application/merge-patch+json": "error decoding patch: ",
  "application/json-patch+json": "error decoding patch: ",
};

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

/** DeleteOptions in the body count more than those in the URL. */
function readDelete(ctx: RequestContext): void {
  const sent = ctx.body;
  if (typeof sent !== "object" || sent === null) return;
  const { kind: _k, apiVersion: _v, orphanDependents, ...options } = obj(sent);
  const policy =
    options.propagationPolicy ?? oldPolicy(orphanDependents as Json);
  ctx.options = {
    ...ctx.options,
    ...(options as JsonObject),
    ...(policy ? { propagationPolicy: policy as "Orphan" } : {}),
  };
  if (ctx.options.dryRun && ctx.options.dryRun.length > 0) ctx.dryRun = true;
}

function oldPolicy(orphanDependents: Json): string | undefined {
  if (orphanDependents === undefined) return undefined;
  return orphanDependents ? "Orphan" : "Background";
}

const OPTIONS_KIND: { readonly [verb: string]: string } = {
  create: "CreateOptions",
  update: "UpdateOptions",
  patch: "PatchOptions",
  delete: "DeleteOptions",
  deletecollection: "DeleteOptions",
};
const VALIDATIONS = ["", "Ignore", "Strict", "Warn"];
const POLICIES = ["Background", "Foreground", "Orphan"];

/** Options that have no such value, or no place in such a request. */
function checkOptions({ options, request }: RequestContext): void {
  const { dryRun, fieldValidation, propagationPolicy, force } = options;
  if (!dryRun && !fieldValidation && !propagationPolicy && !force) {
    if (request.patchType !== "application/apply-patch+yaml") return;
  }
  const errors: FieldError[] = [];
  const apply = request.patchType === "application/apply-patch+yaml";
  if (apply && !options.fieldManager) {
    const why = "Required value: is required for apply patch";
    errors.push({
      type: "FieldValueRequired",
      field: "fieldManager",
      body: why,
    });
  }
  if (force && !apply) {
    errors.push(forbidden("force", "may not be specified for non-apply patch"));
  }
  for (const value of dryRun ?? []) {
    if (value !== "All") {
      errors.push(notSupported("dryRun", dryRun, ["All"]));
      break;
    }
  }
  if (fieldValidation && !VALIDATIONS.includes(fieldValidation)) {
    errors.push(notSupported("fieldValidation", fieldValidation, VALIDATIONS));
  }
  if (propagationPolicy && !POLICIES.includes(propagationPolicy)) {
    errors.push(
      notSupported("propagationPolicy", propagationPolicy, [
        ...["Foreground", "Background", "Orphan", "nil"],
      ]),
    );
  }
  if (errors.length === 0) return;
  const kind = OPTIONS_KIND[request.verb] ?? "CreateOptions";
  throw invalidObject({ group: "meta.k8s.io", kind }, "", errors);
}

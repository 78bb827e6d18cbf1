/**
 * Decodes a body as an object of a kind: types are checked, unknown fields
 * named, defaults filled in.
 * Models: apiserver/pkg/endpoints/handlers/{create,rest}.go @ v1.36
 */
import { invalid } from "../../api/field-error.ts";
import { obj } from "../../api/kinds/access.ts";
import type { Kind, Obj } from "../../api/kinds/definition.ts";
import { DecodeError } from "../../api/schema/decode.ts";
import { badRequest, invalidObject } from "../../api/status.ts";
import type { Json, JsonObject } from "../../api/types.ts";
import type { RequestContext } from "../context.ts";
import type { Resource } from "./resource.ts";

/**
 * Decodes what was sent as an object of the resource. Throws 400, or what
 * `fail` makes of the reason.
 */
export function decodeBody(
  ctx: RequestContext,
  resource: Resource,
  body: Json,
  fail?: (why: string) => Error,
): Obj {
  const { kind } = resource;
  const sent = expectKind(ctx, resource, body);
  const about = `${sent.kind ?? kind.kind} in version "${kind.version}" cannot be handled as a ${kind.kind}`;
  const failure = fail ?? ((why) => badRequest(`${about}: ${why}`));
  try {
    const before = storedBefore(ctx, resource);
    const { object, unknown } = resource.decode(sent, true, before);
    if (unknown.length === 0 && ctx.duplicates.length === 0) {
      return object as Obj;
    }
    const problems = [
      ...ctx.duplicates.map((path) => `duplicate field "${path}"`),
      ...unknown.map((path) => `unknown field "${path}"`),
    ];
    reportFields(ctx, failure, problems);
    return object as Obj;
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    throw failure(error.message);
  }
}

/** What a change is of, if it is kept in the version that was sent. */
function storedBefore(
  { request, old, namespace, name, resource: asked }: RequestContext,
  resource: Resource,
): JsonObject | undefined {
  if (request.verb === "create" || resource !== asked) return undefined;
  if (resource.fromStorage || resource.custom) return undefined;
  const stored = old ?? resource.storage?.get(namespace, name);
  return stored && obj(stored);
}

/** What field validation does with fields that the kind does not have. */
function reportFields(
  ctx: RequestContext,
  failure: (why: string) => Error,
  problems: readonly string[],
): void {
  if (problems.length === 0) return;
  const { fieldValidation = "Warn" } = ctx.options;
  if (fieldValidation === "Strict") {
    throw failure(`strict decoding error: ${problems.join(", ")}`);
  }
  if (fieldValidation === "Warn") ctx.warnings.push(...problems);
}

/** Packages of upstream's internal types, where the group's name differs. */
const PACKAGES: { readonly [group: string]: string } = {
  "": "core",
  "events.k8s.io": "core",
};

/** The body must be of the URL's kind; what says no kind is taken for it. */
function expectKind(
  ctx: RequestContext,
  { kind, custom }: Resource,
  body: Json,
): JsonObject {
  if (typeof body !== "object" || body === null || Array.isArray(body)) {
    throw unrecognized(kind.kind, body);
  }
  const sent = body as JsonObject;
  const sentKind = String(sent.kind || kind.kind);
  const version = String(sent.apiVersion || kind.apiVersion);
  if (sentKind === kind.kind && version === kind.apiVersion) {
    if (sent.kind && sent.apiVersion) return sent;
    return { ...sent, kind: kind.kind, apiVersion: kind.apiVersion };
  }
  throw otherKind(ctx, kind, sentKind, version, custom);
}

function otherKind(
  { server, name }: RequestContext,
  kind: Kind,
  sentKind: string,
  version: string,
  custom: boolean,
) {
  const want = `does not match the expected API version (${kind.apiVersion})`;
  const otherVersion = badRequest(
    `the API version in the data (${version}) ${want}`,
  );
  if (custom) {
    // Any kind can be read; that it is the wrong one is said last.
    if (version !== kind.apiVersion) return otherVersion;
    const problem = invalid("kind", sentKind, `must be ${kind.kind}`);
    return invalidObject(kind, name, [problem]);
  }
  const known = server.kinds.kindOf(version, sentKind) !== undefined;
  if (sentKind === kind.kind && (known || isFormer(kind, version))) {
    return otherVersion;
  }
  const [short] = version.split("/").slice(-1);
  const about = `${sentKind} in version "${short}" cannot be handled as a ${kind.kind}`;
  const converting = `converting (${short}.${sentKind}) to (${internalType(kind)}): unknown conversion`;
  const unknown = `no kind "${sentKind}" is registered for version "${version}" in scheme "pkg/api/legacyscheme/scheme.go:30"`;
  return badRequest(`${about}: ${known ? converting : unknown}`);
}

/** Kinds that lay in the group `extensions` once. */
const FORMER_EXTENSIONS = [
  ...["DaemonSet", "Deployment", "Ingress", "NetworkPolicy", "ReplicaSet"],
];

/** Upstream still reads what is served no more. */
function isFormer({ group, kind }: Kind, version: string): boolean {
  if (version === "extensions/v1beta1") return FORMER_EXTENSIONS.includes(kind);
  const [of = "", short = ""] = version.split("/");
  return group !== "" && of === group && /^v\d+(alpha|beta)\d+$/.test(short);
}

/** The Go type that upstream keeps it in: `apps.Deployment`. */
export function internalType({ group, kind }: Kind): string {
  return `${PACKAGES[group] ?? group.split(".")[0]}.${kind}`;
}

function unrecognized(kind: string, body: Json) {
  const text = JSON.stringify(body) ?? "";
  const shown = text.length > 30 ? `${text.slice(0, 29)} ...` : text;
  return badRequest(
    `the object provided is unrecognized (must be of type ${kind}): ${notAnObject(body)} (${shown})`,
  );
}

/** What the decoder says of a body that has no fields. */
export function notAnObject(body: Json): string {
  const why =
    "couldn't get version/kind; json parse error: json: cannot unmarshal";
  return `${why} ${goTypeName(body)} into Go value of type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }`;
}

/** What Go's JSON calls it. */
export function goTypeName(body: Json): string {
  if (Array.isArray(body)) return "array";
  return typeof body === "boolean" ? "bool" : typeof body;
}

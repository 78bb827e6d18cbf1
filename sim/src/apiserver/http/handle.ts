/**
 * The API server as one function from a web Request to a Response. It reads
 * the URL, runs the same pipeline as the in-page transport, and writes the
 * answer in the form that the client takes.
 * Models: apiserver/pkg/endpoints/{installer,handlers} @ v1.36
 */
import type { Kind } from "../../api/kinds/definition.ts";
import {
  methodNotAllowed,
  resourceNotFound,
  StatusError,
} from "../../api/status.ts";
import type {
  ApiRequest,
  ApiResponse,
  Credentials,
  PatchType,
} from "../../api/transport.ts";
import type { Kernel } from "../../kernel/index.ts";
import { failure } from "../failure.ts";
import { flowHeaders } from "../flow/objects.ts";
import { RawBody } from "../raw-body.ts";
import { unsupported } from "../registry/patch.ts";
import type { ApiServer } from "../server.ts";
import { encode, type Form, plainText, respondText } from "./encode.ts";
import { credentialsOf } from "./headers.ts";
import { negotiate, parseMediaTypes } from "./negotiate.ts";
import { answerPath, NOT_FOUND } from "./paths.ts";
import type { IncludeObject } from "./table.ts";
import { parseUrl, type UrlRequest } from "./url.ts";
import { WatchResponse } from "./watch-response.ts";

const PATCH_TYPES: readonly string[] = [
  "application/json-patch+json",
  "application/merge-patch+json",
  "application/strategic-merge-patch+json",
  "application/apply-patch+yaml",
];

/**
 * `fallback` is who asks where a request brings no credentials; `recorded`:
 * the trace tells of the request already.
 */
export async function handle(
  server: ApiServer,
  request: Request,
  fallback?: Credentials,
  recorded = false,
): Promise<Response> {
  const url = new URL(request.url);
  const parsed = parseUrl(request.method, url);
  if (!("resource" in parsed))
    return answerPath(server, request, url, parsed, fallback);
  const asked = parsed.resource;
  try {
    if (!recorded) record(server.kernel, server, request, url);
    const response = await answerResource(
      server,
      request,
      url,
      asked,
      fallback,
    );
    return withFlow(server, request, asked, fallback, response);
  } catch (error) {
    const plain: Form = {
      type: "application/json",
      includeObject: "None",
      now: 0,
    };
    const response = encode(failure(error), plain, undefined);
    return withFlow(server, request, asked, fallback, response);
  }
}

/** Names the flow schema and the level that the request fell under. */
function withFlow(
  server: ApiServer,
  request: Request,
  asked: UrlRequest,
  fallback: Credentials | undefined,
  response: Response,
): Response {
  // Who is not known falls under none.
  if (response.status === 401) return response;
  try {
    const user = server.userOf(credentialsOf(request, fallback), asked);
    for (const [name, value] of flowHeaders(server, user, asked)) {
      response.headers.set(name, value);
    }
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
  }
  return response;
}

async function answerResource(
  server: ApiServer,
  request: Request,
  url: URL,
  asked: UrlRequest,
  fallback: Credentials | undefined,
): Promise<Response> {
  const { group, version, resource } = asked;
  if (!server.resources.hasGroupVersion(group, version)) {
    return plainText(NOT_FOUND, 404);
  }
  const found = server.resourceOf(group, version, resource);
  const form = formOf(server, request, url, asked);
  const credentials = credentialsOf(request, fallback);
  const sent: ApiRequest = {
    ...asked,
    credentials,
    userAgent: request.headers.get("user-agent") ?? "unknown",
  };
  const { causeId } = server.kernel;
  if (!found || !isPlaced(asked, found.kind)) {
    server.checkAccess(sent);
    throw resourceNotFound();
  }
  if (!isMethodKnown(asked, request.method, found.kind)) {
    server.checkAccess(sent);
    throw methodNotAllowed();
  }
  if (asked.verb === "watch") {
    const kernel = server.kernel;
    const now = () => nowMs(kernel);
    const stream = new WatchResponse(form, found.kind, now);
    const opened = server.watch(sent, stream);
    if (!("stop" in opened)) return encode(opened, form, found.kind);
    stream.handle = opened;
    return stream.response;
  }
  const whole = await withBody(request, url, sent);
  server.kernel.causeId = causeId;
  const answer = await server.execute(whole, true);
  if (asked.subresource === "log" && answer.code === 200)
    return logText(answer);
  return encode(answer, form, found.kind);
}

function record(kernel: Kernel, server: ApiServer, request: Request, url: URL) {
  const client = request.headers.get("user-agent")?.split("/")[0] ?? "client";
  const subject = `${request.method} ${url.pathname}${url.search}`;
  const id = kernel.record(client, "request", subject, server.actor);
  kernel.causeId = id;
  return id;
}

/** Moment of simulated time, in ms since 1970. */
export function nowMs(kernel: Kernel): number {
  return Date.parse(kernel.timestamp());
}

/** A namespace in the path of those that lie in one, and of those alone. */
function isPlaced({ name, namespace }: UrlRequest, { namespaced }: Kind) {
  if (!namespaced) return namespace === undefined;
  return namespace !== undefined || name === undefined;
}

/**
 * A name in the URL takes no POST, a collection no PUT and no PATCH; and not
 * every kind has every verb. Subresources check their own.
 */
function isMethodKnown(
  { verb, name, namespace, subresource }: UrlRequest,
  method: string,
  { verbs, namespaced }: Kind,
): boolean {
  const named = name !== undefined;
  // Across all namespaces one can only read.
  if (namespaced && !namespace && method !== "GET") return false;
  if (method === "POST") {
    if (named && subresource === undefined) return false;
  } else if ((method === "PUT" || method === "PATCH") && !named) return false;
  // What can be listed but not watched says so itself.
  const known = verb === "watch" ? "list" : verb;
  return subresource !== undefined || verbs.includes(known);
}

function formOf(
  server: ApiServer,
  request: Request,
  url: URL,
  { verb }: UrlRequest,
): Form {
  const convertible = ["get", "list", "watch"].includes(verb);
  const accepted = negotiate(request.headers.get("accept"), convertible);
  const include = url.searchParams.get("includeObject") ?? "Metadata";
  const includeObject = include as IncludeObject;
  return { ...accepted, includeObject, now: nowMs(server.kernel) };
}

async function withBody(
  request: Request,
  url: URL,
  sent: ApiRequest,
): Promise<ApiRequest> {
  if (sent.subresource === "log") {
    return { ...sent, body: Object.fromEntries(url.searchParams) };
  }
  if (request.method === "GET" || request.method === "HEAD") return sent;
  const header = request.headers.get("content-type") ?? "";
  const type = parseMediaTypes(header)[0]?.type ?? "";
  if (sent.verb === "patch" && !PATCH_TYPES.includes(type)) {
    throw unsupported();
  }
  const body = new RawBody(await request.text(), type);
  if (sent.verb !== "patch") return { ...sent, body };
  return { ...sent, body, patchType: type as PatchType };
}

function logText({ body }: ApiResponse): Response {
  const { text } = body as { text?: string };
  const headers = { "Content-Type": "text/plain" };
  return respondText(text ?? "", { headers });
}

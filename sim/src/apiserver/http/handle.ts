/**
 * The API server as one function from a web Request to a Response. It reads
 * the URL, runs the same pipeline as the in-page transport, and writes the
 * answer in the form that the client takes.
 * Models: apiserver/pkg/endpoints/{installer,handlers} @ v1.36
 */
import { StatusError } from "../../api/status.ts";
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
import type { ApiServer } from "../server.ts";
import { encode, type Form, plainText, respondText } from "./encode.ts";
import { credentialsOf } from "./headers.ts";
import { negotiate } from "./negotiate.ts";
import { answerPath, NOT_FOUND } from "./paths.ts";
import { mediaTypeOf, problemOf } from "./routes.ts";
import type { IncludeObject } from "./table.ts";
import { checkTimeout } from "./timeout.ts";
import { parseUrl, type UrlRequest } from "./url.ts";
import { WatchResponse } from "./watch-response.ts";

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
  const named = "resource" in parsed;
  if (named && !recorded) record(server.kernel, server, request, url);
  try {
    checkTimeout(url, parsed);
  } catch (error) {
    return encode(failure(error), errorForm(request), undefined);
  }
  if (!named) return answerPath(server, request, url, parsed, fallback);
  const asked = parsed.resource;
  try {
    const response = await answerResource(
      server,
      request,
      url,
      asked,
      fallback,
    );
    return withFlow(server, request, asked, fallback, response);
  } catch (error) {
    const response = encode(failure(error), errorForm(request), undefined);
    return withFlow(server, request, asked, fallback, response);
  }
}

/** An error comes in the client's format too; JSON is for who takes neither. */
function errorForm({ headers }: Request): Form {
  const { type } = negotiate(headers.get("accept")) ?? JSON_FORM;
  return { type, includeObject: "None", now: 0 };
}

const JSON_FORM = { type: "application/json" } as const;

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
  const credentials = credentialsOf(request, fallback);
  const sent: ApiRequest = {
    ...asked,
    credentials,
    userAgent: request.headers.get("user-agent") ?? "unknown",
  };
  if (!server.resources.hasGroupVersion(group, version)) {
    server.checkAccess(sent);
    return plainText(NOT_FOUND, 404);
  }
  const found = server.resourceOf(group, version, resource);
  const form = formOf(server, request, url);
  const { causeId } = server.kernel;
  const problem = problemOf(request, asked, form, found?.kind);
  if (problem || !found || !form) {
    // Who may not ask is told that first.
    server.checkAccess(sent);
    throw problem;
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

function formOf(
  server: ApiServer,
  request: Request,
  url: URL,
): Form | undefined {
  const accepted = negotiate(request.headers.get("accept"), true);
  const include = url.searchParams.get("includeObject") || "Metadata";
  const includeObject = include as IncludeObject;
  return accepted && { ...accepted, includeObject, now: nowMs(server.kernel) };
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
  const type = mediaTypeOf(request);
  const body = new RawBody(await request.text(), type);
  if (sent.verb !== "patch") return { ...sent, body };
  return { ...sent, body, patchType: type as PatchType };
}

function logText({ body }: ApiResponse): Response {
  const { text } = body as { text?: string };
  const headers = { "Content-Type": "text/plain" };
  return respondText(text ?? "", { headers });
}

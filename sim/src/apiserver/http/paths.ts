/**
 * Paths that name no resource: version, health, discovery, OpenAPI. Each is
 * authorized by its path.
 */
import { methodNotAllowed } from "../../api/status.ts";
import type { Credentials } from "../../api/transport.ts";
import type { JsonObject } from "../../api/types.ts";
import { refusal } from "../authorization/stage.ts";
import { failure } from "../failure.ts";
import { type MaybePromise, rescue } from "../maybe.ts";
import type { ApiServer } from "../server.ts";
import {
  AGGREGATED_TYPE,
  aggregated,
  coreVersions,
  groupList,
  oneGroup,
  resourceList,
} from "./discovery.ts";
import { encode, plainJson, plainText } from "./encode.ts";
import { credentialsOf } from "./headers.ts";
import { HEALTH_PATH, health } from "./health.ts";
import { parseMediaTypes } from "./negotiate.ts";
import { openApiDocument, openApiIndex } from "./openapi.ts";
import type { ParsedUrl } from "./url.ts";
import { VERSION } from "./version.ts";

export const NOT_FOUND = "404 page not found\n";

export function answerPath(
  server: ApiServer,
  request: Request,
  url: URL,
  parsed: Exclude<ParsedUrl, { resource: unknown }>,
  fallback: Credentials | undefined,
): MaybePromise<Response> {
  const answer = (): MaybePromise<Response> => {
    const verb = request.method.toLowerCase();
    const path = url.pathname;
    const a = { verb, path, group: "", resource: "" };
    const user = server.userOf(credentialsOf(request, fallback), a);
    if (!server.authorizer.authorize(user, a).allowed) {
      throw refusal(user.name, a);
    }
    if (HEALTH_PATH.test(path)) return health(server, url, path);
    const found =
      "groupVersion" in parsed
        ? groupVersion(server, parsed.groupVersion)
        : plainPath(server, request, path);
    const routed = /^\/(api|version)/.test(path);
    if (found && routed && request.method !== "GET") throw methodNotAllowed();
    return found ?? plainText(NOT_FOUND, 404);
  };
  return rescue(answer, (error) => {
    const form = {
      type: "application/json",
      includeObject: "None",
      now: 0,
    } as const;
    return encode(failure(error), form, undefined);
  });
}

function groupVersion(
  server: ApiServer,
  { group, version }: { group: string; version: string },
): Response | undefined {
  const found = resourceList(server, group, version);
  return found && plainJson(found);
}

function plainPath(
  server: ApiServer,
  request: Request,
  path: string,
): Response | undefined {
  const core = path === "/api" || path === "/api/";
  if (core || path === "/apis" || path === "/apis/") {
    if (wantsAggregated(request)) {
      return plainJson(aggregated(server, core), AGGREGATED_TYPE);
    }
    return plainJson(core ? coreVersions() : groupList(server));
  }
  if (path === "/version" || path === "/version/") return plainJson(VERSION);
  if (path === "/openapi/v3" || path === "/openapi/v3/") {
    return plainJson(openApiIndex(server), "text/plain; charset=utf-8");
  }
  if (path.startsWith("/openapi/v3/")) {
    const found = openApiDocument(server, path.slice("/openapi/v3/".length));
    return found ? plainJson(found) : undefined;
  }
  const [, group] = /^\/apis\/([^/]+)\/?$/.exec(path) ?? [];
  const found: JsonObject | undefined = group
    ? oneGroup(server, group)
    : undefined;
  if (path === "/") return plainJson({ paths: rootPaths(server) });
  return found && plainJson(found);
}

/** The first clause of Accept that is known decides. */
function wantsAggregated(request: Request): boolean {
  const types = parseMediaTypes(request.headers.get("accept") ?? "");
  for (const { type, params } of types) {
    if (type !== "application/json" && type !== "*/*") continue;
    if (params.as !== "APIGroupDiscoveryList") return false;
    if (params.v === "v2") return true;
  }
  return false;
}

function rootPaths(server: ApiServer): string[] {
  const index = openApiIndex(server).paths as JsonObject;
  const fixed = ["/healthz", "/livez", "/openapi/v3", "/readyz", "/version"];
  return [...Object.keys(index).map((path) => `/${path}`), ...fixed].sort();
}

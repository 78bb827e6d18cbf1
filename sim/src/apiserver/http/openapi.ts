/**
 * OpenAPI v3, made of the kinds' own schema: what `kubectl explain`, `apply`
 * and `diff` read.
 * Models: apiserver/pkg/server/routes/openapi.go, kube-openapi @ v1.36
 */
import { fnv1aText } from "../../api/hash.ts";
import type { Kind } from "../../api/kinds/definition.ts";
import { openApiOf } from "../../api/openapi.ts";
import type { Json, JsonObject } from "../../api/types.ts";
import type { ApiServer } from "../server.ts";

/** GET /openapi/v3 */
export function openApiIndex(server: ApiServer): JsonObject {
  const paths: Record<string, JsonObject> = {};
  for (const path of pathsOf(server)) {
    const hash = fnv1aText(path).toString(16).toUpperCase();
    paths[path] = { serverRelativeURL: `/openapi/v3/${path}?hash=${hash}` };
  }
  return { paths };
}

function pathsOf(server: ApiServer): string[] {
  const paths = new Set([
    ".well-known/openid-configuration",
    "api",
    "apis",
    "openid/v1/jwks",
    "version",
  ]);
  for (const { kind } of server.resources.all()) {
    if (kind.verbs.length > 0) addGroup(paths, kind.apiVersion);
  }
  return [...paths].sort();
}

function addGroup(paths: Set<string>, apiVersion: string): void {
  const [group, version] = apiVersion.split("/");
  if (!version) paths.add(`api/${apiVersion}`);
  else {
    paths.add(`apis/${group}`);
    paths.add(`apis/${apiVersion}`);
  }
}

/** GET /openapi/v3/apis/apps/v1; undefined if there is none. */
export function openApiDocument(server: ApiServer, path: string): Json {
  if (!pathsOf(server).includes(path)) return undefined;
  const apiVersion = path.replace(/^apis?\//, "");
  const kinds: Kind[] = [];
  for (const { kind } of server.resources.all()) {
    if (kind.apiVersion === apiVersion) kinds.push(kind);
  }
  return openApiOf(server.kinds.schemas, kinds);
}

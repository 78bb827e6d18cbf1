/**
 * The objects of flow control: made when somebody first looks at them, and
 * named in each answer over HTTP.
 * Models: pkg/registry/flowcontrol/ensurer, apiserver/pkg/server/filters/
 *         priority-and-fairness.go @ v1.36
 */

import { fnv1aText } from "../../api/hash.ts";
import { obj, str } from "../../api/kinds/access.ts";
import type { ApiRequest } from "../../api/transport.ts";
import type { Json, JsonObject } from "../../api/types.ts";
import { LOOPBACK, type UserInfo } from "../authentication/user.ts";
import { newContext } from "../context.ts";
import { andThen, type MaybePromise, rescue } from "../maybe.ts";
import type { ApiServer } from "../server.ts";
import { flowSchemas, priorityLevels } from "./defaults.ts";
import { type Digest, flowOf } from "./match.ts";

export const FLOW_GROUP = "flowcontrol.apiserver.k8s.io";
const SCHEMAS = "flowschemas";
const LEVELS = "prioritylevelconfigurations";

/** Makes those that are missing, levels first. */
export function ensureFlowObjects(server: ApiServer): MaybePromise<void> {
  const steps = [
    ...priorityLevels().map((one) => () => make(server, LEVELS, one)),
    ...flowSchemas().map((one) => () => make(server, SCHEMAS, one)),
  ];
  const next = (i: number): MaybePromise<void> =>
    i < steps.length ? andThen(steps[i]!(), () => next(i + 1)) : undefined;
  return next(0);
}

function make(
  server: ApiServer,
  resource: string,
  one: JsonObject,
): MaybePromise<void> {
  const served = server.resourceOf(FLOW_GROUP, "v1", resource)!;
  const name = str(obj(one.metadata).name);
  if (served.storage!.get("", name)) return;
  const where = { group: FLOW_GROUP, version: "v1", resource };
  const annotations = { "apf.kubernetes.io/autoupdate-spec": "true" };
  const run = (more: Partial<ApiRequest> & Pick<ApiRequest, "verb">) => {
    const options = {
      fieldManager: "api-priority-and-fairness-config-producer-v1",
    };
    const request: ApiRequest = { ...where, options, ...more };
    const ctx = newContext(server, request, served, LOOPBACK);
    ctx.uid = uidOf(resource, name);
    return server.runFrom(ctx, "decoding and defaulting");
  };
  const body = { ...one, metadata: { name, annotations } };
  const made = rescue<unknown>(
    () => run({ verb: "create", body }),
    // Another server was faster.
    () => undefined,
  );
  if (resource !== SCHEMAS) return andThen(made, () => {});
  return andThen(made, () => {
    const now = served.storage!.get("", name);
    if (!now || obj(now.status as Json).conditions) return;
    const level = str(obj(obj(one.spec).priorityLevelConfiguration).name);
    const status = { conditions: [found(level, server.kernel.timestamp())] };
    const next = { ...now, status };
    const options = {
      fieldManager: "api-priority-and-fairness-config-consumer-v1",
    };
    const update = { name, subresource: "status", options } as const;
    return andThen(run({ verb: "update", ...update, body: next }), () => {});
  });
}

function found(level: string, lastTransitionTime: string): JsonObject {
  const message = `This FlowSchema references the PriorityLevelConfiguration object named ${JSON.stringify(level)} and it exists`;
  const type = "Dangling";
  return {
    type,
    status: "False",
    lastTransitionTime,
    reason: "Found",
    message,
  };
}

/** Known before the object is there: answers name it, made or not. */
function uidOf(resource: string, name: string): string {
  // Made up, by a hash that lies in the core.
  const digits = (i: number) => fnv1aText(`${i} ${resource}/${name}`);
  const hex = [0, 1, 2, 3]
    .map((i) => digits(i).toString(16).padStart(8, "0"))
    .join("");
  const parts = [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`];
  return [...parts, `a${hex.slice(17, 20)}`, hex.slice(20, 32)].join("-");
}

/** Headers that say which schema and level a request fell under. */
export function flowHeaders(
  server: ApiServer,
  user: UserInfo,
  digest: Digest,
): readonly [string, string][] {
  const { schema, level } = flowOf(server, user, digest);
  const uid = (resource: string, name: string) =>
    server.storageOf(resource).get("", name)?.metadata.uid ??
    uidOf(resource, name);
  return [
    ["X-Kubernetes-PF-FlowSchema-UID", uid(SCHEMAS, schema)],
    ["X-Kubernetes-PF-PriorityLevel-UID", uid(LEVELS, level)],
  ];
}

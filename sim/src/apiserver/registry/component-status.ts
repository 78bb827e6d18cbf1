/**
 * ComponentStatuses are never stored: each read asks how the parts on this
 * server's own machine are. One that runs elsewhere looks unhealthy, which is
 * why the kind is deprecated.
 * Models: pkg/registry/core/componentstatus/{rest,validator}.go,
 *         pkg/registry/core/rest/storage_core.go @ v1.36
 */

import { statusError } from "../../api/status.ts";
import type { JsonObject, KubeObject } from "../../api/types.ts";
import { deepFreeze } from "../../api/types.ts";
import { type RequestContext, respond } from "../context.ts";
import { etcdProblem } from "../health.ts";
import { andThen, type MaybePromise } from "../maybe.ts";
import type { ApiServer } from "../server.ts";
import { checkListOptions } from "./list-options.ts";
import { selectionOf } from "./selection.ts";

/** How long a part may take to answer, in ms. */
const PROBE_TIMEOUT_MS = 20_000;

/** Ports of /healthz, of the parts that are always asked. */
const PORTS: { readonly [component: string]: number } = {
  "controller-manager": 10257,
  scheduler: 10259,
};

export function answerComponentStatus(ctx: RequestContext): MaybePromise<void> {
  const { verb, subresource } = ctx.request;
  if (subresource || (verb !== "get" && verb !== "list")) return;
  const selection =
    verb === "list" ? selectionOf(ctx, checkListOptions) : undefined;
  return andThen(componentStatuses(ctx.server), (all) => {
    if (!selection) return answerOne(ctx, all);
    const { name, matches } = selection;
    const items = all.filter(
      (one) =>
        (name === undefined || one.metadata.name === name) &&
        (!matches || matches(one)),
    );
    const kind = "ComponentStatusList";
    respond(ctx, 200, { kind, apiVersion: "v1", metadata: {}, items });
  });
}

/** A name that is not known is no 404: the error has no reason. */
function answerOne(ctx: RequestContext, all: readonly KubeObject[]): void {
  const one = all.find(({ metadata }) => metadata.name === ctx.name);
  if (!one) throw statusError(500, "", `Component not found: ${ctx.name}`);
  respond(ctx, 200, one);
}

function componentStatuses(server: ApiServer): MaybePromise<KubeObject[]> {
  const parts = Object.entries(PORTS).map(([name, port]) => {
    const message = isServing(server, name) ? "ok" : refused(port);
    return componentStatus(name, { healthy: message === "ok", message });
  });
  return andThen(etcdProblem(server, PROBE_TIMEOUT_MS), (error) => {
    const healthy = error === "";
    const said = healthy ? { healthy, message: "ok" } : { healthy, error };
    return [...parts, componentStatus("etcd-0", said)];
  });
}

/** Only the part beside this server counts: it is asked at 127.0.0.1. */
function isServing({ actor, isServing }: ApiServer, name: string): boolean {
  return isServing(actor.replace("apiserver", name));
}

function refused(port: number): string {
  const address = `127.0.0.1:${port}`;
  return `Get "https://${address}/healthz": dial tcp ${address}: connect: connection refused`;
}

function componentStatus(
  name: string,
  { healthy, ...said }: { healthy: boolean; message?: string; error?: string },
): KubeObject {
  const status = healthy ? "True" : "False";
  const condition: JsonObject = { type: "Healthy", status, ...said };
  return deepFreeze({
    kind: "ComponentStatus",
    apiVersion: "v1",
    metadata: { name },
    conditions: [condition],
  });
}

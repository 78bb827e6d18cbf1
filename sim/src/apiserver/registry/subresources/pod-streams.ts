/**
 * Logs, exec, attach and port-forward: the API server passes them on to the
 * kubelet of the Pod's node.
 * Models:     pkg/registry/core/pod/{rest/log.go,rest/subresources.go} @ v1.36
 * Leaves out: exec, attach and port-forward, which need a two-way stream.
 */
import { at, list, str } from "../../../api/kinds/access.ts";
import type { Obj } from "../../../api/kinds/definition.ts";
import { badRequest, notFound, statusError } from "../../../api/status.ts";
import type { Json, KubeObject } from "../../../api/types.ts";
import type { RequestContext } from "../../context.ts";
import { andThen, type MaybePromise } from "../../maybe.ts";
import { checkLogQuery, type LogOptions, logOptions } from "./log-query.ts";

/** What the kubelet of a node gives out; the cluster registers one a node. */
export interface LogSource {
  logs(
    namespace: string,
    pod: string,
    options: LogOptions,
  ): MaybePromise<string>;
}

export function answerLog(ctx: RequestContext): MaybePromise<void> {
  const { kind, storage } = ctx.resource;
  const pod = storage!.get(ctx.namespace, ctx.name);
  if (!pod) throw notFound(kind, ctx.name);
  const query = (ctx.request.body ?? {}) as { [key: string]: string };
  checkLogQuery(ctx, query);
  const container = containerOf(pod, query.container ?? "");
  const node = str(at(pod.spec as Json, "nodeName"));
  // Nothing runs yet: there is nothing to read.
  if (!node) return answer(ctx, "");
  const source = ctx.server.kubelets.get(node);
  if (!source) throw unreachable(node);
  const options = logOptions(ctx, container, query);
  const text = source.logs(ctx.namespace, ctx.name, options);
  return andThen(text, (lines) => answer(ctx, lines));
}

/** The log's text travels as `data` of a body without a kind of its own. */
function answer(ctx: RequestContext, text: string): void {
  const { name } = ctx;
  const body = { apiVersion: "v1", kind: "Log", metadata: { name }, text };
  ctx.response = { code: 200, body: body as KubeObject };
}

function containerOf(pod: Obj, asked: string): string {
  const spec = pod.spec as Json;
  const namesOf = (field: string) =>
    list(at(spec, field)).map(({ name }) => str(name));
  const containers = namesOf("containers");
  const init = namesOf("initContainers");
  const { name } = pod.metadata;
  if (asked) {
    if ([...containers, ...init].includes(asked)) return asked;
    throw badRequest(`container ${asked} is not valid for pod ${name}`);
  }
  if (containers.length === 1) return containers[0]!;
  const wanted =
    pod.metadata.annotations?.["kubectl.kubernetes.io/default-container"];
  if (wanted && containers.includes(wanted)) return wanted;
  const choose = `a container name must be specified for pod ${name}, choose one of: [${containers.join(" ")}]`;
  const more =
    init.length > 0
      ? ` or one of the init containers: [${init.join(" ")}]`
      : "";
  throw badRequest(choose + more);
}

function unreachable(node: string) {
  const message = `Get "https://${node}:10250/containerLogs": dial tcp: lookup ${node}: no such host`;
  return statusError(
    500,
    "InternalError",
    `Internal error occurred: ${message}`,
  );
}

export function answerStream(ctx: RequestContext): never {
  const { subresource } = ctx.request;
  const message = `the simulator does not stream pods/${subresource}`;
  throw statusError(501, "NotImplemented", message);
}

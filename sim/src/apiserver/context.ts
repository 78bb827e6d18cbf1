/**
 * One request on its way through the pipeline: what was asked, who asks, and
 * what the stages have made of it so far.
 */
import type { Obj } from "../api/kinds/definition.ts";
import type {
  ApiRequest,
  ApiResponse,
  RequestOptions,
  StageDetail,
} from "../api/transport.ts";
import type { Json } from "../api/types.ts";
import type { Reinvocation } from "./admission/webhooks/plugins.ts";
import type { UserInfo } from "./authentication/user.ts";
import type { Resource } from "./registry/resource.ts";
import type { ApiServer } from "./server.ts";

export interface RequestContext {
  readonly server: ApiServer;
  readonly request: ApiRequest;
  /** From the URL; of a delete, also from its body. */
  options: RequestOptions;
  /** What the URL names; of a review or another virtual kind too. */
  readonly resource: Resource;
  readonly namespace: string;
  /** "" for lists; of a create, once the name is known. */
  name: string;
  /** Nothing is kept: `dryRun=All`. */
  dryRun: boolean;
  /** Keep account of who set which field: costs time, so only if asked. */
  readonly trackFields: boolean;
  readonly warnings: string[];
  /** Where mutating webhooks were asked: whether the chain runs again. */
  reinvocation?: Reinvocation;
  /** What admission tells the audit log. */
  annotations: Map<string, string> | undefined;
  /** The body, read. */
  body: Json;
  /** Paths of fields that stand twice in the body. */
  duplicates: readonly string[];
  user: UserInfo;
  /** The object as it is to be stored; of a delete, none. */
  object: Obj | undefined;
  /** The object as it is stored now. */
  old: Obj | undefined;
  /** A change is tried again from the stored object after a lost race. */
  retries: number;
  /** Of a new object of the server's own, where it is known before. */
  uid: string | undefined;
  /** Undone if the request fails: addresses and ports that it took. */
  readonly undo: (() => void)[];
  response: ApiResponse | undefined;
}

const NO_OPTIONS: RequestOptions = Object.freeze({});
const NO_PATHS: readonly string[] = Object.freeze([]);

export function newContext(
  server: ApiServer,
  request: ApiRequest,
  resource: Resource,
  user: UserInfo,
  http = false,
): RequestContext {
  const options = request.options ?? NO_OPTIONS;
  return {
    server,
    request,
    options,
    resource,
    namespace: request.namespace ?? "",
    name: request.name ?? "",
    dryRun: options.dryRun !== undefined && options.dryRun.length > 0,
    trackFields: http || options.fieldManager !== undefined,
    warnings: resource.kind.deprecation ? [resource.kind.deprecation] : [],
    annotations: undefined,
    body: request.body as Json,
    duplicates: NO_PATHS,
    user,
    object: undefined,
    old: undefined,
    retries: 0,
    uid: undefined,
    undo: [],
    response: undefined,
  };
}

/** Records a stage's verdict under the request. */
export function recordStage(
  ctx: RequestContext,
  verb: "authenticate" | "authorize" | "mutate" | "validate" | "admit",
  detail: StageDetail,
): void {
  const { kernel, actor } = ctx.server;
  kernel.record(actor, verb, detail.verdict, "", detail);
}

/** Ends the pipeline with an answer, and with the warnings so far. */
export function respond(
  ctx: RequestContext,
  code: number,
  body: ApiResponse["body"],
): void {
  const { warnings } = ctx;
  ctx.response =
    warnings.length > 0 ? { code, body, warnings } : { code, body };
}

/** The field manager of a request: as told, else the client's name. */
export function managerOf({ options, request }: RequestContext): string {
  if (options.fieldManager) return options.fieldManager;
  const agent = request.userAgent ?? "unknown";
  const slash = agent.indexOf("/");
  return slash < 0 ? agent : agent.slice(0, slash);
}

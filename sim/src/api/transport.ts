/**
 * How a client reaches an API server: one request in, one answer out, watches
 * as a series of events. Inside the simulator the cluster supplies it (same
 * pipeline as HTTP, without serialisation); a real cluster's is made of fetch.
 * An ApiRequest says what an HTTP request says after its URL was read.
 */
import type { KubeList, KubeObject, Status, WatchEvent } from "./types.ts";

/** As RBAC and audit name them. */
export type RequestVerb =
  | "get"
  | "list"
  | "watch"
  | "create"
  | "update"
  | "patch"
  | "delete"
  | "deletecollection";

export type PatchType =
  | "application/json-patch+json"
  | "application/merge-patch+json"
  | "application/strategic-merge-patch+json"
  | "application/apply-patch+yaml";

/** What a client asks: a verb, a kind, a name, and a body. */
export interface ApiRequest {
  readonly verb: RequestVerb;
  /** "" for the core group. */
  readonly group: string;
  readonly version: string;
  /** Plural, lower case: `pods`. */
  readonly resource: string;
  /** `status`, `scale`, `binding`, `eviction`, `log`, `token`, or absent. */
  readonly subresource?: string;
  readonly namespace?: string;
  readonly name?: string;
  readonly body?: unknown;
  readonly patchType?: PatchType;
  readonly options?: RequestOptions;
  /** Bearer token or client certificate; none is `system:anonymous`. */
  readonly credentials?: Credentials;
  readonly userAgent?: string;
}

/** The query parameters, named as in the URL. */
export interface RequestOptions {
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
  readonly resourceVersion?: string;
  readonly resourceVersionMatch?: "Exact" | "NotOlderThan";
  readonly limit?: number;
  readonly continue?: string;
  readonly allowWatchBookmarks?: boolean;
  readonly sendInitialEvents?: boolean;
  readonly timeoutSeconds?: number;
  readonly dryRun?: readonly string[];
  readonly fieldManager?: string;
  readonly fieldValidation?: "Ignore" | "Warn" | "Strict";
  readonly force?: boolean;
  readonly propagationPolicy?: "Orphan" | "Background" | "Foreground";
  /** The old form of `propagationPolicy`. */
  readonly orphanDependents?: boolean;
  readonly gracePeriodSeconds?: number;
  readonly preconditions?: {
    readonly uid?: string;
    readonly resourceVersion?: string;
  };
  /** Numbers of a URL that are none, as they were sent. */
  readonly unparsed?: { readonly [name: string]: string };
}

export interface Credentials {
  readonly token?: string;
  /** Subject of a client certificate that the cluster's CA signed. */
  readonly certificate?: {
    readonly commonName: string;
    readonly organizations: readonly string[];
  };
  /** Impersonate-User and the like. */
  readonly impersonate?: {
    readonly user: string;
    readonly uid?: string;
    readonly groups?: readonly string[];
    readonly extra?: { readonly [key: string]: readonly string[] };
  };
}

/** What the server answers, errors too (`code` from 400 on). */
export interface ApiResponse {
  /** HTTP status code. */
  readonly code: number;
  /** The object, the list, or a Status. */
  readonly body: KubeObject | KubeList | Status;
  readonly warnings?: readonly string[];
  /** Seconds; of 429 and some 500s. */
  readonly retryAfterSeconds?: number;
}

/** A GET of any path of the server, as HTTP has it. */
export interface RawRequest {
  /** With its query: `/readyz?verbose`. */
  readonly path: string;
  readonly credentials?: Credentials;
}

export interface RawResponse {
  readonly code: number;
  readonly text: string;
  readonly warnings: readonly string[];
}

/** Who hears of a watch. */
export interface WatchHandler {
  onEvent(event: WatchEvent): void;
  /** The stream ended: by time-out, a lost connection, or `error`. */
  onEnd(error?: Status): void;
}

/** A watch that is open. */
export interface WatchHandle {
  stop(): void;
}

/**
 * All calls resolve in a later step of the kernel. `request` resolves with
 * an error answer too (code ≥ 400); it rejects only if no answer came
 * (connection refused, time-out), with `ConnectionError`.
 */
export interface Transport {
  request(request: ApiRequest): Promise<ApiResponse>;
  /** Resolves once the server accepted the watch, or with its refusal. */
  watch(
    request: ApiRequest,
    handler: WatchHandler,
  ): Promise<WatchHandle | ApiResponse>;
  /** Answers a path that need not name a resource; absent: cannot. */
  raw?(request: RawRequest): Promise<RawResponse>;
}

/** No answer came from `target`: it is down, cut off or too slow. */
export class ConnectionError extends Error {
  readonly target: string;

  constructor(target: string, message: string) {
    super(message);
    this.name = "ConnectionError";
    this.target = target;
  }
}

/** What the trace keeps of a request, by reference. */
export interface RequestDetail {
  readonly request: ApiRequest;
}

/** What the trace keeps of an answer. */
export interface ResponseDetail {
  readonly code: number;
  readonly body: ApiResponse["body"];
  readonly ms: number;
}

/** What the trace keeps of a pipeline stage. */
export interface StageDetail {
  readonly verdict: "allow" | "deny" | "change" | "none";
  /** Plugin, authenticator or rule that decided. */
  readonly by: string;
  readonly message?: string;
  readonly before?: unknown;
  readonly after?: unknown;
}

/** What the trace keeps of a change to an object. */
export interface WriteDetail {
  readonly type: "ADDED" | "MODIFIED" | "DELETED";
  readonly before?: KubeObject;
  readonly after?: KubeObject;
}

/**
 * The API server: everything that all clients share. `execute` runs a request
 * through the pipeline, `watch` opens a watch, `handle` (http/handle.ts) does
 * both for HTTP.
 * Models: cmd/kube-apiserver, pkg/controlplane/instance.go @ v1.36
 * Longer because: it is the one place that all requests share.
 */
import type { Obj } from "../api/kinds/definition.ts";
import type { Kinds } from "../api/kinds/registry.ts";
import {
  Eviction,
  Scale,
  TokenRequest,
} from "../api/kinds/subresource-kinds.ts";
import { resourceNotFound, watchNotSupported } from "../api/status.ts";
import type {
  ApiRequest,
  ApiResponse,
  Credentials,
  StageDetail,
  WatchHandle,
  WatchHandler,
  WriteDetail,
} from "../api/transport.ts";
import type { EtcdApi, RangeResponse } from "../etcd/index.ts";
import { assert, type Kernel, type Random } from "../kernel/index.ts";
import { PLUGINS } from "./admission/plugins/index.ts";
import { AdmissionChain } from "./admission/stages.ts";
import type { WebhookServer } from "./admission/webhooks/review.ts";
import { auditEvent } from "./audit.ts";
import {
  type Authenticator,
  authenticate,
  authenticators,
} from "./authentication/authenticate.ts";
import { actingUser } from "./authentication/impersonation.ts";
import { TokenSigner } from "./authentication/service-account.ts";
import { ANONYMOUS, type UserInfo } from "./authentication/user.ts";
import { type Authorizer, newAuthorizer } from "./authorization/authorizer.ts";
import type { Attributes } from "./authorization/rule.ts";
import { refusal } from "./authorization/stage.ts";
import { Bookmarks } from "./bookmarks.ts";
import { Compactor } from "./compactor.ts";
import { newContext, type RequestContext } from "./context.ts";
import { Definitions } from "./extensions/definitions.ts";
import { failure } from "./failure.ts";
import { ensureFlowObjects, FLOW_GROUP } from "./flow/objects.ts";
import { FlowControl } from "./flow-control.ts";
import { andThen, type MaybePromise, rescue } from "./maybe.ts";
import type { ApiServerOptions } from "./options.ts";
import {
  PIPELINE,
  runStages,
  type Stage,
  withFlowControl,
} from "./pipeline.ts";
import { EventLeases } from "./registry/event-lease.ts";
import { LostRace } from "./registry/lost-race.ts";
import type { Resource, Storage } from "./registry/resource.ts";
import { ServiceAllocators } from "./registry/service/allocators.ts";
import type { LogSource } from "./registry/subresources/pod-streams.ts";
import { openWatch } from "./registry/watch.ts";
import { bodyOnly, Resources } from "./resources.ts";
import { wordSubjects } from "./wordings.ts";

export class ApiServer {
  readonly kernel: Kernel;
  readonly etcd: EtcdApi;
  readonly kinds: Kinds;
  readonly actor: string;
  readonly etcdActor: string;
  readonly options: ApiServerOptions;
  readonly stages: readonly Stage[];
  readonly flowControl: FlowControl | undefined;
  readonly resources: Resources;
  readonly signer: TokenSigner;
  readonly authenticators: readonly Authenticator[];
  readonly authorizer: Authorizer;
  readonly admission: AdmissionChain;
  /** Kinds that CustomResourceDefinitions added. */
  readonly definitions: Definitions;
  readonly bookmarks: Bookmarks;
  /** Ends each open watch, as a restart of the server does. */
  readonly openWatches = new Set<() => void>();
  readonly eventLeases = new EventLeases();
  readonly compactor: Compactor;
  /** Addresses and ports of Services. */
  readonly services: ServiceAllocators;
  readonly serviceCidr: string;
  /** Kubelets by node: whom the server asks for logs. */
  readonly kubelets = new Map<string, LogSource>();
  /** Whether the component of this name answers; the cluster tells. */
  isServing: (actor: string) => boolean = () => false;
  /** Servers of webhooks, by URL or by `namespace/service`. */
  readonly webhooks = new Map<string, WebhookServer>();
  readonly usersSeen = new WeakMap<
    Credentials,
    { user: UserInfo; detail: StageDetail }
  >();
  /** Told of every committed change, traced or not. */
  readonly writeListeners: ((write: WriteDetail) => void)[] = [];
  /** For generated names. */
  readonly names: Random;
  private readonly random: Random;

  constructor(options: ApiServerOptions) {
    const { kernel, etcd, kinds } = options;
    this.options = options;
    this.kernel = kernel;
    this.etcd = etcd;
    this.kinds = kinds;
    this.actor = options.actor ?? "kube-apiserver";
    this.etcdActor = options.etcdActor ?? "etcd";
    this.flowControl =
      options.flowControl && new FlowControl(kernel, options.flowControl);
    this.stages =
      options.stages ??
      (this.flowControl ? withFlowControl(this.flowControl) : PIPELINE);
    this.random = kernel.random.fork(this.actor);
    this.names = this.random.fork("names");
    wordSubjects(kernel.trace);
    this.bookmarks = new Bookmarks(kernel);
    this.compactor = new Compactor(kernel, etcd, options.historyWritesMax);
    this.signer = new TokenSigner(kernel);
    this.resources = new Resources(etcd, kinds, options.watchHistoryMax);
    this.scaleResource = bodyOnly(kinds, Scale);
    this.evictionResource = bodyOnly(kinds, Eviction);
    this.tokenResource = bodyOnly(kinds, TokenRequest);
    this.admission = new AdmissionChain(PLUGINS);
    this.serviceCidr = options.serviceCidr ?? "10.96.0.0/12";
    this.services = new ServiceAllocators(
      this.serviceCidr,
      this.random,
      this.storageOf("services").cache,
    );
    const tokens = options.tokens ?? new Map<string, UserInfo>();
    this.authenticators = authenticators(tokens, this.signer, (...one) =>
      this.exists(...one),
    );
    this.authorizer = newAuthorizer(this.resources);
    this.definitions = new Definitions(this);
    for (const resource of ["flowschemas", "prioritylevelconfigurations"]) {
      const served = this.resources.find(FLOW_GROUP, "v1", resource);
      if (served) served.prepare = (request) => this.prepareFlow(request);
    }
    kernel.faults.onChange((actor, up) => {
      if (actor === this.actor && !up) this.restart();
    });
  }

  // region: execute
  /** Runs a request through all stages. Never throws a StatusError. */
  execute(request: ApiRequest, http = false): MaybePromise<ApiResponse> {
    let resource: Resource;
    try {
      resource = this.resourceFor(request);
    } catch (error) {
      return failure(error);
    }
    const ctx = newContext(this, request, resource, ANONYMOUS, http);
    const { prepare } = resource;
    const run = () => this.run(ctx, 0);
    const answer = rescue(
      () => (prepare ? andThen(prepare(request), run) : run()),
      failure,
    );
    const { audit } = this.options;
    if (!audit) return answer;
    return andThen(answer, (response) => {
      audit.log(auditEvent(ctx, audit.level, response));
      return response;
    });
  }
  // endregion: execute

  /** Opens a watch, or answers with why not. */
  watch(request: ApiRequest, handler: WatchHandler): WatchHandle | ApiResponse {
    try {
      const resource = this.resourceFor(request);
      void resource.prepare?.(request);
      const ctx = newContext(this, request, resource, ANONYMOUS);
      for (const { name, run } of this.stages) {
        if (name === "authentication" || name === "authorization") run(ctx);
      }
      if (!resource.storage) throw watchNotSupported(resource.kind);
      return openWatch(ctx, handler);
    } catch (error) {
      return failure(error);
    }
  }

  /** Runs the stages from the one of this name on; `old` may be known. */
  runFrom(ctx: RequestContext, stage: string, old?: Obj) {
    ctx.old = old;
    const from = this.stages.findIndex(({ name }) => name === stage);
    assert(from >= 0, `the pipeline has no stage "${stage}"`);
    return this.run(ctx, from);
  }

  private run(ctx: RequestContext, from: number): MaybePromise<ApiResponse> {
    const again = (error: unknown): MaybePromise<ApiResponse> => {
      for (const undo of ctx.undo.splice(0)) undo();
      if (!(error instanceof LostRace)) throw error;
      ctx.retries++;
      ctx.object = undefined;
      return this.runFrom(ctx, "decoding and defaulting");
    };
    try {
      const done = runStages(ctx, this.stages, from);
      return done instanceof Promise ? done.catch(again) : done;
    } catch (error) {
      return again(error);
    }
  }

  /** The process starts anew: watches end, past events are forgotten. */
  restart(): void {
    for (const end of [...this.openWatches]) end();
    for (const { storage } of this.resources.all()) {
      storage?.cache.forgetHistory(this.revision);
    }
  }

  /** A context for a request that the server makes by itself. */
  contextFor(
    request: ApiRequest,
    resource: Resource,
    user: UserInfo,
    http = false,
  ) {
    return newContext(this, request, resource, user, http);
  }

  /** Authenticates and authorizes alone. Throws 401 or 403. */
  checkAccess(request: ApiRequest): void {
    const { verb, group, resource, subresource, namespace, name } = request;
    const a = { verb, group, resource, subresource, namespace, name };
    const user = this.userOf(request.credentials, a);
    const { allowed, reason } = this.authorizer.authorize(user, a);
    if (!allowed) throw refusal(user.name, a, reason);
  }

  /** Who asks for this, or whom that one may act as. Throws 401 or 403. */
  userOf(credentials: Credentials | undefined, a: Attributes): UserInfo {
    const { user } = authenticate(credentials, this.authenticators);
    return actingUser(this, user, credentials?.impersonate, a);
  }

  private flowPrepared = false;

  private prepareFlow({ userAgent }: ApiRequest): MaybePromise<void> {
    if (this.flowPrepared) return;
    // Its garbage collector looks at all that there is, in every run.
    if (userAgent === "kube-controller-manager") return;
    this.flowPrepared = true;
    return ensureFlowObjects(this);
  }

  private resourceFor({ group, version, resource }: ApiRequest): Resource {
    const found = this.resources.find(group, version, resource);
    if (!found) throw resourceNotFound();
    return found;
  }

  resourceOf(group: string, version: string, resource: string) {
    return this.resources.find(group, version, resource);
  }

  storageOf(resource: string): Storage {
    return this.resources.storageOf(resource);
  }

  /** True if etcd answers at once: then the caches are never late. */
  get immediate(): boolean {
    return this.etcd.immediate;
  }

  /** Newest revision that this server knows of. */
  get revision(): number {
    return this.etcd.revision;
  }

  /** Revision that a list without a version must have reached. */
  freshRevision(ctx: RequestContext): MaybePromise<number> {
    // Any version will do: what the cache has is good enough.
    if (ctx.options.resourceVersion) return this.revision;
    if (this.immediate) {
      this.etcd.ping();
      return this.revision;
    }
    const key = ctx.resource.storage!.prefix;
    const answer = this.etcd.range({ key, prefix: true, countOnly: true });
    return andThen(answer, ({ revision }: RangeResponse) => revision);
  }

  /** One way from this server to another, in ms. */
  networkMs(): number {
    return this.random.between(0.1, 1);
  }

  /** Between `min` and twice that, at random. */
  watchSeconds(min: number): number {
    return min + this.random.int(min);
  }

  private exists(
    resource: string,
    namespace: string,
    name: string,
    uid: string,
  ): boolean {
    return this.storageOf(resource).get(namespace, name)?.metadata.uid === uid;
  }

  readonly scaleResource: Resource;
  readonly evictionResource: Resource;
  readonly tokenResource: Resource;
}

export type { ApiServerOptions };

export function createApiServer(options: ApiServerOptions): ApiServer {
  return new ApiServer(options);
}

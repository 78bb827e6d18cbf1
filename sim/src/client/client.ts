/**
 * The typed client that every component uses: verbs of the API, one method
 * each. An error answer is thrown as `StatusError`; ask with `isConflict` and
 * its kin. The transport decides whether a simulated or a real cluster answers.
 * Models: client-go's typed clients and dynamic client @ v1.36
 */
import type { ResourceRef } from "../api/resource.ts";
import { StatusError } from "../api/status.ts";
import type {
  ApiRequest,
  Credentials,
  PatchType,
  RawResponse,
  RequestOptions,
  RequestVerb,
  Transport,
  WatchHandle,
  WatchHandler,
} from "../api/transport.ts";
import { ConnectionError } from "../api/transport.ts";
import type { KubeList, KubeObject, Status } from "../api/types.ts";

export interface ClientOptions {
  /** First part up to "/" is the default field manager. */
  userAgent: string;
  credentials?: Credentials;
}

/** A request but for its verb and its kind. */
type Rest = Omit<ApiRequest, "verb" | "group" | "version" | "resource">;

export class Client {
  readonly transport: Transport;
  private readonly options: ClientOptions;
  private closed = false;

  constructor(transport: Transport, options: ClientOptions) {
    this.transport = transport;
    this.options = options;
  }

  /** The same client over another transport, which may change what it sends. */
  over(transport: Transport): Client {
    return new Client(transport, this.options);
  }

  /**
   * The component has stopped: its calls fail from now on, those that wait
   * for an answer too, so that a reconcile in its midst ends there.
   */
  close(): void {
    this.closed = true;
  }

  /** Reads one object; `namespace` is "" for a cluster-wide kind. */
  get<T extends KubeObject>(
    ref: ResourceRef<T>,
    namespace: string,
    name: string,
    options?: RequestOptions,
  ): Promise<T> {
    return this.send("get", ref, { namespace, name, options });
  }

  /** Reads a list; all namespaces if `namespace` is "". */
  list<T extends KubeObject>(
    ref: ResourceRef<T>,
    namespace = "",
    options?: RequestOptions,
  ): Promise<KubeList<T>> {
    return this.send("list", ref, { namespace, options });
  }

  create<T extends KubeObject>(
    ref: ResourceRef<T>,
    object: T,
    options?: RequestOptions,
  ): Promise<T> {
    const { namespace } = object.metadata;
    return this.send("create", ref, { namespace, body: object, options });
  }

  /** Replaces the object; a conflict if `resourceVersion` is not the newest. */
  update<T extends KubeObject>(
    ref: ResourceRef<T>,
    object: T,
    options?: RequestOptions,
  ): Promise<T> {
    return this.send("update", ref, { ...named(object), options });
  }

  /** Replaces the status alone. */
  updateStatus<T extends KubeObject>(
    ref: ResourceRef<T>,
    object: T,
    options?: RequestOptions,
  ): Promise<T> {
    const subresource = "status";
    return this.send("update", ref, { ...named(object), subresource, options });
  }

  /** Replaces what a subresource holds: `finalize`, `scale`. */
  updateSub<T extends KubeObject, R extends KubeObject = T>(
    ref: ResourceRef<T>,
    namespace: string,
    name: string,
    subresource: string,
    body: R,
  ): Promise<R> {
    return this.send("update", ref, { namespace, name, subresource, body });
  }

  /** Reads a subresource: `scale`; of `log`, `query` says which lines. */
  getSub<T extends KubeObject, R extends KubeObject>(
    ref: ResourceRef<T>,
    namespace: string,
    name: string,
    subresource: string,
    query?: { readonly [name: string]: string },
  ): Promise<R> {
    const body = query;
    return this.send("get", ref, { namespace, name, subresource, body });
  }

  patch<T extends KubeObject>(
    ref: ResourceRef<T>,
    namespace: string,
    name: string,
    patchType: PatchType,
    body: unknown,
    more: { subresource?: string; options?: RequestOptions } = {},
  ): Promise<T> {
    return this.send("patch", ref, {
      namespace,
      name,
      patchType,
      body,
      ...more,
    });
  }

  /** Deletes one object; resolves to it, or to a Status, as upstream does. */
  delete<T extends KubeObject>(
    ref: ResourceRef<T>,
    namespace: string,
    name: string,
    options?: RequestOptions,
  ): Promise<T | Status> {
    return this.send("delete", ref, { namespace, name, options });
  }

  /** Deletes all objects of a namespace that the selectors match. */
  deleteCollection<T extends KubeObject>(
    ref: ResourceRef<T>,
    namespace: string,
    options?: RequestOptions,
  ): Promise<KubeList<T> | Status> {
    return this.send("deletecollection", ref, { namespace, options });
  }

  /** Creates at a subresource: `binding`, `eviction`, `token`. */
  createSub<T extends KubeObject, R = Status>(
    ref: ResourceRef<T>,
    namespace: string,
    name: string,
    subresource: string,
    body: unknown,
  ): Promise<R> {
    return this.send("create", ref, { namespace, name, subresource, body });
  }

  /** Opens a watch. Throws `StatusError` if the server refuses it. */
  async watch<T extends KubeObject>(
    ref: ResourceRef<T>,
    namespace: string,
    options: RequestOptions,
    handler: WatchHandler,
  ): Promise<WatchHandle> {
    const request = this.request("watch", ref, { namespace, options });
    const answer = await this.transport.watch(request, handler);
    if ("code" in answer) throw new StatusError(answer.body as Status);
    return answer;
  }

  /** The text that a path of the server answers with, whatever its code. */
  raw(path: string): Promise<RawResponse> {
    const { credentials } = this.options;
    return this.transport.raw!({ path, credentials });
  }

  private request(verb: RequestVerb, ref: ResourceRef, rest: Rest): ApiRequest {
    const { group, version, resource } = ref;
    const { userAgent, credentials } = this.options;
    return { verb, group, version, resource, userAgent, credentials, ...rest };
  }

  private async send<R>(
    verb: RequestVerb,
    ref: ResourceRef,
    rest: Rest,
  ): Promise<R> {
    this.assertOpen();
    const answer = await this.transport.request(this.request(verb, ref, rest));
    this.assertOpen();
    if (answer.code >= 400) throw new StatusError(answer.body as Status);
    return answer.body as R;
  }

  private assertOpen(): void {
    if (!this.closed) return;
    throw new ConnectionError("kube-apiserver", "the component was stopped");
  }
}

function named(body: KubeObject): Rest {
  const { namespace, name } = body.metadata;
  return { namespace, name, body };
}

/**
 * Reflector: lists a kind once, then watches from there, and goes on doing so
 * whatever happens to the connection. A watch that ended is opened again
 * where it ended.
 * Models:     client-go/tools/cache/reflector.go @ v1.36
 * Leaves out: streaming the first list (WatchList); paging.
 */
import type { ResourceRef } from "../api/resource.ts";
import type { WatchHandle } from "../api/transport.ts";
import type { KubeObject, Status, WatchEvent } from "../api/types.ts";
import type { Kernel, Random } from "../kernel/index.ts";
import { Backoff } from "./backoff.ts";
import type { Client } from "./client.ts";

/** What part of a kind an informer follows. */
export interface InformerOptions {
  readonly namespace?: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
}

/** What an informer needs of the process that it lives in. */
export interface InformerOwner {
  readonly kernel: Kernel;
  readonly client: Client;
  readonly actor: string;
}

/** Who is told. */
export interface ReflectorSink<T extends KubeObject> {
  /** A list: all there is. */
  replace(items: readonly T[]): void;
  /** ADDED, MODIFIED or DELETED. */
  apply(event: WatchEvent<T>): void;
}

/** The server ends a watch after 5 to 10 minutes; it is opened anew. */
const WATCH_SECONDS_MIN = 300;

export class Reflector<T extends KubeObject> {
  private readonly kernel: Kernel;
  private readonly client: Client;
  private readonly actor: string;
  private readonly ref: ResourceRef<T>;
  private readonly options: InformerOptions;
  private readonly sink: ReflectorSink<T>;
  private readonly random: Random;
  private readonly backoff: Backoff;
  private resourceVersion = "";
  /** Odd while it runs; what an earlier run still receives is ignored. */
  private run = 0;
  private watch: WatchHandle | undefined;

  constructor(
    { kernel, client, actor }: InformerOwner,
    ref: ResourceRef<T>,
    options: InformerOptions,
    sink: ReflectorSink<T>,
  ) {
    this.kernel = kernel;
    this.client = client;
    this.actor = actor;
    this.ref = ref;
    this.options = options;
    this.sink = sink;
    this.random = kernel.random.fork(`${actor}/${ref.resource}`);
    this.backoff = new Backoff(kernel, this.random);
  }

  /** Begins to list and watch; nothing if it has begun. */
  start(): void {
    if (this.run % 2 === 1) return;
    const run = ++this.run;
    this.kernel.spawn(this.actor, () => this.listAndWatch(run));
  }

  /** Ends the watch. False if there was none. */
  stop(): boolean {
    if (this.run % 2 === 0) return false;
    this.run++;
    this.watch?.stop();
    this.watch = undefined;
    this.resourceVersion = "";
    return true;
  }

  // region: list-and-watch
  /** Lists until a list succeeds, then watches from there. */
  private async listAndWatch(run: number): Promise<void> {
    for (;;) {
      try {
        if (!this.resourceVersion) await this.list(run);
        if (run === this.run) await this.openWatch(run);
        return;
      } catch (error) {
        if (run !== this.run) return;
        this.recordError(error);
        await this.kernel.sleep(this.backoff.next());
      }
    }
  }
  // endregion: list-and-watch

  private async list(run: number): Promise<void> {
    const { namespace, ...selectors } = this.options;
    const options = { ...selectors, resourceVersion: "0" };
    const list = await this.client.list(this.ref, namespace, options);
    if (run !== this.run) return;
    this.resourceVersion = list.metadata.resourceVersion ?? "";
    this.sink.replace(list.items);
  }

  private async openWatch(run: number): Promise<void> {
    const { namespace = "", ...selectors } = this.options;
    const options = {
      ...selectors,
      resourceVersion: this.resourceVersion,
      allowWatchBookmarks: true,
      timeoutSeconds: WATCH_SECONDS_MIN + this.random.int(WATCH_SECONDS_MIN),
    };
    const current = () => run === this.run;
    const handle = await this.client.watch(this.ref, namespace, options, {
      onEvent: (event) => {
        if (current()) this.receive(event as WatchEvent<T>);
      },
      onEnd: (error) => {
        if (current()) this.onWatchEnd(run, error);
      },
    });
    if (current()) this.watch = handle;
    else handle.stop();
  }

  private receive(event: WatchEvent<T>): void {
    const { type, object } = event;
    const { resourceVersion } = object.metadata;
    this.resourceVersion = resourceVersion ?? this.resourceVersion;
    if (type !== "BOOKMARK" && type !== "ERROR") this.sink.apply(event);
  }

  /** Goes on from the last event that was seen. */
  private onWatchEnd(run: number, error: Status | undefined): void {
    this.watch = undefined;
    if (error) this.recordError(new Error(error.message));
    this.kernel.spawn(this.actor, async () => {
      if (error) await this.kernel.sleep(this.backoff.next());
      if (run === this.run) await this.listAndWatch(run);
    });
  }

  private recordError(error: unknown): void {
    const message = error instanceof Error ? error.message : String(error);
    const subject = `watch ${this.ref.resource}`;
    this.kernel.record(this.actor, "error", subject, "", { message });
  }
}

/**
 * What all controllers are made of: informers' changes put keys into a queue,
 * workers take a key and call `reconcile`. `reconcile` gets a key and not an
 * event ("level-based"): it reads what is true now, so a lost or doubled
 * event does no harm. If it throws, the key returns after a backoff.
 * Models: the run loop of every controller in pkg/controller @ v1.36
 */
import type { KubeObject, ObjectKey } from "../api/types.ts";
import { InvariantError } from "../kernel/index.ts";
import type { Component, ComponentContext } from "./component.ts";
import type { ChangeHandlers, Informer } from "./informer.ts";
import { type BackoffOptions, WorkQueue } from "./workqueue.ts";

export interface ControllerOptions {
  /** Keys that are worked on at the same time. */
  readonly workers: number;
  /** Makes the world of one key as it should be. Throws to be called again. */
  reconcile(key: ObjectKey): Promise<void>;
  /** Retries in a row after which a key is given up; never if absent. */
  readonly retriesMax?: number;
  /** Waits between retries, if not the usual ones. */
  readonly backoff?: BackoffOptions;
  /** Name of the actor in the trace, if it is not the component's. */
  readonly actor?: string;
}

/** A running controller: put keys in, and tell it what to listen to. */
export interface Controller extends Component {
  readonly queue: WorkQueue;
  /** Listens to an informer until `stop`; workers wait for its first list. */
  on<T extends KubeObject>(
    informer: Informer<T>,
    handlers: ChangeHandlers<T>,
  ): void;
  /** Workers wait for the first list of these too. */
  needs(...informers: readonly { whenSynced(): Promise<void> }[]): void;
}

// region: start-controller
/** Starts the workers; they begin once all informers have their first list. */
export function startController(
  context: ComponentContext,
  options: ControllerOptions,
): Controller {
  const { kernel, actor } = context;
  const queue = new WorkQueue(kernel, options.backoff);
  const undo: (() => void)[] = [];
  const needed: { whenSynced(): Promise<void> }[] = [];
  let stopped = false;

  const work = async () => {
    for (const informer of needed) await informer.whenSynced();
    for (;;) {
      const item = await queue.get();
      if (!item || stopped) return;
      await workOn(context, options, queue, item, () => stopped);
    }
  };
  for (let i = 0; i < options.workers; i++) {
    kernel.spawn(options.actor ?? actor, work);
  }

  return {
    queue,
    on(informer, handlers) {
      needed.push(informer);
      undo.push(informer.onChange(handlers));
    },
    needs(...informers) {
      needed.push(...informers);
    },
    stop() {
      stopped = true;
      queue.shutDown();
      for (const remove of undo) remove();
    },
  };
}
// endregion: start-controller

// region: work-on
/** One key: reconcile, then forget it or plan its return. */
async function workOn(
  { kernel, actor: own }: ComponentContext,
  options: ControllerOptions,
  queue: WorkQueue,
  { key, causeId }: { key: string; causeId: number },
  isStopped: () => boolean,
): Promise<void> {
  const { retriesMax = Number.POSITIVE_INFINITY, actor = own } = options;
  kernel.causeId = causeId;
  kernel.causeId = kernel.record(actor, "reconcile", key);
  if (kernel.current) kernel.current.doing = `reconcile ${key}`;
  try {
    await options.reconcile(key);
    queue.forget(key);
  } catch (error) {
    if (error instanceof InvariantError) throw error;
    if (isStopped()) return;
    kernel.record(actor, "error", key, "", describe(error));
    if (queue.retries(key) < retriesMax) queue.addRateLimited(key);
    else queue.forget(key);
  } finally {
    queue.done(key);
  }
}
// endregion: work-on

/** What the trace keeps of an error. */
export function describe(error: unknown): { message: string; stack?: string } {
  if (!(error instanceof Error)) return { message: String(error) };
  return { message: error.message, stack: error.stack };
}

/** Runs `tick` every `periodMs` from `firstMs` on; returns how to end it. */
export function every(
  { kernel, actor }: Pick<ComponentContext, "kernel" | "actor">,
  periodMs: number,
  tick: () => Promise<void> | void,
  firstMs = 0,
): () => void {
  let stopped = false;
  kernel.spawn(actor, async () => {
    if (firstMs > 0) await kernel.sleep(firstMs);
    while (!stopped) {
      try {
        await tick();
      } catch (error) {
        if (error instanceof InvariantError) throw error;
        if (!stopped) kernel.record(actor, "error", "", "", describe(error));
      }
      if (!stopped) await kernel.sleep(periodMs);
    }
  });
  return () => {
    stopped = true;
  };
}

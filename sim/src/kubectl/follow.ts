/**
 * Waiting: watches objects and looks at each state until it is the one that
 * was waited for.
 * Models:     client-go/tools/watch/until.go @ v1.36
 */
import type { Kind, Obj } from "../api/kinds/definition.ts";
import type { RequestOptions, WatchHandle } from "../api/transport.ts";
import type { WatchEvent } from "../api/types.ts";
import type { Environment } from "./environment.ts";
import { itemsOf } from "./objects.ts";

export interface Seen {
  readonly type: WatchEvent["type"];
  readonly object: Obj;
}

export interface FollowOptions {
  readonly kind: Kind;
  /** "" for all, or for a kind without namespaces. */
  readonly namespace: string;
  readonly select: RequestOptions;
  /** Gives up after so long, in ms. Absent: never. */
  readonly timeoutMs?: number;
  /** Starts after this version; absent: lists first. */
  readonly resourceVersion?: string;
  /** Sees what a list held, as a whole, in place of `see`. */
  readonly listed?: (items: readonly Obj[]) => boolean;
}

/** True once `see` says so; false if the time is over. */
export async function follow(
  env: Environment,
  options: FollowOptions,
  see: (seen: Seen) => boolean,
): Promise<boolean> {
  const { kernel, client } = env;
  const { kind, namespace, select, timeoutMs, listed } = options;
  const endMs = kernel.now() + (timeoutMs ?? Number.POSITIVE_INFINITY);
  let { resourceVersion } = options;
  while (kernel.now() <= endMs) {
    if (resourceVersion === undefined) {
      const list = await client.list(kind, namespace, select);
      const items = itemsOf(list);
      const look = (object: Obj) => see({ type: "ADDED", object });
      if (listed ? listed(items) : items.some(look)) return true;
      resourceVersion = list.metadata.resourceVersion;
    }
    const mailbox = new Mailbox(env);
    const handle: WatchHandle = await client.watch(
      kind,
      namespace,
      { ...select, resourceVersion },
      mailbox,
    );
    for (;;) {
      const event = await mailbox.next(endMs);
      if (event === "ended") break;
      const done = event === "late" || see(event as Seen);
      if (!done) continue;
      handle.stop();
      return event !== "late";
    }
    resourceVersion = undefined;
  }
  return false;
}

/** Keeps what a watch brings until the command looks at it. */
class Mailbox {
  private readonly env: Environment;
  private readonly events: WatchEvent[] = [];
  private ended = false;
  private wake: (() => void) | undefined;

  constructor(env: Environment) {
    this.env = env;
  }

  onEvent(event: WatchEvent): void {
    if (event.type !== "BOOKMARK") this.events.push(event);
    this.wake?.();
  }

  onEnd(): void {
    this.ended = true;
    this.wake?.();
  }

  /** The next event; waits for it until `endMs`. */
  async next(endMs: number): Promise<WatchEvent | "ended" | "late"> {
    const { kernel } = this.env;
    for (;;) {
      const event = this.events.shift();
      if (event) return event;
      if (this.ended) return "ended";
      if (kernel.now() >= endMs) return "late";
      await kernel.wait<void>((resolve) => {
        const late = Number.isFinite(endMs)
          ? kernel.after(endMs - kernel.now(), () => this.wake?.())
          : undefined;
        this.wake = () => {
          this.wake = undefined;
          late?.cancel();
          resolve();
        };
      });
    }
  }
}

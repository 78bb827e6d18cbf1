/**
 * Records API Events ("Created pod: web-x2x4z") without ever holding up the
 * caller: an Event goes into a queue, one process writes the queue out. The
 * correlator folds what repeats: the same again raises `count`, ten alike in
 * ten minutes become one "(combined from similar events)", and a source that
 * goes on about one object is cut off.
 * Models:     client-go/tools/record/event.go, tools/events @ v1.36
 * Leaves out: the queue's limit of 1,000; retries after a lost connection.
 */
import { Event } from "../api/kinds/event.ts";
import { isNotFound } from "../api/status.ts";
import type { KubeObject } from "../api/types.ts";
import { flat, type Kernel } from "../kernel/index.ts";
import type { Client } from "./client.ts";
import { type Correlated, EventCorrelator } from "./event-correlator.ts";
import { Fifo } from "./fifo.ts";

export type EventType = "Normal" | "Warning";

/** What an Event is about. */
export interface ObjectReference {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly namespace?: string;
  readonly name?: string;
  readonly uid?: string;
  readonly resourceVersion?: string;
  readonly fieldPath?: string;
}

export interface RecorderOptions {
  readonly kernel: Kernel;
  readonly client: Client;
  readonly actor: string;
  /** `source.component`: `replicaset-controller`, `kubelet`. */
  readonly component: string;
  /** `source.host`: the node, for node components. */
  readonly host?: string;
  /**
   * Set for the scheduler's flavour, the newer API: `eventTime`, `action`,
   * and `series` instead of `count`.
   */
  readonly reportingInstance?: string;
}

export class EventRecorder {
  private readonly options: RecorderOptions;
  private readonly correlator: EventCorrelator;
  private readonly waiting = new Fifo<{ event: Event; causeId: number }>();
  private writing = false;
  /** Events made: a real clock would have moved on between two. */
  private made = 0;
  /** Nanoseconds of the run's beginning, since 1970. */
  private readonly epoch: bigint;
  /** Who tells: the same in all Events. */
  private readonly source: Event["source"];

  constructor(options: RecorderOptions) {
    this.options = options;
    const { component, host } = options;
    this.source = host ? { component, host } : { component };
    this.correlator = new EventCorrelator(options.kernel);
    const ms = Date.parse(options.kernel.timestamp(0));
    this.epoch = BigInt(ms) * 1_000_000n;
  }

  /** Records that `reason` happened to `object`; returns at once. */
  event(
    object: KubeObject | ObjectReference,
    type: EventType,
    reason: string,
    message: string,
    /** What was done, in the newer API: `Binding`. */
    action?: string,
    annotations?: Readonly<Record<string, string>>,
  ): void {
    const { kernel, actor } = this.options;
    const made = this.make(object, type, reason, message, action);
    const event = annotations
      ? { ...made, metadata: { ...made.metadata, annotations } }
      : made;
    this.waiting.push({ event, causeId: kernel.causeId });
    if (this.writing) return;
    this.writing = true;
    kernel.spawn(actor, () => this.writeAll());
  }

  private make(
    object: KubeObject | ObjectReference,
    type: EventType,
    reason: string,
    message: string,
    action: string | undefined,
  ): Event {
    const { kernel, component, host, reportingInstance } = this.options;
    const involvedObject = referenceTo(object);
    const now = kernel.timestamp();
    const newer = reportingInstance !== undefined;
    const times = newer
      ? { eventTime: kernel.microTimestamp(), action, source: {} }
      : {
          ...{ firstTimestamp: now, lastTimestamp: now, count: 1 },
          source: this.source,
        };
    return {
      apiVersion: "v1",
      kind: "Event",
      metadata: {
        name: flat(`${involvedObject.name}.${this.nanoseconds()}`),
        namespace: involvedObject.namespace ?? "default",
      },
      involvedObject,
      reason,
      message: flat(message),
      type,
      ...times,
      reportingComponent: component,
      reportingInstance: reportingInstance ?? host ?? "",
    };
  }

  /** The present moment in nanoseconds since 1970, in hexadecimal. */
  private nanoseconds(): string {
    const micros = Math.floor(this.options.kernel.now() * 1000);
    const later = micros * 1000 + (this.made++ % 1000);
    return (this.epoch + BigInt(later)).toString(16);
  }

  /** One after another, as upstream's single goroutine does. */
  private async writeAll(): Promise<void> {
    for (let next = this.waiting.shift(); next; next = this.waiting.shift()) {
      this.options.kernel.causeId = next.causeId;
      const correlated = this.correlator.correlate(next.event);
      if (correlated) await this.write(correlated);
    }
    this.writing = false;
  }

  /** What the server refuses is dropped: an Event is never worth a retry. */
  private async write(correlated: Correlated): Promise<void> {
    const { kernel, actor } = this.options;
    try {
      this.correlator.written(correlated, await this.send(correlated));
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      kernel.record(actor, "error", "event", "", { message });
    }
  }

  private async send({ event, patch }: Correlated): Promise<Event> {
    const { client } = this.options;
    if (patch) {
      const { namespace = "", name } = event.metadata;
      const type = "application/strategic-merge-patch+json";
      try {
        return await client.patch(Event, namespace, name, type, patch);
      } catch (error) {
        if (!isNotFound(error)) throw error;
      }
    }
    const { resourceVersion: _, ...metadata } = event.metadata;
    return client.create(Event, { ...event, metadata });
  }
}

/** What identifies `object` in an Event. */
export function referenceTo(
  object: KubeObject | ObjectReference,
): ObjectReference & { name: string } {
  if (!("metadata" in object)) return { ...object, name: object.name ?? "" };
  const { apiVersion, kind, metadata } = object;
  const { namespace, name, uid, resourceVersion } = metadata;
  return { kind, namespace, name, uid, apiVersion, resourceVersion };
}

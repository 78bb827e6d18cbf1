/**
 * Decides what becomes of an Event: written as it is, folded into an earlier
 * one, or dropped.
 * Models:     client-go/tools/record/events_cache.go @ v1.36
 * Leaves out: three memories with bounds of their own; here one memory holds
 *             all that was said of an object, and the object's age decides.
 */
import type { Event } from "../api/kinds/event.ts";
import type { Kernel } from "../kernel/index.ts";
import { About, COMBINED, type Said } from "./events-about.ts";

export interface Correlated {
  readonly event: Event;
  /** What is remembered of the Event: see `written`. */
  readonly said: Said;
  /** Set if an Event that exists is to be changed. */
  readonly patch?: object;
}

/** Different messages of one reason within the interval, then combined. */
const ALIKE_MAX = 10;
const ALIKE_INTERVAL_MS = 600_000;
/** Objects that are remembered; the least recently used goes. */
const OBJECTS_MAX = 4096;
/** In the newer API a series ends after 6 minutes of silence. */
const SERIES_MS = 360_000;

export class EventCorrelator {
  private readonly kernel: Kernel;
  private readonly abouts = new Map<string, About>();
  private newest = "";

  constructor(kernel: Kernel) {
    this.kernel = kernel;
  }

  /** Undefined if the Event is to be dropped. */
  correlate(event: Event): Correlated | undefined {
    const about = this.about(event);
    if (event.eventTime) return this.inSeries(event, about);
    const counted = this.count(about, this.aggregate(event, about));
    return about.isSpam(this.kernel.now()) ? undefined : counted;
  }

  /** Notes under which name and version the server has the Event now. */
  written({ said }: Correlated, event: Event): void {
    said.event = event;
    said.atMs = this.kernel.now();
  }

  /** What is remembered of the object that the Event is about. */
  private about({ involvedObject }: Event): About {
    const { kind, namespace, name, uid, apiVersion } = involvedObject;
    const key = uid || `${kind}|${namespace}|${name}|${apiVersion}`;
    const about = this.abouts.get(key) ?? new About(this.kernel.now());
    if (key === this.newest) return about;
    this.newest = key;
    this.abouts.delete(key);
    this.abouts.set(key, about);
    if (this.abouts.size <= OBJECTS_MAX) return about;
    for (const oldest of this.abouts.keys()) {
      this.abouts.delete(oldest);
      break;
    }
    return about;
  }

  /** Folds an Event whose like came ten times with other messages. */
  private aggregate(event: Event, about: About): Event {
    const now = this.kernel.now();
    const group = about.group(event, now);
    if (now - group.atMs > ALIKE_INTERVAL_MS) group.messages = [];
    group.atMs = now;
    const { message = "" } = event;
    if (!group.messages.includes(message))
      group.messages = group.messages.concat(message);
    if (group.messages.length < ALIKE_MAX) return event;
    group.messages = group.messages.slice(1);
    return { ...event, message: COMBINED + event.message };
  }

  /** The same Event again: raises the count of the one that exists. */
  private count(about: About, event: Event): Correlated {
    const now = this.kernel.now();
    const combined = event.message?.startsWith(COMBINED);
    const text = combined ? COMBINED : event.message;
    const said = about.said(event, text);
    if (!said) return { event, said: about.say(event, text, now) };
    const last = said.event;
    const count = (last.count ?? 1) + 1;
    const { message, lastTimestamp } = event;
    const { metadata, firstTimestamp } = last;
    const again = { ...event, metadata, firstTimestamp, count };
    this.written({ event, said }, again);
    return { event: again, said, patch: { message, lastTimestamp, count } };
  }

  /** The newer API: what repeats becomes a series of one Event. */
  private inSeries(event: Event, about: About): Correlated {
    const now = this.kernel.now();
    const said = about.said(event, event.action);
    if (!said || now - said.atMs > SERIES_MS) {
      return { event, said: about.say(event, event.action, now) };
    }
    const count = (said.event.series?.count ?? 1) + 1;
    const series = { count, lastObservedTime: event.eventTime };
    const again = { ...said.event, series };
    this.written({ event, said }, again);
    return { event: again, said, patch: { series } };
  }
}

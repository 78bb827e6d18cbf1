/**
 * What a source of Events remembers of one object that it told about.
 * Models: client-go/tools/record/events_cache.go, the caches @ v1.36
 */
import type { Event } from "../api/kinds/event.ts";

/** Events of one type and reason. */
interface Group {
  readonly type: string | undefined;
  readonly reason: string | undefined;
  /** The last different messages, the newest last. */
  messages: readonly string[];
  atMs: number;
}

/** An Event that was sent, by what makes another one the same. */
export interface Said {
  /** The message; in the newer API the action. */
  readonly text: string | undefined;
  /** As the server has it. */
  event: Event;
  atMs: number;
}

/** How the message of an Event begins that stands for many. */
export const COMBINED = "(combined from similar events): ";
/** Events that a source may send about an object: 25, then 1 per 5 min. */
const SPAM_BURST = 25;
const SPAM_INTERVAL_MS = 300_000;
/** Events of an object that are remembered. */
const SAID_MAX = 4096;

export class About {
  private groups: readonly Group[] = [];
  private saids: readonly Said[] = [];
  private tokens = SPAM_BURST;
  private atMs: number;

  constructor(nowMs: number) {
    this.atMs = nowMs;
  }

  /** A bucket of tokens for each source and object. */
  isSpam(nowMs: number): boolean {
    const earned = (nowMs - this.atMs) / SPAM_INTERVAL_MS;
    this.tokens = Math.min(SPAM_BURST, this.tokens + earned);
    this.atMs = nowMs;
    if (this.tokens < 1) return true;
    this.tokens -= 1;
    return false;
  }

  /** The group of Events that are alike; a new one if there is none. */
  group({ type, reason }: Event, nowMs: number): Group {
    for (const group of this.groups)
      if (group.reason === reason && group.type === type) return group;
    const group: Group = { type, reason, messages: [], atMs: nowMs };
    this.groups = this.groups.concat(group);
    return group;
  }

  /** The same said before, if it was. */
  said(event: Event, text: string | undefined): Said | undefined {
    return this.saids.find((said) => isSame(said, event, text));
  }

  /** Remembers the Event, instead of the same one said long ago. */
  say(event: Event, text: string | undefined, nowMs: number): Said {
    const now: Said = { text, event, atMs: nowMs };
    const others = this.saids.filter((said) => !isSame(said, event, text));
    this.saids = others.slice(-SAID_MAX + 1).concat(now);
    return now;
  }
}

function isSame(said: Said, event: Event, text: string | undefined): boolean {
  const { reason, type, involvedObject } = said.event;
  if (said.text !== text || reason !== event.reason) return false;
  if (type !== event.type) return false;
  if (text === COMBINED) return true;
  return involvedObject.fieldPath === event.involvedObject.fieldPath;
}

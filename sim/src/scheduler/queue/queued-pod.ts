/**
 * A Pod in the scheduling queue, with its history there.
 * Models: pkg/scheduler/framework/types.go (QueuedPodInfo) @ v1.36
 */
import type { PodInfo } from "../cache/pod-info.ts";

/** Which part of the queue holds it; `none` while it is being scheduled. */
export type Place = "active" | "backoff" | "unschedulable" | "none";

export class QueuedPod {
  info: PodInfo;
  place: Place = "none";
  /** Changes with each move: an older heap entry is worth nothing. */
  ticket = 0;
  /** Order of arrival; breaks ties. */
  readonly seq: number;
  /** When it came (back) into the queue, in ms of simulated time. */
  sinceMs: number;
  attempts = 0;
  /** Attempts that ended with a refusal. */
  unschedulableCount = 0;
  /** Attempts in a row that ended with an error. */
  consecutiveErrors = 0;
  /** 0 for none. */
  backoffEndsAtMs = 0;
  unschedulablePlugins: ReadonlySet<string> = new Set();
  pendingPlugins: ReadonlySet<string> = new Set();
  /** Plugin that keeps it out (preEnqueue); empty for none. */
  gatedBy = "";
  /** Trace entry that brought it here: the cause of its next cycle. */
  causeId = 0;

  constructor(info: PodInfo, seq: number, sinceMs: number) {
    this.info = info;
    this.seq = seq;
    this.sinceMs = sinceMs;
  }
}

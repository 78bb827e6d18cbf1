/**
 * The pulse of a cluster: what its parts do all the time, whether or not
 * anything happens. Heartbeats, Events, looks at the container runtime. A
 * story of a run leaves them out.
 */
import type { Row } from "./rows.ts";

type Step = Pick<Row, "actor" | "verb" | "subject">;

/**
 * Whether an entry is of the pulse; `ofCause`: whether the entry that caused
 * it is. What comes of the pulse is of it too, but for a new request: one that
 * a heartbeat set off may be news.
 */
export function isPulse(step: Step, ofCause: boolean): boolean {
  const { verb, subject } = step;
  if (verb === "request") return isPulseRequest(step);
  if (verb === "raft" && subject.startsWith("appends")) return true;
  if (verb === "cri" && LOOKS.test(subject)) return true;
  return ofCause;
}

/** Calls of the container runtime that only look. */
const LOOKS = /^(List|Version|Status|ImageFsInfo)|Status$|Stats$/;
const LEASES_AND_EVENTS = /^\S+ (leases\.coordination|events)\b/;
const NODES = /^\S+ nodes\b/;

function isPulseRequest({ actor, subject }: Step): boolean {
  if (LEASES_AND_EVENTS.test(subject)) return true;
  // A part renews its watches every few minutes.
  if (subject.startsWith("WATCH ")) return actor !== "kubectl";
  // A node's own report of itself; what others write of it is news.
  return actor.startsWith("kubelet/") && NODES.test(subject);
}

/**
 * The story of a run: the trace's rows turned into beats, one a column of the
 * rail figure and one a line of the text beside it. A request folds its
 * stages, its write and its answer into one beat; a watch event stays only if
 * something came of it; heartbeats and Events are there but marked as pulse.
 */
import { isPulse, type ObjectSummary, type Row, STAGES } from "@shikumi/sim/view";

export type BeatKind =
  | "input"
  | "request"
  | "stage"
  | "store"
  | "watch"
  | "work"
  | "call"
  | "fault"
  | "error";

export interface Beat {
  /** Id of the trace entry that opens it. */
  readonly id: number;
  readonly atMs: number;
  readonly kind: BeatKind;
  /** Lanes; equal for something that happens inside one part. */
  readonly from: string;
  readonly to: string;
  readonly verb: string;
  readonly subject: string;
  /** Heartbeats, polls, Events, start-up: shown only when asked for. */
  readonly pulse: boolean;
  /** Beat that made this one happen; 0 for none. */
  readonly causeId: number;
  /** Trace entries folded into this beat, its own first. */
  readonly ids: readonly number[];
  /** What a request changed. */
  readonly object?: ObjectSummary;
  readonly change?: Row["type"];
  /** HTTP status of a request's answer. */
  readonly code?: number;
  /** When the answer came, in ms. */
  readonly endMs?: number;
}

type Draft = { -readonly [K in keyof Beat]: Beat[K] } & {
  ids: number[];
  kept: boolean;
};

export const API = "kube-apiserver";
const WORK = new Set(["reconcile", "schedule", "sync-pod"]);
const DEEDS = new Set([
  "filter",
  "score",
  "preempt",
  "container",
  "image",
  "disk",
  "cloud",
  "probe",
  "program",
  "raft",
]);
const CALLS = new Set(["cri", "cni", "csi", "webhook"]);

/** All beats of a run in order, pulse included. `rows` are in order of id. */
export function storyOf(rows: readonly Row[]): Beat[] {
  const byEntry = new Map<number, Draft>();
  const drafts: Draft[] = [];
  for (const row of rows) {
    const draft = fold(row, byEntry);
    if (!draft) continue;
    byEntry.set(row.id, draft);
    if (draft.id === row.id) drafts.push(draft);
  }
  markBackground(drafts);
  keepCauses(drafts);
  return drafts.filter((draft) => draft.kept).map(finish);
}

/** The beat that the row opens, or the open one that it is folded into. */
function fold(row: Row, byEntry: Map<number, Draft>): Draft | undefined {
  const cause = byEntry.get(row.causeId);
  const { verb } = row;
  if (verb === "input" || verb === "fault" || verb === "error") return open(row, verb, cause, true);
  if (verb === "request") {
    const draft = open(row, "request", cause, true);
    draft.to = apiLane(row.target);
    return draft;
  }
  if (STAGES.has(verb)) return stage(row, cause);
  if (verb === "txn") return store(row, cause);
  if (verb === "write" || verb === "response") return complete(row, cause);
  if (verb === "watch") {
    const draft = open(row, "watch", cause, false);
    draft.from = apiLane(row.actor);
    return draft;
  }
  if (WORK.has(verb)) return open(row, "work", cause, false);
  if (DEEDS.has(verb)) return open(row, "work", cause, true);
  if (CALLS.has(verb)) return open(row, "call", cause, true);
  return undefined;
}

function open(row: Row, kind: BeatKind, cause: Draft | undefined, kept: boolean): Draft {
  return {
    id: row.id,
    atMs: row.atMs,
    kind,
    from: row.actor,
    to: row.target || row.actor,
    verb: row.verb,
    subject: row.subject,
    pulse: isPulse(row, cause?.pulse ?? false),
    causeId: cause?.id ?? 0,
    ids: [row.id],
    kept,
  };
}

/** Stages are beats of their own in the reader's requests, folded elsewhere. */
function stage(row: Row, cause: Draft | undefined): Draft | undefined {
  if (!cause) return undefined;
  if (cause.from !== "kubectl" || cause.kind !== "request") return absorb(row, cause);
  const draft = open(row, "stage", cause, true);
  draft.from = draft.to = row.actor;
  return draft;
}

function store(row: Row, cause: Draft | undefined): Draft | undefined {
  if (!cause || cause.pulse) return cause && absorb(row, cause);
  const draft = open(row, "store", cause, true);
  draft.from = row.actor;
  return draft;
}

/** A write or an answer belongs to the request it came from. */
function complete(row: Row, cause: Draft | undefined): Draft | undefined {
  if (!cause) return undefined;
  absorb(row, cause);
  if (row.verb === "write") {
    cause.object = row.object;
    cause.change = row.type;
  } else {
    cause.code = row.code;
    cause.endMs = row.atMs;
  }
  return cause;
}

function absorb(row: Row, cause: Draft): Draft {
  cause.ids.push(row.id);
  return cause;
}

/**
 * What goes back to no input and no fault is the cluster's own business. Once
 * something has failed, all of it is news: silence has effects, but no entry.
 */
function markBackground(drafts: readonly Draft[]): void {
  const told = new Set<number>();
  let failed = false;
  for (const draft of drafts) {
    const begins = draft.kind === "input" || draft.kind === "fault";
    failed ||= draft.kind === "fault";
    if (begins || failed || told.has(draft.causeId)) told.add(draft.id);
    else draft.pulse = true;
  }
}

/** A watch event or a reconcile is kept if something kept came of it. */
function keepCauses(drafts: Draft[]): void {
  const byId = new Map(drafts.map((draft) => [draft.id, draft]));
  for (const draft of drafts) {
    if (!draft.kept || draft.pulse) continue;
    let cause = byId.get(draft.causeId);
    let effect = draft;
    while (cause && !cause.kept) {
      cause.kept = true;
      // Informers are shared: the arrow ends at the part that acted on it.
      if (cause.kind === "watch") cause.to = effect.from;
      effect = cause;
      cause = byId.get(cause.causeId);
    }
  }
}

function finish({ kept: _, ...beat }: Draft): Beat {
  return beat;
}

function apiLane(actor: string): string {
  return actor || API;
}

/** The beats that a reader sees: without the pulse unless it is asked for. */
export function visibleBeats(beats: readonly Beat[], withPulse: boolean): Beat[] {
  return withPulse ? [...beats] : beats.filter((beat) => !beat.pulse);
}

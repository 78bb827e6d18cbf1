/**
 * What one Raft member knows. What is on `disk` survives a stop; the rest a
 * member learns anew when it starts.
 * Models: go.etcd.io/raft/v3 raft.go, storage.go (etcd 3.5)
 */
import type { Random } from "../../kernel/index.ts";
import type { LogLimits } from "./limits.ts";

export interface Entry {
  readonly term: number;
  /** What is to be done; undefined: the entry by which a leader begins. */
  readonly data: unknown;
}

export interface Disk {
  term: number;
  /** Who got this member's vote in `term`; "" for nobody. */
  vote: string;
  /** The last entry that was thrown away, being in a snapshot. */
  base: Position;
  /** Entries after `base`: that of index i stands at i - base.index - 1. */
  readonly log: Entry[];
  commit: number;
  /** Applied when the newest snapshot was made. */
  snapshotIndex: number;
}

export type Role = "follower" | "pre-candidate" | "candidate" | "leader";

/** How far a leader has come with one follower. */
export interface Progress {
  next: number;
  match: number;
  /** It was heard of since the leader last checked its quorum. */
  active: boolean;
  /** How often it denied what it had acknowledged, since it last got further. */
  denials: number;
}

/** A read that waits until a majority says that the leader still leads. */
export interface PendingRead {
  readonly id: number;
  readonly from: string;
  readonly index: number;
  readonly acks: Set<string>;
}

export interface Raft {
  readonly id: string;
  readonly peers: readonly string[];
  readonly disk: Disk;
  readonly random: Random;
  role: Role;
  /** Leader of this term as far as known; "" for none. */
  leader: string;
  /** Votes got in the election that this member holds. */
  votes: Map<string, boolean>;
  progress: Map<string, Progress>;
  reads: PendingRead[];
  /** Ticks since the leader was heard of, or since the last check. */
  electionElapsed: number;
  heartbeatElapsed: number;
  /** Ticks of silence after which it stands for election. */
  timeoutTicks: number;
  /** Applied so far. */
  applied: number;
  readonly limits: LogLimits;
  /** What was applied so far has come to: the state for a snapshot. */
  save(): unknown;
  /** Takes over the state of a snapshot. */
  load(state: unknown): void;
  send(to: string, message: Message): void;
  /** Tells the member of what happened, for the trace. */
  note(what: string, target?: string): void;
}

/** One tick is 100 ms: a heartbeat; five ticks are an election timeout. */
export const TICK_MS = 100;
export const ELECTION_TICKS = 5;

export type Message =
  | { type: "pre-vote" | "vote"; term: number; last: Position; force?: boolean }
  | { type: "pre-vote-answer" | "vote-answer"; term: number; granted: boolean }
  | {
      type: "append";
      term: number;
      /** The entry before the first of `entries`. */
      prev: Position;
      entries: readonly Entry[];
      commit: number;
      readId: number;
    }
  | {
      type: "append-answer";
      term: number;
      ok: boolean;
      index: number;
      readId: number;
    }
  | { type: "snapshot"; term: number; at: Position; state: unknown }
  | { type: "propose"; term: number; data: unknown }
  | { type: "read"; term: number; id: number }
  | { type: "read-answer"; term: number; id: number; index: number }
  | { type: "timeout-now"; term: number };

export interface Position {
  readonly index: number;
  readonly term: number;
}

export function lastOf({ base, log }: Disk): Position {
  return { index: base.index + log.length, term: log.at(-1)?.term ?? base.term };
}

/** Term of an entry; undefined if it is not there, or no longer. */
export function termAt({ base, log }: Disk, index: number): number | undefined {
  if (index === base.index) return base.term;
  return log[index - base.index - 1]?.term;
}

export function quorum(raft: Raft): number {
  return Math.floor((raft.peers.length + 1) / 2) + 1;
}

/** A patience of its own for each member, so that no election ties. */
export function renewPatience(raft: Raft): void {
  raft.electionElapsed = 0;
  const before = raft.peers.filter((peer) => peer < raft.id).length;
  raft.timeoutTicks = ELECTION_TICKS + 1 + before;
}

/** Goes back to following; `leader` "" if it is not known. */
export function becomeFollower(raft: Raft, term: number, leader: string): void {
  const { disk } = raft;
  if (raft.role === "leader") raft.note(`steps down, term ${term}`);
  if (term !== disk.term) {
    disk.term = term;
    disk.vote = "";
  }
  raft.role = "follower";
  raft.leader = leader;
  raft.votes = new Map();
  raft.reads = [];
  renewPatience(raft);
}

/**
 * Replication: the leader sends its log to all; an entry that a majority has
 * is committed and never lost.
 * Models: appendEntry, maybeCommit, readOnly of go.etcd.io/raft/v3 raft.go
 */
import { sendSnapshot } from "./snapshot.ts";
import {
  becomeFollower,
  lastOf,
  type Message,
  type Progress,
  quorum,
  type Raft,
  termAt,
} from "./state.ts";

type Append = Extract<Message, { type: "append" }>;
type AppendAnswer = Extract<Message, { type: "append-answer" }>;

/** Most entries in one message. */
const ENTRIES_MAX = 1000;
/** Answers that came late look the same, but are few. */
const DENIALS_MAX = 10;

/** The leader takes a new entry into its log. */
export function appendNew(raft: Raft, data: unknown): void {
  raft.disk.log.push({ term: raft.disk.term, data });
  if (quorum(raft) === 1) advance(raft);
}

/** Sends everyone what it lacks; to who lacks nothing, a heartbeat. */
export function broadcast(raft: Raft): void {
  for (const to of raft.peers) sendAppend(raft, to);
}

function sendAppend(raft: Raft, to: string): void {
  const { disk } = raft;
  const { log, base, term, commit } = disk;
  const progress = raft.progress.get(to)!;
  const from = progress.next - 1;
  if (from < base.index) return sendSnapshot(raft, to);
  const at = from - base.index;
  const entries = log.slice(at, at + ENTRIES_MAX);
  const prev = { index: from, term: termAt(disk, from) ?? 0 };
  const readId = raft.reads.at(-1)?.id ?? 0;
  if (entries.length > 0) raft.note(`appends ${from + 1}`, to);
  // What is on its way is not sent again; a refusal sets it back.
  progress.next = from + entries.length + 1;
  raft.send(to, { type: "append", term, prev, entries, commit, readId });
}

// region: append
/** A follower takes entries only where its log agrees with the leader's. */
export function takeAppend(raft: Raft, from: string, message: Append): void {
  const { disk } = raft;
  const { log } = disk;
  const { term, prev, entries, commit, readId } = message;
  const reply = (ok: boolean, index: number) =>
    raft.send(from, {
      type: "append-answer",
      term: disk.term,
      ok,
      index,
      readId,
    });
  const last = lastOf(disk).index;
  if (term < disk.term) return reply(false, last);
  becomeFollower(raft, term, from);
  // It speaks of what is settled here, and does not need to be told again.
  if (prev.index < disk.commit) return reply(true, disk.commit);
  if (prev.index > last) return reply(false, last);
  if (termAt(disk, prev.index) !== prev.term) {
    return reply(false, prev.index - 1);
  }
  for (const [i, entry] of entries.entries()) {
    const at = prev.index - disk.base.index + i;
    if (log[at]?.term === entry.term) continue;
    // The leader's log is the truth: what differs goes.
    log.length = at;
    log.push(entry);
  }
  const agreed = prev.index + entries.length;
  disk.commit = Math.max(disk.commit, Math.min(commit, agreed));
  reply(true, agreed);
}
// endregion: append

export function takeAnswer(
  raft: Raft,
  from: string,
  answer: AppendAnswer,
): void {
  if (answer.term > raft.disk.term) {
    becomeFollower(raft, answer.term, "");
    return;
  }
  const progress = raft.progress.get(from);
  if (raft.role !== "leader" || !progress) return;
  progress.active = true;
  confirmReads(raft, from, answer.readId);
  if (!answer.ok) {
    // What it had, and no longer has, it is not told at once for ever.
    const isDenial = answer.index < progress.match;
    if (isDenial && ++progress.denials > DENIALS_MAX) return;
    progress.next = Math.max(
      progress.match + 1,
      Math.min(progress.next - 1, answer.index + 1),
    );
    sendAppend(raft, from);
    return;
  }
  if (answer.index <= progress.match) return;
  progress.match = answer.index;
  progress.denials = 0;
  progress.next = Math.max(progress.next, answer.index + 1);
  if (advance(raft)) broadcast(raft);
  else if (progress.next <= lastOf(raft.disk).index) sendAppend(raft, from);
}

/** Commits what a majority has, if it is of the leader's own term. */
export function advance(raft: Raft): boolean {
  const { disk } = raft;
  const matches = [...raft.progress.values()].map(({ match }) => match);
  matches.push(lastOf(disk).index);
  matches.sort((a, b) => b - a);
  const index = matches[quorum(raft) - 1] ?? 0;
  if (index <= disk.commit) return false;
  if (termAt(disk, index) !== disk.term) return false;
  disk.commit = index;
  return true;
}

/** A read may be answered as of `index` once a majority confirmed the leader. */
export function beginRead(raft: Raft, from: string, id: number): void {
  const { disk } = raft;
  // A new leader does not know yet what is committed.
  if (termAt(disk, disk.commit) !== disk.term) return;
  const acks = new Set([raft.id]);
  raft.reads.push({ id, from, index: disk.commit, acks });
  if (quorum(raft) === 1) confirmReads(raft, raft.id, id);
  else broadcast(raft);
}

function confirmReads(raft: Raft, from: string, readId: number): void {
  for (const read of raft.reads) {
    if (read.id <= readId) read.acks.add(from);
  }
  const sure = raft.reads.filter(({ acks }) => acks.size >= quorum(raft));
  raft.reads = raft.reads.filter((read) => !sure.includes(read));
  const { term } = raft.disk;
  for (const { from: to, id, index } of sure) {
    raft.send(to, { type: "read-answer", term, id, index });
  }
}

/** True if a majority was heard of lately; begins to count anew. */
export function hasQuorum(raft: Raft): boolean {
  let active = 1;
  for (const progress of raft.progress.values()) {
    if (progress.active) active++;
    progress.active = false;
  }
  return active >= quorum(raft);
}

/** The follower that is furthest, to hand the leadership to. */
export function successor(raft: Raft): string | undefined {
  let best: [string, Progress] | undefined;
  for (const one of raft.progress) {
    if (!best || one[1].match > best[1].match) best = one;
  }
  return best?.[0];
}

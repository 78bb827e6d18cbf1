/**
 * Snapshots: a log that only grows would fill the disk, so what was applied
 * long ago is thrown away. A member that was gone for so long that the leader
 * no longer has what it lacks is given the whole state instead.
 * Models:     triggerSnapshot of etcd server/etcdserver/server.go, restore of
 *             go.etcd.io/raft/v3 raft.go (3.6)
 * Leaves out: that the state travels as a file of its own, in pieces.
 * Try:        keep no entry for who comes late, and stop a member for a moment.
 */
import {
  becomeFollower,
  lastOf,
  type Message,
  type Raft,
  termAt,
} from "./state.ts";

type SnapshotMessage = Extract<Message, { type: "snapshot" }>;

// region: truncate
/** Throws away what is behind the newest snapshot, all but a reserve. */
export function truncateLog(raft: Raft): void {
  const { disk, applied, limits } = raft;
  if (applied - disk.snapshotIndex <= limits.snapshotCount) return;
  disk.snapshotIndex = applied;
  const index = applied - limits.catchUpEntries;
  if (index <= disk.base.index) return;
  const term = termAt(disk, index)!;
  disk.log.splice(0, index - disk.base.index);
  disk.base = { index, term };
  raft.note(`keeps a snapshot at ${applied}, its log from ${index + 1}`);
}
// endregion: truncate

/** The leader hands over all that it has applied. */
export function sendSnapshot(raft: Raft, to: string): void {
  const { disk, applied: index } = raft;
  const term = termAt(disk, index)!;
  raft.note(`sends a snapshot at ${index}`, to);
  raft.progress.get(to)!.next = index + 1;
  const state = raft.save();
  raft.send(to, {
    type: "snapshot",
    term: disk.term,
    at: { index, term },
    state,
  });
}

/** A follower begins anew from the leader's state, unless it is further. */
export function takeSnapshot(
  raft: Raft,
  from: string,
  { term, at, state }: SnapshotMessage,
): void {
  const { disk } = raft;
  const reply = (index: number) => {
    const answer = { term: disk.term, ok: true, index, readId: 0 };
    raft.send(from, { type: "append-answer", ...answer });
  };
  if (term < disk.term) return reply(disk.commit);
  becomeFollower(raft, term, from);
  if (at.index <= disk.commit) return reply(disk.commit);
  if (termAt(disk, at.index) === at.term) {
    // Its own log has all that: it only did not know that it is settled.
    disk.commit = at.index;
    return reply(at.index);
  }
  disk.log.length = 0;
  disk.base = at;
  disk.commit = disk.snapshotIndex = raft.applied = at.index;
  raft.note(`takes over a snapshot at ${at.index}`);
  raft.load(state);
  reply(lastOf(disk).index);
}

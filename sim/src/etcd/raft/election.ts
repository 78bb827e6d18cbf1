/**
 * Elections: who hears nothing from a leader for long enough first asks who
 * would vote for it (so that a member that was cut off does not disturb the
 * others when it returns), then asks for the votes of a new term.
 * Models: campaign, poll and the vote messages of go.etcd.io/raft/v3 raft.go
 * Try:    give every member the same patience, and watch votes split.
 */
import { appendNew, broadcast } from "./replication.ts";
import {
  becomeFollower,
  ELECTION_TICKS,
  lastOf,
  type Message,
  type Position,
  quorum,
  type Raft,
  renewPatience,
} from "./state.ts";

type VoteRequest = Extract<Message, { type: "pre-vote" | "vote" }>;
type VoteAnswer = Extract<Message, { type: "pre-vote-answer" | "vote-answer" }>;

/** Asks the others; with `pre` only whether they would. */
export function campaign(raft: Raft, pre: boolean, force = false): void {
  const { disk } = raft;
  raft.role = pre ? "pre-candidate" : "candidate";
  raft.leader = "";
  raft.votes = new Map([[raft.id, true]]);
  renewPatience(raft);
  const term = disk.term + 1;
  if (!pre) {
    disk.term = term;
    disk.vote = raft.id;
  }
  raft.note(
    pre ? `asks who would vote, term ${term}` : `stands for term ${term}`,
  );
  const last = lastOf(disk);
  const type = pre ? "pre-vote" : "vote";
  for (const to of raft.peers) raft.send(to, { type, term, last, force });
  count(raft);
}

// region: vote
/** A vote goes to the first who asks and whose log is not behind ours. */
export function answerVote(raft: Raft, from: string, ask: VoteRequest): void {
  const { disk } = raft;
  const pre = ask.type === "pre-vote";
  const type = pre ? "pre-vote-answer" : "vote-answer";
  // Who hears from a leader does not help to depose it.
  const leased = raft.leader !== "" && raft.electionElapsed < ELECTION_TICKS;
  if (leased && !ask.force && ask.term > disk.term) return;
  if (!pre && ask.term > disk.term) becomeFollower(raft, ask.term, "");
  const free = pre
    ? ask.term > disk.term
    : ask.term === disk.term && (disk.vote === "" || disk.vote === from);
  const granted = free && isUpToDate(ask.last, lastOf(disk));
  if (granted && !pre) {
    disk.vote = from;
    raft.electionElapsed = 0;
  }
  const term = granted && pre ? ask.term : disk.term;
  raft.send(from, { type, term, granted });
}
// endregion: vote

function isUpToDate(theirs: Position, ours: Position): boolean {
  if (theirs.term !== ours.term) return theirs.term > ours.term;
  return theirs.index >= ours.index;
}

export function takeVote(raft: Raft, from: string, answer: VoteAnswer): void {
  const { disk } = raft;
  if (!answer.granted && answer.term > disk.term) {
    becomeFollower(raft, answer.term, "");
    return;
  }
  const wanted = answer.type === "vote-answer" ? "candidate" : "pre-candidate";
  if (raft.role !== wanted) return;
  raft.votes.set(from, answer.granted);
  count(raft);
}

function count(raft: Raft): void {
  const votes = [...raft.votes.values()];
  const yes = votes.filter(Boolean).length;
  const needed = quorum(raft);
  if (yes >= needed) {
    if (raft.role === "pre-candidate") campaign(raft, false);
    else becomeLeader(raft);
  } else if (votes.length - yes >= needed) {
    becomeFollower(raft, raft.disk.term, "");
  }
}

/** A leader begins with an entry of its own term: what is before is settled. */
function becomeLeader(raft: Raft): void {
  const next = lastOf(raft.disk).index + 1;
  raft.role = "leader";
  raft.leader = raft.id;
  raft.electionElapsed = 0;
  raft.heartbeatElapsed = 0;
  raft.reads = [];
  raft.progress = new Map(
    raft.peers.map((id) => [id, { next, match: 0, active: true, denials: 0 }]),
  );
  raft.note(`becomes leader, term ${raft.disk.term}`);
  appendNew(raft, undefined);
  broadcast(raft);
}

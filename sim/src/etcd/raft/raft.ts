/**
 * One member's Raft: what it does at a tick and at a message.
 * Models:     go.etcd.io/raft/v3 raft.go with PreVote and CheckQuorum, as
 *             etcd 3.5 runs it
 * Leaves out: learners, joint configurations.
 */
import { answerVote, campaign, takeVote } from "./election.ts";
import {
  appendNew,
  beginRead,
  broadcast,
  hasQuorum,
  takeAnswer,
  takeAppend,
} from "./replication.ts";
import { takeSnapshot } from "./snapshot.ts";
import {
  becomeFollower,
  ELECTION_TICKS,
  type Message,
  type Raft,
  renewPatience,
} from "./state.ts";

/** What outlives a restart, or comes from outside. */
type Fixed =
  | ("id" | "peers" | "disk" | "random" | "limits")
  | ("send" | "note" | "save" | "load");

export function newRaft(fixed: Pick<Raft, Fixed>, applied: number): Raft {
  const { id, peers, disk, random, limits } = fixed;
  const { send, note, save, load } = fixed;
  const raft: Raft = {
    ...{ id, peers, disk, random, limits, send, note, save, load },
    role: "follower",
    leader: "",
    votes: new Map(),
    progress: new Map(),
    reads: [],
    electionElapsed: 0,
    heartbeatElapsed: 0,
    timeoutTicks: 0,
    applied,
  };
  renewPatience(raft);
  return raft;
}

export function tick(raft: Raft): void {
  raft.electionElapsed++;
  if (raft.role !== "leader") {
    if (raft.electionElapsed >= raft.timeoutTicks) campaign(raft, true);
    return;
  }
  raft.heartbeatElapsed++;
  if (raft.electionElapsed >= ELECTION_TICKS) {
    raft.electionElapsed = 0;
    if (!hasQuorum(raft)) {
      becomeFollower(raft, raft.disk.term, "");
      return;
    }
  }
  raft.heartbeatElapsed = 0;
  broadcast(raft);
}

/** What speaks of one term alone: in a later one it means nothing. */
const OF_ITS_TERM: ReadonlySet<Message["type"]> = new Set([
  "pre-vote-answer",
  "vote-answer",
  "append-answer",
  "timeout-now",
]);

export function receive(raft: Raft, from: string, message: Message): void {
  // A vote for an earlier term that arrives late does not elect anybody now.
  if (message.term < raft.disk.term && OF_ITS_TERM.has(message.type)) return;
  switch (message.type) {
    case "pre-vote":
    case "vote":
      return answerVote(raft, from, message);
    case "pre-vote-answer":
    case "vote-answer":
      return takeVote(raft, from, message);
    case "append":
      return takeAppend(raft, from, message);
    case "append-answer":
      return takeAnswer(raft, from, message);
    case "snapshot":
      return takeSnapshot(raft, from, message);
    case "propose":
      propose(raft, message.data);
      return;
    case "read":
      if (raft.role === "leader") beginRead(raft, from, message.id);
      return;
    case "timeout-now":
      return campaign(raft, false, true);
  }
}

/** Takes a proposal into the log, or sends it on. False: there is no leader. */
export function propose(raft: Raft, data: unknown): boolean {
  if (raft.role === "leader") {
    appendNew(raft, data);
    broadcast(raft);
    return true;
  }
  if (raft.leader === "") return false;
  const { term } = raft.disk;
  raft.send(raft.leader, { type: "propose", term, data });
  return true;
}

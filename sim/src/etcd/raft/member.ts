/**
 * A member of an etcd cluster: a Raft, a disk, and the keyspace that comes of
 * applying what was committed.
 * Models: etcd server/etcdserver/{raft,server,apply}.go (3.5)
 */
import type { Kernel, Timer } from "../../kernel/index.ts";
import { Keyspace, type KeyspaceState } from "../keyspace.ts";
import { ETCD_ERRORS, EtcdError } from "../types.ts";
import { LOG_LIMITS, type LogLimits } from "./limits.ts";
import { newRaft, receive, tick } from "./raft.ts";
import { successor } from "./replication.ts";
import { truncateLog } from "./snapshot.ts";
import {
  type Disk,
  ELECTION_TICKS,
  type Message,
  type Raft,
  TICK_MS,
} from "./state.ts";

/** What is agreed on: `apply` does it to a member's keyspace. */
export interface Proposal {
  readonly id: number;
  apply(keyspace: Keyspace): unknown;
  /** Trace entry under which it was first applied. */
  causeId: number;
}

export interface MemberOptions {
  readonly kernel: Kernel;
  /** `etcd/m1`: also its name in the trace. */
  readonly id: string;
  readonly peers: readonly string[];
  deliver(from: string, to: string, message: Message): void;
  /** How much of the log is kept. */
  readonly limits?: LogLimits;
  /** A lease ran out: the leader asks for its revocation. */
  expire(member: Member, leaseId: number): void;
}

export class Member {
  readonly id: string;
  readonly keyspace: Keyspace;
  /** Called with what a committed proposal came to, here. */
  readonly waiting = new Map<number, (outcome: Outcome) => void>();
  readonly reads = new Map<number, (index: number) => void>();
  readonly raft: Raft;
  up = true;
  /** Ticks without a leader; watches that need one end after some. */
  private leaderless = 0;
  private readonly options: MemberOptions;
  private timer: Timer | null = null;
  private readonly appliedWaiters: { index: number; run: () => void }[] = [];

  constructor(options: MemberOptions) {
    const { kernel, id, peers } = options;
    this.options = options;
    this.id = id;
    const disk: Disk = {
      ...{ term: 1, vote: "", log: [], commit: 0, snapshotIndex: 0 },
      base: { index: 0, term: 0 },
    };
    this.keyspace = new Keyspace(kernel, (lease) =>
      options.expire(this, lease),
    );
    this.keyspace.lessor.setPrimary(false);
    this.raft = newRaft(
      {
        id,
        peers,
        disk,
        limits: options.limits ?? LOG_LIMITS,
        random: kernel.random.fork(`raft/${id}`),
        send: (to, message) => options.deliver(id, to, message),
        note: (what, target) => kernel.record(id, "raft", what, target),
        save: () => this.keyspace.save(),
        load: (state) => this.keyspace.load(state as KeyspaceState),
      },
      0,
    );
    this.arm();
  }

  get isLeader(): boolean {
    return this.up && this.raft.role === "leader";
  }

  private arm(): void {
    const { kernel } = this.options;
    const { causeId } = kernel;
    kernel.causeId = 0;
    this.timer = kernel.after(TICK_MS, () => {
      this.arm();
      tick(this.raft);
      this.settle();
      this.watchLeader();
    });
    kernel.causeId = causeId;
  }

  receive(from: string, message: Message): void {
    if (!this.up) return;
    if (message.type === "read-answer") {
      const answer = this.reads.get(message.id);
      this.reads.delete(message.id);
      if (answer) this.whenApplied(message.index, () => answer(message.index));
      return;
    }
    receive(this.raft, from, message);
    this.settle();
  }

  /** Applies what is committed, and follows changes of leadership. */
  settle(): void {
    const { raft } = this;
    const { disk } = raft;
    while (raft.applied < disk.commit) {
      const { data } = disk.log[raft.applied++ - disk.base.index]!;
      if (data) this.apply(data as Proposal);
    }
    truncateLog(raft);
    this.keyspace.lessor.setPrimary(this.isLeader);
    const ready = this.appliedWaiters.filter((w) => w.index <= raft.applied);
    for (const waiter of ready) {
      this.appliedWaiters.splice(this.appliedWaiters.indexOf(waiter), 1);
      waiter.run();
    }
  }

  private apply(proposal: Proposal): void {
    const { kernel } = this.options;
    const { causeId } = kernel;
    if (proposal.causeId) kernel.causeId = proposal.causeId;
    let outcome: Outcome;
    try {
      outcome = { value: proposal.apply(this.keyspace) };
    } catch (error) {
      if (!(error instanceof EtcdError)) throw error;
      outcome = { error };
    }
    kernel.causeId = causeId;
    this.waiting.get(proposal.id)?.(outcome);
    this.waiting.delete(proposal.id);
  }

  /** Runs once this member has applied the entry of that index. */
  whenApplied(index: number, run: () => void): void {
    if (this.raft.applied >= index) run();
    else this.appliedWaiters.push({ index, run });
  }

  private watchLeader(): void {
    this.leaderless = this.raft.leader === "" ? this.leaderless + 1 : 0;
    if (this.leaderless !== ELECTION_TICKS) return;
    const error = new EtcdError(ETCD_ERRORS.noLeader);
    this.keyspace.hub.cancelAll(error, ({ requireLeader }) => !!requireLeader);
  }

  /** The process ends; `graceful` hands the leadership over first. */
  stop(graceful = false): void {
    if (!this.up) return;
    const { raft } = this;
    const heir = graceful && this.isLeader ? successor(raft) : undefined;
    if (heir) {
      raft.note("hands over", heir);
      raft.send(heir, { type: "timeout-now", term: raft.disk.term });
    }
    this.up = false;
    this.timer?.cancel();
    this.keyspace.lessor.setPrimary(false);
    const error = new EtcdError(ETCD_ERRORS.unavailable);
    this.keyspace.hub.cancelAll(error, () => true);
    for (const fail of this.waiting.values()) fail({ error });
    this.waiting.clear();
    this.reads.clear();
    this.appliedWaiters.length = 0;
  }

  /** The process starts again, with its disk. */
  start(): void {
    if (this.up) return;
    this.up = true;
    Object.assign(this.raft, newRaft(this.raft, this.raft.applied));
    this.leaderless = 0;
    this.arm();
  }
}

export type Outcome =
  | { readonly value: unknown; readonly error?: undefined }
  | { readonly error: EtcdError };

/**
 * A client of one member. Writes and linearizable reads need a majority;
 * serializable reads and watches are the member's own.
 * Models: etcd server/etcdserver/v3_server.go, client/v3 (3.5)
 */
import { checkPut, checkTxn } from "../check.ts";
import type { Keyspace } from "../keyspace.ts";
import {
  type DeleteRequest,
  type DeleteResponse,
  ETCD_ERRORS,
  type EtcdApi,
  EtcdError,
  type LeaseGranted,
  type PutRequest,
  type PutResponse,
  type RangeRequest,
  type RangeResponse,
  type TxnRequest,
  type TxnResponse,
  type Watch,
  type WatchRequest,
  type WatchResponse,
} from "../types.ts";
import type { RaftCluster } from "./cluster.ts";
import type { Member, Outcome, Proposal } from "./member.ts";
import { propose } from "./raft.ts";
import { patiently, RETRY_MS, type Settle } from "./request.ts";

export class MemberClient implements EtcdApi {
  readonly immediate = false;
  private readonly cluster: RaftCluster;
  private readonly member: Member;
  private readonly timeoutMs: number | undefined;

  constructor(cluster: RaftCluster, member: Member, timeoutMs?: number) {
    this.cluster = cluster;
    this.member = member;
    this.timeoutMs = timeoutMs;
  }

  get revision(): number {
    return this.member.keyspace.store.revision;
  }

  range(request: RangeRequest): RangeResponse | Promise<RangeResponse> {
    const { keyspace } = this.member;
    if (request.serializable) {
      this.ping();
      return keyspace.range(request);
    }
    return this.wait<RangeResponse>((settle) =>
      this.readIndex(settle, () => settle.resolve(keyspace.range(request))),
    );
  }

  put(request: PutRequest): Promise<PutResponse> {
    checkPut(request);
    return this.agree((keyspace) => keyspace.put(request));
  }

  deleteRange(request: DeleteRequest): Promise<DeleteResponse> {
    return this.agree((keyspace) => keyspace.deleteRange(request));
  }

  /** `onApply` runs once, where the transaction is applied first. */
  txn(request: TxnRequest): Promise<TxnResponse> {
    checkTxn(request);
    const { kernel } = this.cluster;
    const { onApply, ...again } = request;
    let first = true;
    const apply = (keyspace: Keyspace, proposal: Proposal) => {
      if (!first) return keyspace.txn(again);
      first = false;
      const noted = (revision: number) => {
        onApply?.(revision);
        proposal.causeId = kernel.causeId;
      };
      return keyspace.txn({ ...again, onApply: noted });
    };
    return this.agree(apply);
  }

  compact(revision: number): Promise<number> {
    return this.agree((keyspace) => keyspace.compact(revision));
  }

  watch(
    request: WatchRequest,
    onResponse: (response: WatchResponse) => void,
  ): Watch {
    const { raft, keyspace } = this.member;
    if (request.requireLeader && raft.leader === "") {
      const error = new EtcdError(ETCD_ERRORS.noLeader);
      onResponse({ revision: 0, events: [], canceled: true, error });
      return { cancel() {} };
    }
    return keyspace.hub.watch(request, onResponse);
  }

  leaseGrant(ttl: number): Promise<LeaseGranted> {
    const id = this.cluster.newId();
    return this.agree((keyspace) => keyspace.leaseGrant(id, ttl));
  }

  leaseKeepAlive(id: number): Promise<LeaseGranted> {
    return this.wait((settle) =>
      this.readIndex(settle, () => {
        const leader = this.cluster.leader ?? this.member;
        settle.resolve(leader.keyspace.leaseKeepAlive(id));
      }),
    );
  }

  leaseRevoke(id: number): Promise<number> {
    return this.agree((keyspace) => keyspace.leaseRevoke(id));
  }

  /** Who is a member is asked of a majority, too. */
  memberList(): Promise<readonly string[]> {
    const ids = this.cluster.members.map(({ id }) => id);
    return this.wait((settle) =>
      this.readIndex(settle, () => settle.resolve(ids)),
    );
  }

  /** Of this member alone. */
  status() {
    const { raft } = this.member;
    const leaderKnown = raft.leader !== "";
    const errors = leaderKnown ? [] : [ETCD_ERRORS.noLeader];
    return { leaderKnown, errors, raftTerm: raft.disk.term };
  }

  /** Has the members agree on `apply` without waiting for the outcome. */
  submit(apply: (keyspace: Keyspace) => unknown): void {
    const id = this.cluster.newId();
    propose(this.member.raft, { id, apply, causeId: 0 } satisfies Proposal);
    this.member.settle();
  }

  private agree<T>(
    apply: (keyspace: Keyspace, proposal: Proposal) => T,
  ): Promise<T> {
    return this.wait<T>((settle, again) => {
      const id = this.cluster.newId();
      const { member } = this;
      const proposal: Proposal = {
        id,
        causeId: 0,
        apply: (keyspace) => apply(keyspace, proposal),
      };
      member.waiting.set(id, (outcome: Outcome) => {
        if (outcome.error) settle.reject(outcome.error);
        else settle.resolve(outcome.value as T);
      });
      if (propose(member.raft, proposal)) member.settle();
      else {
        member.waiting.delete(id);
        again();
      }
    });
  }

  /** Learns how far is committed; `run` when that is applied here. */
  private readIndex<T>(settle: Settle<T>, run: () => void): void {
    const { member, cluster } = this;
    const { raft } = member;
    const { kernel } = cluster;
    const guarded = () => {
      try {
        run();
      } catch (error) {
        settle.reject(error);
      }
    };
    const ask = () => {
      if (!member.up || done()) return;
      if (raft.leader !== "") {
        const id = cluster.newId();
        member.reads.set(id, guarded);
        const { term } = raft.disk;
        raft.send(raft.leader, { type: "read", term, id });
        member.settle();
      }
      // A leader that is new, or gone, answers nothing: ask again.
      kernel.after(5 * RETRY_MS, ask);
    };
    const done = () => settle.done;
    ask();
  }

  private wait<T>(begin: (settle: Settle<T>, again: () => void) => void) {
    const { kernel } = this.cluster;
    return patiently(kernel, this.timeoutMs, (settle: Settle<T>, again) => {
      this.ping();
      begin(settle, again);
    });
  }

  ping(): void {
    if (!this.member.up) throw new EtcdError(ETCD_ERRORS.unavailable);
  }
}

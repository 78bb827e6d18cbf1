/**
 * An etcd cluster of 1, 3, 5 or 7 members that agree by Raft. It goes on while
 * a majority can talk to each other; without one, nothing is written and
 * nothing certain can be read.
 * Models: etcd 3.5 with its defaults (heartbeat 100 ms, election 1000 ms)
 * Try:    cut one member of five off, then a second, then a third.
 */
import { assert, type Kernel, type Random } from "../../kernel/index.ts";
import type { EtcdApi } from "../types.ts";
import { MemberClient } from "./client.ts";
import type { LogLimits } from "./limits.ts";
import { Member, type Proposal } from "./member.ts";
import type { Message } from "./state.ts";

export interface RaftClusterOptions {
  readonly kernel: Kernel;
  /** 1, 3, 5 or 7; other numbers work, and are not wise. */
  readonly members: number;
  /** One-way latency between members, in ms. */
  readonly latency?: (random: Random) => number;
  /** How much of its log each member keeps. */
  readonly limits?: LogLimits;
  /** Members are called `etcd/m1` and so on unless told. */
  readonly nameOf?: (index: number) => string;
}

export class RaftCluster {
  readonly members: readonly Member[];
  readonly kernel: Kernel;
  private readonly random: Random;
  private readonly latency: (random: Random) => number;
  private readonly byId = new Map<string, Member>();
  /** Leader of each term, for the law that there is one at most. */
  private readonly leaders = new Map<number, string>();
  private nextId = 1;

  constructor(options: RaftClusterOptions) {
    const { kernel, members, nameOf = (i) => `etcd/m${i + 1}` } = options;
    this.kernel = kernel;
    this.random = kernel.random.fork("etcd-network");
    this.latency = options.latency ?? ((random) => random.between(0.2, 1));
    const ids = Array.from({ length: members }, (_, i) => nameOf(i));
    this.members = ids.map(
      (id) =>
        new Member({
          kernel,
          id,
          peers: ids.filter((other) => other !== id),
          limits: options.limits,
          deliver: (from, to, message) => this.deliver(from, to, message),
          expire: (member, lease) => this.expire(member, lease),
        }),
    );
    for (const member of this.members) this.byId.set(member.id, member);
    kernel.faults.onChange((actor, up) => {
      const member = this.byId.get(actor);
      if (up) member?.start();
      else member?.stop();
    });
  }

  private deliver(from: string, to: string, message: Message): void {
    const { kernel } = this;
    if (message.type === "append" || message.type === "snapshot")
      this.checkLeader(from, message.term);
    if (from === to) {
      this.byId.get(to)?.receive(from, message);
      return;
    }
    const delayMs = this.latency(this.random) + kernel.faults.delayMs(from, to);
    kernel.after(delayMs, () => {
      if (!kernel.faults.blocked(from, to)) {
        this.byId.get(to)?.receive(from, message);
      }
    });
  }

  /** Raft's first law: a term has one leader at most. */
  private checkLeader(id: string, term: number): void {
    const known = this.leaders.get(term);
    assert(
      known === undefined || known === id,
      `term ${term} has two leaders: ${known} and ${id}`,
    );
    this.leaders.set(term, id);
  }

  /** The member that leads the newest term; undefined if none does. */
  get leader(): Member | undefined {
    const leading = this.members.filter((member) => member.isLeader);
    const termOf = (member: Member) => member.raft.disk.term;
    return leading.toSorted((a, b) => termOf(b) - termOf(a))[0];
  }

  newId(): number {
    return this.nextId++;
  }

  private expire(member: Member, leaseId: number): void {
    if (!member.isLeader) return;
    const client = new MemberClient(this, member);
    const revoke = (keyspace: Member["keyspace"]) =>
      keyspace.leaseRevoke(leaseId);
    client.submit(revoke);
  }

  /** What a client of that member sees; gives up after `timeoutMs`. */
  client(id: string, timeoutMs?: number): MemberClient {
    const member = this.byId.get(id);
    assert(member, `no member ${id}`);
    return new MemberClient(this, member, timeoutMs);
  }

  /** The same as what an API server needs. */
  endpoint(id: string): EtcdApi {
    return this.client(id);
  }
}

export type { Proposal };

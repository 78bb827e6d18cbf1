import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type KvEvent, RaftCluster, type RaftClusterOptions } from "../../../sim/src/etcd/index.ts";
import { campaign } from "../../../sim/src/etcd/raft/election.ts";
import { LOG_LIMITS } from "../../../sim/src/etcd/raft/limits.ts";
import { newRaft, receive } from "../../../sim/src/etcd/raft/raft.ts";
import type { Disk, Message } from "../../../sim/src/etcd/raft/state.ts";
import { Kernel, Random } from "../../../sim/src/kernel/index.ts";

type Limits = RaftClusterOptions["limits"];

async function booted(members: number, seed: string | number = 1, limits?: Limits) {
  const kernel = new Kernel({ seed, trace: "off" });
  const cluster = new RaftCluster({ kernel, members, limits });
  await kernel.run({ untilMs: 5000 });
  return { kernel, cluster };
}

/** Logs so short that members need snapshots all the time. */
const SHORT: Limits = { snapshotCount: 3, catchUpEntries: 1 };

/** A fault or the end of one, between members by number. */
const fault = fc.oneof(
  fc.record({ stop: fc.nat(4) }),
  fc.record({ start: fc.nat(4) }),
  fc.record({ cut: fc.nat(4), from: fc.nat(4) }),
  fc.record({ heal: fc.nat(4), from: fc.nat(4) }),
  fc.record({ slow: fc.nat(4), extraMs: fc.constantFrom(0, 300, 1_300) }),
);

const leaseOf = (kvs: readonly { lease: number }[]): number => kvs[0]?.lease ?? 0;

describe("one member", () => {
  it("does not count a vote for an earlier term", () => {
    const sent: Message[] = [];
    const disk: Disk = {
      ...{ term: 5, vote: "", log: [], commit: 0, snapshotIndex: 0 },
      base: { index: 0, term: 0 },
    };
    const raft = newRaft(
      {
        ...{ id: "a", peers: ["b", "c"], disk, limits: LOG_LIMITS, random: new Random(1) },
        send: (_, message) => sent.push(message),
        note() {},
        save: () => undefined,
        load() {},
      },
      0,
    );
    campaign(raft, false);
    expect(sent.map(({ type, term }) => `${type} ${term}`)).toEqual(["vote 6", "vote 6"]);
    receive(raft, "b", { type: "vote-answer", term: 5, granted: true });
    expect(raft.role).toBe("candidate");
    receive(raft, "b", { type: "vote-answer", term: 6, granted: true });
    expect(raft.role).toBe("leader");
    receive(raft, "b", { type: "append-answer", term: 5, ok: true, index: 9, readId: 0 });
    expect(raft.progress.get("b")?.match).toBe(0);
  });
});

/** As a rule that commits too early leaves it: its log differs where it is settled. */
describe("a member whose committed entries differ from the leader's", () => {
  it("keeps them, and is told otherwise at heartbeats alone", async () => {
    const kernel = new Kernel({ seed: 1 });
    const cluster = new RaftCluster({ kernel, members: 3 });
    await kernel.run({ untilMs: 5_000 });
    const client = cluster.client(cluster.leader!.id);
    const put = (value: number) => client.put({ key: "k", value });
    void put(1);
    await kernel.run({ untilMs: 6_000 });
    const odd = cluster.members.find((member) => !member.isLeader)!;
    const { log, commit } = odd.raft.disk;
    expect(commit).toBe(log.length);
    log.splice(-1, 1, { ...log.at(-1)!, term: 99 });
    void put(2);
    await kernel.run({ untilMs: 16_000 });
    expect(odd.raft.disk.commit).toBe(commit);
    expect(odd.raft.disk.log.at(-1)?.term).toBe(99);
    const told = [...kernel.trace].filter(
      ({ verb, subject, target, atMs }) =>
        verb === "raft" && subject.startsWith("appends") && target === odd.id && atMs > 6_500,
    );
    expect(told.length).toBeGreaterThan(50);
    expect(told.length).toBeLessThan(120);
    const others = cluster.members.filter((member) => member !== odd);
    expect(others.map(({ keyspace }) => keyspace.store.get("k")?.value)).toEqual([2, 2]);
  });
});

describe("a cluster of members", () => {
  for (const members of [1, 3, 5, 7]) {
    it(`of ${members} elects one leader and commits`, async () => {
      const { kernel, cluster } = await booted(members);
      expect(cluster.members.filter(({ isLeader }) => isLeader)).toHaveLength(1);
      let revision = 0;
      const client = cluster.client(cluster.members[0]!.id);
      void client.put({ key: "k", value: 1 }).then((answer) => {
        revision = answer.revision;
      });
      await kernel.run({ untilMs: kernel.now() + 1000 });
      expect(revision).toBe(2);
      const revisions = cluster.members.map(({ keyspace }) => keyspace.store.revision);
      expect(new Set(revisions)).toEqual(new Set([2]));
    });
  }

  it.each([
    ["whole logs", undefined],
    ["short logs and snapshots", SHORT],
  ])(
    "loses no acknowledged write and has one leader a term, whatever fails: %s",
    async (_, limits) => {
      const plan = fc.array(fc.record({ fault, write: fc.boolean() }), { maxLength: 12 });
      await fc.assert(
        fc.asyncProperty(fc.nat(1000), plan, async (seed, steps) => {
          const { kernel, cluster } = await booted(5, seed, limits);
          const id = (i: number) => cluster.members[i]!.id;
          const acknowledged = new Set<string>();
          let written = 0;
          for (const step of steps) {
            const { faults } = kernel;
            if ("stop" in step.fault) faults.stop(id(step.fault.stop));
            if ("start" in step.fault) faults.start(id(step.fault.start));
            if ("cut" in step.fault) faults.partition(id(step.fault.cut), id(step.fault.from));
            if ("heal" in step.fault) faults.heal(id(step.fault.heal), id(step.fault.from));
            if ("slow" in step.fault) faults.slowDown(id(step.fault.slow), step.fault.extraMs);
            if (step.write) {
              const key = `k${written++}`;
              const client = cluster.client(id(written % 5), 2000);
              client.put({ key, value: key }).then(
                () => acknowledged.add(key),
                () => {},
              );
            }
            await kernel.run({ untilMs: kernel.now() + 700 });
          }
          for (const member of cluster.members) {
            kernel.faults.start(member.id);
            kernel.faults.slowDown(member.id, 0);
            for (const other of cluster.members) kernel.faults.heal(member.id, other.id);
          }
          await kernel.run({ untilMs: kernel.now() + 20_000 });
          for (const { keyspace } of cluster.members) {
            for (const key of acknowledged) expect(keyspace.store.get(key)?.value).toBe(key);
          }
          const revisions = cluster.members.map(({ keyspace }) => keyspace.store.revision);
          expect(new Set(revisions).size).toBe(1);
        }),
        { numRuns: 25 },
      );
    },
  );

  it("gives a member that was gone for long the state, and its watchers what they missed", async () => {
    const writes = fc.array(
      fc.record({ key: fc.constantFrom("a", "b", "c", "d"), gone: fc.boolean() }),
      { minLength: 8, maxLength: 20 },
    );
    const law = fc.asyncProperty(fc.nat(1000), writes, async (seed, steps) => {
      const { kernel, cluster } = await booted(3, seed, SHORT);
      const away = cluster.members.find(({ isLeader }) => !isLeader)!;
      const seen: KvEvent[] = [];
      away.keyspace.hub.watch({ key: "", prefix: true }, ({ events }) => seen.push(...events));
      const others = cluster.members.filter((one) => one !== away);
      // Cut off, not stopped: its watches stay open.
      for (const other of others) kernel.faults.partition(away.id, other.id);
      const client = cluster.client(others[0]!.id);
      let lease = 0;
      void client.leaseGrant(60).then(({ id }) => {
        lease = id;
      });
      await kernel.run({ untilMs: kernel.now() + 100 });
      for (const { key, gone } of steps) {
        void (gone ? client.deleteRange({ key }) : client.put({ key, value: seen.length, lease }));
        await kernel.run({ untilMs: kernel.now() + 50 });
      }
      await kernel.run({ untilMs: kernel.now() + 3000 });
      for (const other of others) kernel.faults.heal(away.id, other.id);
      await kernel.run({ untilMs: kernel.now() + 5000 });
      const { raft, keyspace } = others[0]!;
      expect(raft.disk.base.index).toBeGreaterThan(0);
      expect(raft.disk.log.length).toBeLessThanOrEqual(1 + 3 + 1);
      // The law: what all watchers saw since the start makes the same state.
      const replayed = new Map<string, unknown>();
      for (const { type, kv } of seen) {
        if (type === "PUT") replayed.set(kv.key, kv);
        else replayed.delete(kv.key);
      }
      const all = { key: "", prefix: true };
      const kvs = keyspace.range(all).kvs;
      expect(away.keyspace.range(all).kvs).toEqual(kvs);
      expect([...replayed.values()]).toEqual(expect.arrayContaining([...kvs]));
      expect(replayed.size).toBe(kvs.length);
      const revisions = seen.map(({ kv }) => kv.modRevision);
      expect(revisions).toEqual(revisions.toSorted((a, b) => a - b));
      const keysOf = (one: typeof keyspace) => one.lessor.timeToLive(leaseOf(kvs)).keys;
      if (kvs.length > 0) expect(keysOf(away.keyspace)).toEqual(keysOf(keyspace));
    });
    await fc.assert(law, { numRuns: 20 });
  });

  it("ends the watches of a member that missed what was compacted meanwhile", async () => {
    const { kernel, cluster } = await booted(3, 1, SHORT);
    const away = cluster.members.find(({ isLeader }) => !isLeader)!;
    const others = cluster.members.filter((one) => one !== away);
    const ends: (number | undefined)[] = [];
    away.keyspace.hub.watch({ key: "", prefix: true }, (response) => {
      if (response.canceled) ends.push(response.compactRevision);
    });
    for (const other of others) kernel.faults.partition(away.id, other.id);
    const client = cluster.client(others[0]!.id);
    for (let i = 0; i < 8; i++) {
      void client.put({ key: "k", value: i });
      await kernel.run({ untilMs: kernel.now() + 100 });
    }
    await kernel.run({ untilMs: kernel.now() + 3000 });
    void client.compact(8);
    await kernel.run({ untilMs: kernel.now() + 1000 });
    for (const other of others) kernel.faults.heal(away.id, other.id);
    await kernel.run({ untilMs: kernel.now() + 5000 });
    expect(ends).toEqual([8]);
    expect(away.keyspace.store.get("k")?.value).toBe(7);
  });

  it("refuses writes and certain reads without a majority, and serves old ones", async () => {
    const { kernel, cluster } = await booted(3);
    const [one, two, three] = cluster.members.map(({ id }) => id);
    kernel.faults.stop(two!);
    kernel.faults.stop(three!);
    await kernel.run({ untilMs: kernel.now() + 3000 });
    const client = cluster.client(one!);
    const errors: string[] = [];
    const note = (error: Error) => errors.push(error.message);
    void client.put({ key: "k", value: 1 }).catch(note);
    void Promise.resolve(client.range({ key: "k" })).catch(note);
    await kernel.run({ untilMs: kernel.now() + 10_000 });
    expect(errors).toEqual(["etcdserver: request timed out", "etcdserver: request timed out"]);
    expect(client.range({ key: "k", serializable: true })).toMatchObject({ count: 0 });
  });

  it("does the same in every run of a seed", async () => {
    const hash = async () => {
      const kernel = new Kernel({ seed: 7 });
      const cluster = new RaftCluster({ kernel, members: 3 });
      await kernel.run({ untilMs: 3000 });
      kernel.faults.stop(cluster.leader!.id);
      await kernel.run({ untilMs: 8000 });
      return kernel.trace.hash();
    };
    expect(await hash()).toBe(await hash());
  });
});

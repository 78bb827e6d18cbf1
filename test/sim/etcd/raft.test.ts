import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { RaftCluster } from "../../../sim/src/etcd/index.ts";
import { Kernel } from "../../../sim/src/kernel/index.ts";

async function booted(members: number, seed: string | number = 1) {
  const kernel = new Kernel({ seed, trace: "off" });
  const cluster = new RaftCluster({ kernel, members });
  await kernel.run({ untilMs: 5000 });
  return { kernel, cluster };
}

/** A fault or the end of one, between members by number. */
const fault = fc.oneof(
  fc.record({ stop: fc.nat(4) }),
  fc.record({ start: fc.nat(4) }),
  fc.record({ cut: fc.nat(4), from: fc.nat(4) }),
  fc.record({ heal: fc.nat(4), from: fc.nat(4) }),
);

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

  it("loses no acknowledged write and has one leader a term, whatever fails", async () => {
    const plan = fc.array(fc.record({ fault, write: fc.boolean() }), { maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(fc.nat(1000), plan, async (seed, steps) => {
        const { kernel, cluster } = await booted(5, seed);
        const id = (i: number) => cluster.members[i]!.id;
        const acknowledged = new Set<string>();
        let written = 0;
        for (const step of steps) {
          const { faults } = kernel;
          if ("stop" in step.fault) faults.stop(id(step.fault.stop));
          if ("start" in step.fault) faults.start(id(step.fault.start));
          if ("cut" in step.fault) faults.partition(id(step.fault.cut), id(step.fault.from));
          if ("heal" in step.fault) faults.heal(id(step.fault.heal), id(step.fault.from));
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

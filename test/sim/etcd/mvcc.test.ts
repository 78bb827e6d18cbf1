import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Etcd, type KvEvent } from "../../../sim/src/etcd/index.ts";
import { Kernel } from "../../../sim/src/kernel/index.ts";

const KEYS = ["/registry/pods/a/1", "/registry/pods/a/2", "/registry/pods/b/1", "/registry/x/y"];
const PODS = { key: "/registry/pods/", prefix: true } as const;

const step = fc.oneof(
  fc.record({ put: fc.constantFrom(...KEYS), value: fc.integer() }),
  fc.record({ delete: fc.constantFrom(...KEYS) }),
);

type Step = { put: string; value: number } | { delete: string };

function newEtcd(): Etcd {
  return new Etcd({ kernel: new Kernel({ trace: "off" }) });
}

function run(etcd: Etcd, steps: readonly Step[]): void {
  for (const one of steps) {
    if ("put" in one) etcd.put({ key: one.put, value: one.value });
    else etcd.deleteRange({ key: one.delete });
  }
}

function apply(state: Map<string, unknown>, events: readonly KvEvent[]): void {
  for (const { type, kv } of events) {
    if (type === "PUT") state.set(kv.key, kv.value);
    else state.delete(kv.key);
  }
}

function listed(etcd: Etcd, revision?: number): Map<string, unknown> {
  const { kvs } = etcd.range({ ...PODS, revision });
  return new Map(kvs.map(({ key, value }) => [key, value]));
}

describe("the store", () => {
  it("gives the list of now from a list at r and a watch from r", () => {
    fc.assert(
      fc.property(fc.array(step), fc.array(step), (before, after) => {
        const etcd = newEtcd();
        run(etcd, before);
        const state = listed(etcd);
        const startRevision = etcd.revision + 1;
        run(etcd, after);
        etcd.watch({ ...PODS, startRevision }, ({ events }) => apply(state, events));
        expect([...state].sort()).toEqual([...listed(etcd)].sort());
      }),
    );
  });

  it("tells a live watch the same as one that replays history", () => {
    fc.assert(
      fc.property(fc.array(step), (steps) => {
        const etcd = newEtcd();
        const live: KvEvent[] = [];
        etcd.watch(PODS, ({ events }) => live.push(...events));
        run(etcd, steps);
        const replayed: KvEvent[] = [];
        etcd.watch({ ...PODS, startRevision: 2 }, ({ events }) => replayed.push(...events));
        expect(replayed).toEqual(live);
      }),
    );
  });

  it("reads at every revision what was there then", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        const etcd = newEtcd();
        const states = new Map<number, Map<string, unknown>>();
        for (const one of steps) {
          run(etcd, [one]);
          states.set(etcd.revision, listed(etcd));
        }
        for (const [revision, state] of states) expect(listed(etcd, revision)).toEqual(state);
      }),
    );
  });

  it("pages through a prefix in the order of keys", () => {
    const etcd = newEtcd();
    for (const i of [3, 1, 2, 0]) etcd.put({ key: `/registry/pods/${i}`, value: i });
    const first = etcd.range({ ...PODS, limit: 3 });
    expect(first.kvs.map(({ value }) => value)).toEqual([0, 1, 2]);
    expect([first.more, first.count]).toEqual([true, 4]);
  });

  it("counts a transaction as one revision and refuses what lost the race", () => {
    const etcd = newEtcd();
    const put = (value: number, modRevision: number) =>
      etcd.txn({
        compare: [{ key: "k", target: "modRevision", is: "=", value: modRevision }],
        // biome-ignore lint/suspicious/noThenProperty: it is the request's field.
        then: [{ put: { key: "k", value } }, { put: { key: "l", value } }],
        else: [],
      });
    expect(put(1, 0)).toMatchObject({ succeeded: true, revision: 2 });
    expect(put(2, 0)).toMatchObject({ succeeded: false, revision: 2 });
    expect(put(3, 2)).toMatchObject({ succeeded: true, revision: 3 });
  });

  it("forgets history at a compaction and says so", () => {
    const etcd = newEtcd();
    run(etcd, [
      { put: "/registry/pods/a/1", value: 1 },
      { put: "/registry/pods/a/1", value: 2 },
    ]);
    etcd.compact(3);
    expect(() => etcd.range({ ...PODS, revision: 2 })).toThrow("has been compacted");
    const errors: (string | undefined)[] = [];
    etcd.watch({ ...PODS, startRevision: 2 }, ({ error }) => errors.push(error?.message));
    expect(errors).toEqual(["etcdserver: mvcc: required revision has been compacted"]);
  });
});

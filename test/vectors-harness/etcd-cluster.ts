/**
 * Replays etcd-cluster.json: what works with members killed, and how long a
 * change of leader takes. Times count by their order of magnitude.
 */
import { type EtcdError, type MemberClient, RaftCluster } from "../../sim/src/etcd/index.ts";
import { Kernel } from "../../sim/src/kernel/index.ts";
import type { Result, VectorFile } from "./harness.ts";
import { Tally } from "./harness.ts";

interface Probe {
  ok: boolean;
  error?: string;
  seconds?: number;
}

interface Step {
  what: string;
  of: number;
  status: { errors: string[] | null; leaderKnown: boolean };
  [probe: string]: unknown;
}

interface Recording {
  members: number;
  bootToLeaderSeconds: number;
  steps: Step[];
  leaderKilled: { firstWriteSeconds: number }[];
  leaderStoppedWithTERM: { firstWriteSeconds: number }[];
  openWatchAfterQuorumLoss: { requireLeader: { closed: boolean } };
  writeWorksAfterOneMemberIsBackSeconds: number;
}

/** The recorder's client gave a request eight seconds, a probe write 100 ms. */
const CLIENT_TIMEOUT_MS = 8000;
const PROBE_TIMEOUT_MS = 100;

export async function replay(file: VectorFile): Promise<Result> {
  const tally = new Tally();
  for (const [name, value] of Object.entries(file.json)) {
    const recording = value as Recording;
    if (!Array.isArray(recording?.steps)) continue;
    await replaySteps(tally, name, recording);
    await replayLeaderChanges(tally, name, recording);
  }
  return tally.result();
}

async function booted(members: number, seed: string): Promise<[Kernel, RaftCluster]> {
  const kernel = new Kernel({ trace: "off", seed });
  const cluster = new RaftCluster({ kernel, members });
  await kernel.run({ stopWhen: () => cluster.leader !== undefined, maxSteps: 1e6 });
  await kernel.run({ untilMs: kernel.now() + 1000 });
  return [kernel, cluster];
}

async function replaySteps(tally: Tally, name: string, recording: Recording): Promise<void> {
  const [kernel, cluster] = await booted(recording.members, name);
  const leader = cluster.leader!;
  const followers = cluster.members.filter((member) => member !== leader);
  let closed = false;
  cluster
    .client(leader.id)
    .watch({ key: "w", prefix: true, requireLeader: true }, ({ canceled }) => {
      closed ||= canceled === true;
    });
  for (const step of recording.steps) {
    const killed = Number(/^(\d+) follower/.exec(step.what)?.[1] ?? 0);
    for (const member of followers.slice(0, killed)) kernel.faults.stop(member.id);
    await kernel.run({ untilMs: kernel.now() + 3000 });
    const client = cluster.client(leader.id, CLIENT_TIMEOUT_MS);
    for (const [probe, run] of Object.entries(probes(client))) {
      const expected = step[probe] as Probe | undefined;
      if (!expected) continue;
      const got = await outcome(kernel, run);
      const label = `${name}: ${step.what}: ${probe}`;
      tally.same(label, () => got, { ok: expected.ok, error: expected.error });
    }
    const { leaderKnown, errors } = client.status();
    tally.same(`${name}: ${step.what}: status`, () => ({ leaderKnown, errors }), {
      leaderKnown: step.status.leaderKnown,
      errors: step.status.errors ?? [],
    });
  }
  const { requireLeader } = recording.openWatchAfterQuorumLoss;
  tally.same(`${name}: open watch`, () => closed, requireLeader.closed);
  const began = kernel.now();
  kernel.faults.start(followers[0]!.id);
  const seconds = await firstWrite(kernel, cluster, leader.id, began);
  const recorded = recording.writeWorksAfterOneMemberIsBackSeconds;
  tally.same(`${name}: one member is back`, () => similar(seconds, recorded), true);
}

function probes(client: MemberClient): Record<string, () => unknown> {
  const put = { put: { key: "cas", value: "2" } };
  return {
    write: () => client.put({ key: "k", value: "v" }),
    linearizableRead: () => client.range({ key: "k" }),
    serializableRead: () => client.range({ key: "k", serializable: true }),
    compareAndSwap: () =>
      // biome-ignore lint/suspicious/noThenProperty: it is the request's field.
      client.txn({ compare: [], then: [put], else: [] }),
    leaseGrant: () => client.leaseGrant(60),
    memberList: () => client.memberList(),
    watchCreate: () => opened(client, false),
    watchCreateRequireLeader: () => opened(client, true),
  };
}

function opened(client: MemberClient, requireLeader: boolean): void {
  let refused: EtcdError | undefined;
  const watch = client.watch({ key: "k", requireLeader }, ({ error }) => {
    refused = error;
  });
  watch.cancel();
  if (refused) throw refused;
}

async function outcome(kernel: Kernel, run: () => unknown): Promise<Probe> {
  let result: Probe | undefined;
  const fail = (error: unknown) => {
    result = { ok: false, error: (error as Error).message };
  };
  try {
    const value = run();
    if (!(value instanceof Promise)) return { ok: true, error: undefined };
    value.then(() => {
      result = { ok: true, error: undefined };
    }, fail);
  } catch (error) {
    fail(error);
  }
  await kernel.run({ stopWhen: () => result !== undefined, untilMs: kernel.now() + 60_000 });
  return result ?? { ok: false, error: "no answer" };
}

/** Seconds until a write through that member works, tried again and again. */
async function firstWrite(kernel: Kernel, cluster: RaftCluster, id: string, sinceMs: number) {
  const client = cluster.client(id, PROBE_TIMEOUT_MS);
  for (let i = 0; i < 200; i++) {
    const { ok } = await outcome(kernel, () => client.put({ key: "p", value: "1" }));
    if (ok) return (kernel.now() - sinceMs) / 1000;
  }
  return Number.POSITIVE_INFINITY;
}

async function replayLeaderChanges(tally: Tally, name: string, recording: Recording) {
  for (const [i, { firstWriteSeconds }] of recording.leaderKilled.entries()) {
    const seconds = await leaderChange(recording.members, `${name}/${i}`, false);
    const label = `${name}: leader killed, run ${i}`;
    tally.same(label, () => similar(seconds, firstWriteSeconds), true);
  }
  for (const [i, { firstWriteSeconds }] of recording.leaderStoppedWithTERM.entries()) {
    const seconds = await leaderChange(recording.members, `${name}/term/${i}`, true);
    const label = `${name}: leader stopped, run ${i}`;
    tally.same(label, () => similar(seconds, firstWriteSeconds), true);
  }
}

async function leaderChange(members: number, seed: string, graceful: boolean): Promise<number> {
  const [kernel, cluster] = await booted(members, seed);
  const leader = cluster.leader!;
  const other = cluster.members.find((member) => member !== leader)!;
  const began = kernel.now();
  if (graceful) leader.stop(true);
  else kernel.faults.stop(leader.id);
  return firstWrite(kernel, cluster, other.id, began);
}

/** The same order of magnitude, which for a few ms is a tenth of a second. */
function similar(seconds: number, recorded: number): boolean {
  const [low, high] = [Math.min(seconds, recorded), Math.max(seconds, recorded)];
  return high < 0.15 || high / low < 4;
}

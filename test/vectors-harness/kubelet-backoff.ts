/** Replays kubelet-backoff.json: restarts of a crashing container, pulls that fail. */
import type { Pod } from "../../sim/src/api/kinds/pod.ts";
import type { Result, VectorFile } from "./harness.ts";
import { casesOf, Tally } from "./harness.ts";
import { containerOf, FakeNode } from "./kubelet-fake.ts";

interface Case {
  runsFor: number;
  starts: { start: number; t: number; afterExit: number }[];
}

export async function replay(file: VectorFile): Promise<Result> {
  const tally = new Tally();
  for (const c of casesOf<Case>(file)) {
    const starts = await startsWhenCrashing(c.runsFor, c.starts.length);
    tally.same(`runs for ${c.runsFor} s`, () => starts, c.starts);
  }
  const tries = casesOf<number>(file, "imagePullTries");
  if (tries.length > 0) {
    const times = await pullTries(tries.length);
    for (const [i, t] of tries.entries()) tally.same(`pull ${i}`, () => times[i], t);
  }
  return tally.result();
}

/** A sync every second, as in the recording. */
async function startsWhenCrashing(runsFor: number, count: number): Promise<Case["starts"]> {
  const node = new FakeNode();
  node.tracing = false;
  node.runsFor = runsFor;
  const pod = podOf();
  const starts: number[] = [];
  while (starts.length < count) {
    await node.sync(pod);
    starts.splice(0, starts.length, ...node.startsOf("app"));
    await node.sleep(1);
  }
  return starts.slice(0, count).map((t, start) => {
    const before = starts[start - 1];
    return { start, t, afterExit: before === undefined ? 0 : t - before - runsFor };
  });
}

async function pullTries(count: number): Promise<number[]> {
  const node = new FakeNode();
  node.pullFails = Number.POSITIVE_INFINITY;
  const pod = podOf();
  const times = () =>
    node.rows.filter((row) => row.call === "PullImage").map((row) => row.t as number);
  while (times().length < count) {
    await node.sync(pod);
    await node.sleep(1);
  }
  return times();
}

function podOf(): Pod {
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: "web", namespace: "shop", uid: "u1" },
    spec: { restartPolicy: "Always", containers: [containerOf("app")] },
  };
}

/** Replays kubelet-traces.json: CRI calls and Events of SyncPod and KillPod. */
import type { Container, Pod, Probe } from "../../sim/src/api/kinds/pod.ts";
import type { ProbeResult } from "../../sim/src/kubelet/runtime/actions.ts";
import type { Result, VectorFile } from "./harness.ts";
import { casesOf, Tally } from "./harness.ts";
import { containerOf, FakeNode, type Row } from "./kubelet-fake.ts";

interface Input {
  sync?: string;
  sleep?: number;
  exit?: string;
  exitCode?: number;
  probeResult?: string;
  container?: string;
  value?: ProbeResult;
  sandboxes?: string;
  stopTakes?: Record<string, number | "never">;
  preStopTakes?: number;
  pullFails?: number;
  kill?: string;
  graceOverride?: number | null;
  clock?: number;
  reach?: string;
}

interface Case {
  case: string;
  pod: {
    containers: string[];
    initContainers: string[] | null;
    grace: number;
    restartPolicy: string;
  };
  inputs: Input[];
  trace: Row[];
}

export async function replay(file: VectorFile): Promise<Result> {
  const tally = new Tally();
  for (const c of casesOf<Case>(file)) {
    try {
      const rows = await run(c);
      tally.same(c.case, () => sorted(rows), sorted(c.trace));
    } catch (error) {
      tally.miss(c.case, c.trace, error instanceof Error ? error.stack : error);
    }
  }
  return tally.result();
}

async function run(c: Case): Promise<Row[]> {
  const node = new FakeNode();
  const pod = podOf(c);
  for (const input of c.inputs) await give(node, pod, input);
  return node.rows;
}

async function give(node: FakeNode, pod: Pod, input: Input): Promise<void> {
  if (input.reach !== undefined) await reachRunning(node, pod);
  if (input.clock !== undefined) node.resetClock();
  if (input.sleep !== undefined) await node.sleep(input.sleep);
  if (input.stopTakes) node.stopTakes = input.stopTakes;
  if (input.preStopTakes !== undefined) node.preStopTakes = input.preStopTakes;
  if (input.pullFails !== undefined) node.pullFails = input.pullFails;
  if (input.sandboxes) {
    node.setSandboxes(input.sandboxes === "not ready" ? "SANDBOX_NOTREADY" : "SANDBOX_READY");
  }
  if (input.exit) node.exit(input.exit, input.exitCode ?? 0);
  if (input.probeResult) node.setProbe(input.probeResult, input.container ?? "", input.value!);
  if (input.sync !== undefined) {
    node.row({ sync: input.sync });
    await node.sync(pod);
  }
  if (input.kill) await node.kill(pod, input.graceOverride ?? null);
}

/** Init containers done, all others running; nothing of it is written down. */
async function reachRunning(node: FakeNode, pod: Pod): Promise<void> {
  node.tracing = false;
  for (const container of pod.spec.initContainers ?? []) {
    await node.sync(pod);
    if (container.restartPolicy !== "Always") node.exit(container.name, 0);
    if (container.startupProbe) node.setProbe("startup", container.name, "Success");
  }
  await node.sync(pod);
  node.tracing = true;
  node.resetClock();
}

/** A container has the probes whose results are put in. */
function podOf({ case: name, pod, inputs }: Case): Pod {
  const grace = /probe-level grace period (\d+)/.exec(name)?.[1];
  const probe: Probe = {
    exec: { command: ["check"] },
    ...(grace ? { terminationGracePeriodSeconds: Number(grace) } : {}),
  };
  const make = (text: string): Container => {
    const container = containerOf(text);
    const has = (kind: string) =>
      inputs.some((input) => input.probeResult === kind && input.container === container.name);
    return {
      ...container,
      ...(has("liveness") ? { livenessProbe: probe } : {}),
      ...(has("startup") ? { startupProbe: probe } : {}),
    };
  };
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: "web", namespace: "shop", uid: "u1" },
    spec: {
      restartPolicy: pod.restartPolicy,
      terminationGracePeriodSeconds: pod.grace,
      initContainers: pod.initContainers?.map(make),
      containers: pod.containers.map(make),
    },
  };
}

/** Containers that are killed together come in no order: rows of a kill are sorted. */
function sorted(rows: readonly Row[]): Row[] {
  const out: Row[] = [];
  let group: Row[] = [];
  const flush = () => {
    out.push(...group.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1)));
    group = [];
  };
  for (const row of rows) {
    if (isOfKill(row)) group.push(row);
    else {
      flush();
      out.push(row);
    }
  }
  flush();
  return out;
}

function isOfKill({ event, call, exited }: Row): boolean {
  return (
    event === "Killing" || call === "StopContainer" || call === "ExecSync" || exited !== undefined
  );
}

function keyOf(row: Row): string {
  const fields = Object.entries(row).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `${String(row.t).padStart(6, "0")} ${JSON.stringify(fields)}`;
}

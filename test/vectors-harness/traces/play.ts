/** Plays the scenarios of a file in the order of the recorded session. */
import { TraceCluster } from "./cluster.ts";
import type { Input, Row, Scenario, SilenceInput, TraceFile } from "./format.ts";
import { Recorder, until } from "./send.ts";

/** What was seen in each scenario; `t` counts from the scenario's start. */
export type Played = Map<string, Row[]>;

/** When the Nodes are there: they are made one after another. */
const NODES_MS = 1_000;

export async function playAll(file: TraceFile): Promise<Played> {
  const starts = plan(file);
  const cluster = new TraceCluster(file, epochOf(file, starts));
  await cluster.begin();
  const played: Played = new Map();
  const names = new Map<string, string[]>();
  for (const name of file.order) {
    const scenario = file.scenarios[name]!;
    const start = starts.get(name)!;
    const records = await playOne(cluster, scenario, start, names);
    const end = start + scenario.until;
    const rows = cluster.rows
      .filter(({ t }) => t >= start && t <= end)
      .map((row) => ({ ...row, t: row.t - start }));
    played.set(name, [...rows, ...records]);
  }
  return played;
}

/** Start of each scenario in simulated ms. */
function plan({ order, scenarios, cluster }: TraceFile): Map<string, number> {
  const starts = new Map<string, number>();
  let end = NODES_MS + cluster.settleMs;
  for (const name of order) {
    const { startsAfterMs, inputs, until } = scenarios[name]!;
    const first = Math.min(0, ...inputs.map(({ atMs }) => atMs));
    const start = end + Math.max(startsAfterMs ?? 0, -first);
    starts.set(name, start);
    end = start + until;
  }
  return starts;
}

/** The moment of simulated 0, so that the clock is right where it matters. */
function epochOf({ order, scenarios }: TraceFile, starts: Map<string, number>): string {
  for (const name of order) {
    const clock = scenarios[name]?.clockAtStart;
    if (!clock) continue;
    const utc = typeof clock === "string" ? clock : clock.utc;
    return new Date(Date.parse(utc) - starts.get(name)!).toISOString();
  }
  return "2026-11-30T07:00:00Z";
}

async function playOne(
  cluster: TraceCluster,
  scenario: Scenario,
  start: number,
  names: Map<string, string[]>,
): Promise<Row[]> {
  const recorder = new Recorder(cluster, start, names);
  for (const input of scenario.inputs) {
    if (isSilence(input)) await fallSilent(cluster, input, start);
    else await recorder.send(input, start + input.atMs);
  }
  await recorder.waitUntil(start + scenario.until);
  const records = [...recorder.records];
  recorder.giveUp();
  for (const input of scenario.cleanup ?? []) {
    if (isSilence(input)) await fallSilent(cluster, { ...input, atMs: scenario.until }, start);
    else await recorder.send(input, 0);
  }
  return records;
}

function isSilence(input: Input): input is SilenceInput {
  return !("method" in input);
}

/** The last beat comes when it was recorded; then nothing more. */
async function fallSilent(
  cluster: TraceCluster,
  { atMs, node, heartbeats, kubelet, lastHeartbeatAtMs }: SilenceInput,
  start: number,
): Promise<void> {
  await until(cluster, start + (lastHeartbeatAtMs ?? atMs));
  if (heartbeats) cluster.kubelet.silent.delete(node);
  else if (heartbeats === false) {
    if (lastHeartbeatAtMs !== undefined) cluster.kubelet.beat();
    await until(cluster, cluster.kernel.now() + 1);
    cluster.kubelet.silent.add(node);
  }
  await until(cluster, start + atMs);
  if (kubelet === false) cluster.kubelet.deaf.add(node);
  else if (kubelet) cluster.kubelet.deaf.delete(node);
}

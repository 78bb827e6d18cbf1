/** Plays the scenarios of a file in the order of the recorded session. */
import { TraceCluster } from "./cluster.ts";
import type { HttpInput, Input, Row, Scenario, SilenceInput, TraceFile } from "./format.ts";
import { at } from "./rows.ts";

/** What was seen in each scenario; `t` counts from the scenario's start. */
export type Played = Map<string, Row[]>;

/** When the Nodes are there: they are made one after another. */
const NODES_MS = 1_000;
/** The recorder sent the next request when the one before was answered. */
const ANSWER_MS = 10;

export async function playAll(file: TraceFile): Promise<Played> {
  const starts = plan(file);
  const cluster = new TraceCluster(file, epochOf(file, starts));
  await cluster.begin();
  const played: Played = new Map();
  for (const name of file.order) {
    const scenario = file.scenarios[name]!;
    const start = starts.get(name)!;
    const records = await playOne(cluster, scenario, start);
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

async function playOne(cluster: TraceCluster, scenario: Scenario, start: number): Promise<Row[]> {
  const records: Row[] = [];
  const names = new Map<string, string[]>();
  for (const input of scenario.inputs) {
    if (isSilence(input)) await fallSilent(cluster, input, start);
    else {
      await until(cluster, start + input.atMs);
      await send(cluster, input, names, records, start);
      await until(cluster, cluster.kernel.now() + ANSWER_MS);
    }
  }
  await until(cluster, start + scenario.until);
  for (const input of scenario.cleanup ?? []) {
    if (!isSilence(input)) await send(cluster, input, names, [], start);
  }
  return records;
}

function isSilence(input: Input): input is SilenceInput {
  return "heartbeats" in input;
}

async function until(cluster: TraceCluster, ms: number): Promise<void> {
  if (ms > cluster.kernel.now()) await cluster.kernel.run({ untilMs: ms });
}

/** The last beat comes when it was recorded; then nothing more. */
async function fallSilent(
  cluster: TraceCluster,
  { atMs, node, heartbeats, kubelet, lastHeartbeatAtMs }: SilenceInput,
  start: number,
): Promise<void> {
  await until(cluster, start + (lastHeartbeatAtMs ?? atMs));
  if (heartbeats) cluster.kubelet.silent.delete(node);
  else {
    if (lastHeartbeatAtMs !== undefined) cluster.kubelet.beat();
    await until(cluster, cluster.kernel.now() + 1);
    cluster.kubelet.silent.add(node);
  }
  await until(cluster, start + atMs);
  if (kubelet === false) cluster.kubelet.deaf.add(node);
  else if (kubelet) cluster.kubelet.deaf.delete(node);
}

/** Fills in bound names and sends; once for each, if they are several. */
async function send(
  cluster: TraceCluster,
  input: HttpInput,
  names: Map<string, string[]>,
  records: Row[],
  start: number,
): Promise<void> {
  const used = [...names.keys()].find((name) => needs(input, name, names));
  const values = used ? names.get(used)! : [""];
  for (const value of values) {
    const filled = used ? fill(input, used, value) : input;
    const others = [...names].filter(([name]) => name !== used);
    const whole = others.reduce((now, [name, [first = ""]]) => fill(now, name, first), filled);
    const { code, body } = await sendWithRetry(cluster, whole);
    bind(input, body, names);
    if (input.record !== "client") continue;
    const t = cluster.kernel.now() - start;
    const message = code < 400 ? undefined : at(body, "message");
    const causes = at(body, "details.causes");
    records.push({ t, client: "answer", pod: value, code, message, causes });
  }
}

function needs(input: HttpInput, name: string, names: Map<string, string[]>): boolean {
  const text = JSON.stringify([input.path, input.body]);
  return text.includes(`{${name}}`) && !!input.forEach && names.get(name) !== undefined;
}

function fill(input: HttpInput, name: string, value: string): HttpInput {
  const text = JSON.stringify([input.path, input.body ?? null]).replaceAll(`{${name}}`, value);
  const [path, body] = JSON.parse(text) as [string, unknown];
  return { ...input, path, body: body ?? undefined };
}

async function sendWithRetry(cluster: TraceCluster, input: HttpInput) {
  const { onCode, everyMs = 0, maxTries = 1 } = input.retry ?? {};
  for (let tries = 1; ; tries++) {
    const answer = await cluster.send(input);
    if (answer.code !== onCode || tries >= maxTries) return answer;
    await until(cluster, cluster.kernel.now() + everyMs);
  }
}

function bind(input: HttpInput, body: unknown, names: Map<string, string[]>): void {
  for (const [name, path] of Object.entries(input.bind ?? {})) {
    names.set(name, [String(at(body, path))]);
  }
  for (const [name, path] of Object.entries(input.bindEach ?? {})) {
    const { where } = input;
    const items = (at(body, "items") ?? []) as unknown[];
    const kept = items.filter((item) => !where || at(item, where.path) !== where.not);
    const inItem = path.replace(/^items\.(\*|\d+)?\.?/, "");
    names.set(
      name,
      kept.map((item) => String(at(item, inItem))),
    );
  }
}

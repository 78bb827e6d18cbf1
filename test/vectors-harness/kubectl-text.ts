/**
 * kubectl-text: commands of one session, and what kubectl printed, in order.
 * The recorded cluster is made of the simulator's parts and the stand-in
 * kubelet of the controller traces.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { KubeObject } from "../../sim/src/api/types.ts";
import { runKubectl } from "../../sim/src/kubectl/kubectl.ts";
import { type Result, Tally, type VectorFile } from "./harness.ts";
import { type Mask, matches, type Step } from "./kubectl-text/compare.ts";
import { TraceCluster } from "./traces/cluster.ts";
import type { TraceFile } from "./traces/format.ts";
import { at } from "./traces/rows.ts";

interface SessionFile {
  readonly cluster: TraceFile["cluster"] & {
    readonly nodesNote?: string;
    readonly objects?: readonly KubeObject[];
  };
  readonly files: Readonly<Record<string, string>>;
  readonly steps: readonly Step[];
  readonly masks: readonly Mask[];
}

/** A command that ends at all ends within so long. */
const COMMAND_MS = 600_000;
/** Between two commands: the recorder started the next one at once. */
const BETWEEN_MS = 50;

export async function replay(file: VectorFile): Promise<Result> {
  const session = file.json as unknown as SessionFile;
  const cluster = await begin(session);
  const tally = new Tally();
  const bound = new Map<string, string>();
  for (const step of session.steps) {
    await pass(cluster, step.waitBeforeMs ?? BETWEEN_MS);
    await bind(cluster, step, bound);
    const path = join(file.dir, step.file);
    const expected = existsSync(path) ? readFileSync(path, "utf8") : "";
    const actual = await play(cluster, session, step, bound);
    if (matches(step, actual, expected, session.masks)) tally.pass();
    else tally.miss(step.file, expected, actual);
  }
  return tally.result();
}

/** Nodes are made as long before the first command as the recording says. */
async function begin({ cluster: recorded }: SessionFile): Promise<TraceCluster> {
  const watched = { pods: "/api/v1/pods" };
  const file = { cluster: recorded, watched, order: [], scenarios: {} };
  const cluster = new TraceCluster(file, "2026-11-30T07:00:00Z");
  await cluster.begin();
  await makeObjects(cluster, recorded.objects ?? []);
  await pass(cluster, recorded.settleMs);
  const note = recorded.nodesNote ?? "";
  // As new objects under the same names, their first Events are not theirs.
  if (note.includes("deleted just before")) await makeNodesAgain(cluster, recorded.nodes);
  await pass(cluster, 1_000 * Number(/(\d+) s before/.exec(note)?.[1] ?? 0));
  return cluster;
}

async function pass(cluster: TraceCluster, ms: number): Promise<void> {
  await cluster.kernel.run({ untilMs: cluster.kernel.now() + ms });
}

async function makeObjects(cluster: TraceCluster, objects: readonly KubeObject[]): Promise<void> {
  for (const object of objects) {
    const { apiVersion, kind: kindName, metadata } = object;
    const kind = cluster.kinds.kindOf(apiVersion, kindName);
    if (!kind) throw new Error(`the recorded cluster has a ${kindName}`);
    const root = kind.group ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
    const inside = metadata.namespace ? `/namespaces/${metadata.namespace}` : "";
    const path = `${root}${inside}/${kind.resource}`;
    await post(cluster, path, object);
  }
}

async function post(cluster: TraceCluster, path: string, body: unknown): Promise<void> {
  const contentType = "application/json";
  await cluster.send({ atMs: 0, method: "POST", path, contentType, body });
}

async function makeNodesAgain(cluster: TraceCluster, nodes: readonly KubeObject[]): Promise<void> {
  for (const node of nodes) {
    const { name } = node.metadata;
    const path = "/api/v1/nodes";
    await cluster.send({ atMs: 0, method: "DELETE", path: `${path}/${name}` });
    await post(cluster, path, node);
    cluster.kernel.spawn("fake-kubelet", () => cluster.kubelet.beatOf(name).catch(() => {}));
    await pass(cluster, 20);
  }
}

async function bind(cluster: TraceCluster, step: Step, bound: Map<string, string>): Promise<void> {
  for (const [name, { method, path, value }] of Object.entries(step.bind ?? {})) {
    const { body } = await cluster.send({ atMs: 0, method, path });
    bound.set(name, String(at(body, value)));
  }
}

/** The command, what it printed, and its exit code, as the recorder wrote it. */
async function play(
  cluster: TraceCluster,
  session: SessionFile,
  step: Step,
  bound: ReadonlyMap<string, string>,
): Promise<string> {
  const argv = step.argv.map((word) => {
    return word.replace(/\{(\w+)\}/g, (all, name: string) => bound.get(name) ?? all);
  });
  const { kernel, kinds } = cluster;
  const files: Record<string, string> = { "-": step.stdin ?? "" };
  for (const name of step.files) files[name] = session.files[name] ?? "";
  const lines: string[] = [];
  const print = (text: string) => lines.push(text);
  let exit: number | undefined;
  const client = cluster.client("kubectl");
  kernel.spawn("kubectl", async () => {
    const env = { kernel, client, kinds, files, out: print, err: print };
    exit = await runKubectl(argv.slice(1), env);
  });
  const untilMs = kernel.now() + COMMAND_MS;
  await kernel.run({ untilMs, stopWhen: () => exit !== undefined });
  return [`$ ${argv.join(" ")}`, ...lines, `[exit ${exit}]`, ""].join("\n");
}

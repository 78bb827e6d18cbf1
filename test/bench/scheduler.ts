/**
 * The scheduler alone at 5,000 Nodes: Pods a second through queue, filter,
 * score, assume and binding, against an API server that answers at once.
 *
 * Upstream's own gate for the same is 680 to 810 Pods a second.
 *
 *     npx node test/bench/scheduler.ts [--nodes 5000] [--pods 20000]
 */
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import type { Node } from "../../sim/src/api/kinds/node.ts";
import type { Pod } from "../../sim/src/api/kinds/pod.ts";
import { Client } from "../../sim/src/client/client.ts";
import { EventRecorder } from "../../sim/src/client/events.ts";
import { Kernel } from "../../sim/src/kernel/index.ts";
import { Core } from "../../sim/src/scheduler/core.ts";
import { noListers } from "../../sim/src/scheduler/listers.ts";
import { defaultProfile } from "../../sim/src/scheduler/profile.ts";
import { atLeast, type Measure, median } from "./bench.ts";

/** Writes nothing: Events are the API server's work. */
class SilentRecorder extends EventRecorder {
  override event(): void {}
}

/** Kinds of Pods that are measured. */
export const workloads = {
  /** Requests alone. */
  basic: (i: number) => podOf(i),
  /** Of a ReplicaSet: spread softly over hosts and zones. */
  replicaSet: (i: number): Pod => {
    const pod = podOf(i);
    const owner = { apiVersion: "apps/v1", kind: "ReplicaSet", name: "web", uid: "rs" };
    const ownerReferences = [{ ...owner, controller: true }];
    return { ...pod, metadata: { ...pod.metadata, ownerReferences } };
  },
} as const;

const selector = { matchLabels: { app: "web" } };

/** Pods a second. */
export async function schedulerRate(
  nodeCount: number,
  podCount: number,
  podAt: (i: number) => Pod = workloads.basic,
): Promise<number> {
  const kernel = new Kernel({ trace: "off" });
  const actor = "kube-scheduler";
  const client = instantClient(kernel);
  const core = new Core({
    ...{ kernel, actor, client },
    random: kernel.random.fork(actor),
    events: new SilentRecorder({ kernel, client, actor, component: "default-scheduler" }),
    listers: { ...noListers, workloadSelector: () => selector },
    profiles: [defaultProfile],
  });
  for (let i = 0; i < nodeCount; i++) core.cache.setNode(nodeOf(i));
  const pods = Array.from({ length: podCount }, (_, i) => podAt(i));
  const started = performance.now();
  for (const pod of pods) core.queue.add(pod);
  while (core.scheduleNext()) {
    if (core.queue.sizes.active % 100 === 0) await kernel.run();
  }
  await kernel.run();
  const seconds = (performance.now() - started) / 1000;
  const placed = core.cache.nodes.reduce((sum, node) => sum + node.pods.length, 0);
  if (placed !== podCount) throw new Error(`${placed} of ${podCount} Pods were placed`);
  return podCount / seconds;
}

/** Median of three runs, after one that warms up the compiler. */
export async function measure(): Promise<Measure[]> {
  const rates: number[] = [];
  await schedulerRate(5000, 10_000);
  for (let i = 0; i < 3; i++) rates.push(await schedulerRate(5000, 20_000));
  return [atLeast("scheduler-5000-nodes", median(rates), "Pods/s", 10_000)];
}

function instantClient(kernel: Kernel): Client {
  const body = { apiVersion: "v1", kind: "Status", metadata: { name: "" } };
  const answer = { code: 201, body };
  const transport = {
    request: () =>
      kernel.wait<typeof answer>((resolve) => void kernel.after(0, () => resolve(answer))),
    watch: () => Promise.reject(new Error("nothing to watch")),
  };
  return new Client(transport, { userAgent: "kube-scheduler" });
}

function nodeOf(i: number): Node {
  const name = `node-${i}`;
  const allocatable = { cpu: "32", memory: "256Gi", pods: "110" };
  const labels = {
    "kubernetes.io/hostname": name,
    "topology.kubernetes.io/zone": `zone-${i % 3}`,
  };
  const status = { capacity: allocatable, allocatable };
  return { apiVersion: "v1", kind: "Node", metadata: { name, labels }, spec: {}, status };
}

function podOf(i: number): Pod {
  const name = `web-${i}`;
  const tolerations = ["not-ready", "unreachable"].map((key) => ({
    key: `node.kubernetes.io/${key}`,
    operator: "Exists",
    effect: "NoExecute",
    tolerationSeconds: 300,
  }));
  const requests = { cpu: "100m", memory: "128Mi" };
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name, namespace: "default", uid: name, labels: { app: "web" } },
    spec: {
      schedulerName: "default-scheduler",
      containers: [{ name: "c", image: "nginx:1.27", resources: { requests } }],
      tolerations,
    },
    status: { phase: "Pending" },
  };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const { values } = parseArgs({
    options: {
      nodes: { type: "string", default: "5000" },
      pods: { type: "string", default: "20000" },
    },
  });
  for (const [name, podAt] of Object.entries(workloads)) {
    const rate = await schedulerRate(Number(values.nodes), Number(values.pods), podAt);
    console.log(`scheduler ${name}: ${Math.round(rate)} Pods/s at ${values.nodes} nodes`);
  }
}

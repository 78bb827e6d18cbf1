/**
 * One node that starts with 110 Pods bound to it, as after a restart of its
 * machine: from the kubelet's start until all are Ready, trace on. What the
 * API server does for the node counts; making the Pods does not. The median
 * once the compiler is done, and apart from it the very first start.
 */
import { ADMIN, createSession, type KubeObject, summaryOf } from "@shikumi/sim";
import { atMost, type Measure, median } from "./bench.ts";

const PODS = 110;
const KUBELET = "kubelet/node-1";
const CORE = { group: "", version: "v1", namespaced: true };
const POD = { ...CORE, kind: "Pod", resource: "pods" };
const ACCOUNT = { ...CORE, kind: "ServiceAccount", resource: "serviceaccounts" };
/** The first 5,000 Pods also pay for the compiler. */
const WARM_UPS = 45;
const ROUNDS = 15;

export async function measure(): Promise<Measure[]> {
  const times: number[] = [];
  for (let i = 0; i < WARM_UPS + ROUNDS; i++) times.push(await startNode(i + 1));
  return [
    atMost("node-110-pods", median(times.slice(WARM_UPS)), "ms", 50),
    atMost("node-110-pods-first-run", times[0]!, "ms", 500),
  ];
}

/** Wall ms of one start. */
async function startNode(seed: number): Promise<number> {
  const without = ["kube-controller-manager", "kube-scheduler"];
  const scenario = { nodes: 1, without, quietMs: 0, untilMs: 3_600_000 };
  const session = createSession({ seed, trace: "full", scenario });
  const { cluster, kernel } = session;
  const ready = new Set<string>();
  cluster.onWrite(({ after }) => {
    if (after?.kind !== "Pod") return;
    if (summaryOf(after).ready) ready.add(after.metadata.uid ?? "");
  });
  // The node is known, and its kubelet does not run yet.
  await session.run({ untilMs: 1_000 });
  cluster.stop(KUBELET);
  let made = false;
  kernel.spawn("you", async () => {
    const client = cluster.client("you", ADMIN);
    await client.create(ACCOUNT, object("ServiceAccount", "default"));
    for (let i = 0; i < PODS; i++) await client.create(POD, pod(`web-${i}`));
    made = true;
  });
  await session.run({ stopWhen: () => made });
  const began = performance.now();
  cluster.startAgain(KUBELET);
  await session.run({ stopWhen: () => ready.size === PODS });
  if (ready.size < PODS) throw new Error(`Only ${ready.size} of ${PODS} Pods became Ready.`);
  return performance.now() - began;
}

function object(kind: string, name: string): KubeObject {
  return { apiVersion: "v1", kind, metadata: { name, namespace: "default" } };
}

function pod(name: string): KubeObject {
  const resources = { requests: { cpu: "10m", memory: "16Mi" } };
  const containers = [{ name: "c", image: "nginx:1.27", resources }];
  const spec = { nodeName: "node-1", containers };
  return { ...object("Pod", name), spec } as KubeObject;
}

/** Replays replicaset-deletion-order.json: which Pods go first. */
import type { Pod } from "../../sim/src/api/kinds/pod.ts";
import { inDeletionOrder } from "../../sim/src/controllers/shared/deletion-order.ts";
import { Kernel } from "../../sim/src/kernel/index.ts";
import type { Result, VectorFile } from "./harness.ts";
import { casesOf, nameOf, Tally } from "./harness.ts";

interface PodCase {
  name: string;
  node: string;
  phase: string;
  readySecondsAgo: number;
  restarts: number;
  ageSeconds: number;
  colocatedRank: number;
  deletionCost?: string;
}

interface Case {
  pods: PodCase[];
  deletionOrder: string[];
}

export function replay(file: VectorFile): Result {
  const tally = new Tally();
  const kernel = new Kernel();
  for (const [i, c] of casesOf<Case>(file).entries()) {
    const ranked = c.pods.map((p) => ({ pod: podOf(p, kernel), rank: p.colocatedRank }));
    const names = () => inDeletionOrder(ranked, kernel).map((pod) => pod.metadata.name);
    tally.same(nameOf(c, i), names, c.deletionOrder);
  }
  return tally.result();
}

function podOf(p: PodCase, kernel: Kernel): Pod {
  const ago = (seconds: number) => kernel.timestamp(kernel.now() - seconds * 1000);
  const ready = p.readySecondsAgo >= 0;
  const cost = p.deletionCost;
  const annotations = cost ? { "controller.kubernetes.io/pod-deletion-cost": cost } : undefined;
  const container = { name: "c", image: "x", imageID: "", ready, restartCount: p.restarts };
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: p.name, uid: p.name, creationTimestamp: ago(p.ageSeconds), annotations },
    spec: { containers: [], nodeName: p.node || undefined },
    status: {
      phase: p.phase,
      containerStatuses: [container],
      conditions: ready
        ? [{ type: "Ready", status: "True", lastTransitionTime: ago(p.readySecondsAgo) }]
        : [],
    },
  };
}

/** Replays pdb.json: how many disruptions a budget allows. */
import type { Pod } from "../../sim/src/api/kinds/pod.ts";
import type { PodDisruptionBudget } from "../../sim/src/api/kinds/poddisruptionbudget.ts";
import { evictionsOf, needsOf, statusOf } from "../../sim/src/controllers/disruption/budget.ts";
import { Kernel } from "../../sim/src/kernel/index.ts";
import type { Result, VectorFile } from "./harness.ts";
import { casesOf, nameOf, Tally } from "./harness.ts";

interface Case {
  pods: string;
  replicas: number;
  ownedByReplicaSet: boolean;
  minAvailable: string;
  maxUnavailable: string;
  expectedPods: number;
  currentHealthy: number;
  desiredHealthy: number;
  disruptionsAllowed: number;
  disruptedPods: number;
  condition: string;
}

export function replay(file: VectorFile): Result {
  const tally = new Tally();
  for (const [i, c] of casesOf<Case>(file).entries()) {
    const { expectedPods, currentHealthy, desiredHealthy, disruptionsAllowed } = c;
    const { disruptedPods, condition } = c;
    tally.same(nameOf(c, i), () => judge(c), {
      ...{ expectedPods, currentHealthy, desiredHealthy, disruptionsAllowed },
      ...{ disruptedPods, condition: condition.trim() },
    });
  }
  return tally.result();
}

function judge(c: Case) {
  const kernel = new Kernel();
  const evicted: Record<string, string> = {};
  const pods = [...c.pods].map((letter, i) => {
    const name = `web-${i}`;
    const seconds = { E: 10, O: 180 }[letter];
    if (seconds) evicted[name] = kernel.timestamp(-seconds * 1000);
    return podOf(letter, name, kernel);
  });
  const budget: PodDisruptionBudget = {
    apiVersion: "policy/v1",
    kind: "PodDisruptionBudget",
    metadata: { name: "keep", namespace: "shop", generation: 1 },
    spec: { minAvailable: limitOf(c.minAvailable), maxUnavailable: limitOf(c.maxUnavailable) },
    status: { disruptedPods: evicted },
  };
  const evictions = evictionsOf(budget, pods, kernel);
  const needs = needsOf(budget, pods, c.ownedByReplicaSet ? c.replicas : 0);
  const status = statusOf(budget, pods, needs, evictions);
  const allowed = (status.disruptionsAllowed ?? 0) > 0;
  return {
    expectedPods: status.expectedPods,
    currentHealthy: status.currentHealthy,
    desiredHealthy: status.desiredHealthy,
    disruptionsAllowed: status.disruptionsAllowed,
    disruptedPods: Object.keys(status.disruptedPods ?? {}).length,
    condition: `DisruptionAllowed=${allowed ? "True SufficientPods" : "False InsufficientPods"}`,
  };
}

function limitOf(text: string): number | string | undefined {
  if (text === "") return undefined;
  return text.endsWith("%") ? text : Number(text);
}

/** R ready, N not ready, E and O ready but evicted, T terminating. */
function podOf(letter: string, name: string, kernel: Kernel): Pod {
  const deletionTimestamp = letter === "T" ? kernel.timestamp() : undefined;
  const status = letter === "N" ? "False" : "True";
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name, namespace: "shop", deletionTimestamp },
    spec: { containers: [] },
    status: { phase: "Running", conditions: [{ type: "Ready", status }] },
  };
}

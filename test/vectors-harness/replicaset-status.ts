/** Replays replicaset-status.json: counts and the ReplicaFailure condition. */
import type { Pod } from "../../sim/src/api/kinds/pod.ts";
import { statusOf } from "../../sim/src/controllers/replicaset/status.ts";
import { count } from "../../sim/src/controllers/replicaset/tally.ts";
import { Kernel } from "../../sim/src/kernel/index.ts";
import { replicaSet } from "./deployments.ts";
import type { Result, VectorFile } from "./harness.ts";
import { casesOf, nameOf, Tally } from "./harness.ts";

interface Case {
  pods: string;
  replicas: number;
  minReadySeconds: number;
  terminating: number;
  manageError: string;
  hadReplicaFailure: boolean;
  status: { conditions: { lastTransitionTime?: string }[] | null };
}

export function replay(file: VectorFile): Result {
  const tally = new Tally();
  for (const [i, c] of casesOf<Case>(file).entries()) {
    tally.sameButEmpty(nameOf(c, i), () => status(c), c.status);
  }
  return tally.result();
}

function status(c: Case): unknown {
  const kernel = new Kernel();
  const rs = replicaSet("web", c.replicas, 0, 0);
  const old = { type: "ReplicaFailure", status: "True", reason: "FailedCreate", message: "old" };
  const owner = {
    ...rs,
    spec: { ...rs.spec, minReadySeconds: c.minReadySeconds },
    status: { replicas: 0, conditions: c.hadReplicaFailure ? [old] : [] },
  };
  const pods = [...c.pods].map((letter) => podOf(letter, kernel));
  const owned = { ...count(owner, pods), terminating: c.terminating };
  const failure = c.manageError ? new Error(c.manageError) : undefined;
  const { conditions, ...counts } = statusOf(owner, owned, failure, kernel);
  const untimed = conditions?.map(({ lastTransitionTime: _, ...condition }) => condition);
  return { ...counts, conditions: untimed };
}

/** R ready 60 s, Y ready 5 s, N not ready, L ready without the label. */
function podOf(letter: string, kernel: Kernel): Pod {
  const seconds = letter === "Y" ? 5 : 60;
  const lastTransitionTime = kernel.timestamp(-seconds * 1000);
  const ready = letter === "N" ? "False" : "True";
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: letter, labels: letter === "L" ? {} : { app: "web" } },
    spec: { containers: [] },
    status: {
      phase: "Running",
      conditions: [{ type: "Ready", status: ready, lastTransitionTime }],
    },
  };
}

/** Runs Deployments on a fresh cluster until all their Pods are Ready. */
import { createSession, summaryOf, type TraceLevel } from "@shikumi/sim";

export interface Workload {
  readonly nodes: number;
  readonly deployments: number;
  /** Pods of all Deployments together. */
  readonly pods: number;
  readonly trace: TraceLevel;
}

/** Before this moment, in simulated ms, the cluster starts. */
const APPLY_AT_MS = 1_000;

/** Wall seconds from the apply, on a cluster that runs, to the last Pod's Ready. */
export async function runDeployment({
  nodes,
  deployments,
  pods,
  trace,
}: Workload): Promise<number> {
  const each = Math.floor(pods / deployments);
  const yaml = Array.from({ length: deployments }, (_, i) => manifest(`web-${i}`, each)).join(
    "---\n",
  );
  const session = createSession({
    seed: 1,
    trace,
    scenario: { nodes, untilMs: 3_600_000, quietMs: 0 },
    inputs: [{ atMs: APPLY_AT_MS, do: "apply", yaml }],
  });
  const ready = new Set<string>();
  session.cluster.onWrite(({ after }) => {
    if (after?.kind !== "Pod") return;
    if (summaryOf(after).ready) ready.add(after.metadata.uid ?? "");
  });
  await session.run({ untilMs: APPLY_AT_MS - 1 });
  const began = performance.now();
  await session.run({ stopWhen: () => ready.size >= each * deployments });
  if (ready.size < each * deployments)
    throw new Error(`Only ${ready.size} of ${pods} Pods became Ready.`);
  return (performance.now() - began) / 1000;
}

function manifest(name: string, replicas: number): string {
  return `apiVersion: apps/v1
kind: Deployment
metadata: {name: ${name}}
spec:
  replicas: ${replicas}
  selector: {matchLabels: {app: ${name}}}
  template:
    metadata: {labels: {app: ${name}}}
    spec:
      containers:
        - {name: c, image: "nginx:1.27", resources: {requests: {cpu: 10m, memory: 16Mi}}}
`;
}

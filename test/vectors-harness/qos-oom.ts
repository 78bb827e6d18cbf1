/** Replays qos-oom.json: QoS class and oom_score_adj of every container. */
import type { Pod } from "../../sim/src/api/kinds/pod.ts";
import { allContainers } from "../../sim/src/kubelet/containers.ts";
import { computeQos, oomScoreAdj } from "../../sim/src/kubelet/qos.ts";
import type { Result, VectorFile } from "./harness.ts";
import { casesOf, Tally } from "./harness.ts";

interface Case {
  pod: { spec: Pod["spec"]; status?: Pod["status"]; metadata?: Partial<Pod["metadata"]> };
  nodeMemoryBytes: number;
  qosClass: string;
  oomScoreAdj: Record<string, number>;
}

export function replay(file: VectorFile): Result {
  const tally = new Tally();
  for (const [i, c] of casesOf<Case>(file).entries()) {
    const { qosClass, oomScoreAdj: scores } = c;
    tally.same(`#${i}`, () => run(c), { qosClass, oomScoreAdj: scores });
  }
  return tally.result();
}

function run({ pod: given, nodeMemoryBytes }: Case) {
  const metadata = { name: "p", namespace: "default", ...given.metadata };
  const pod: Pod = { apiVersion: "v1", kind: "Pod", ...given, metadata };
  const scores = allContainers(pod).map((container) => {
    return [container.name, oomScoreAdj(pod, container, nodeMemoryBytes)];
  });
  return { qosClass: computeQos(pod), oomScoreAdj: Object.fromEntries(scores) };
}

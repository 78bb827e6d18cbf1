/**
 * What Pods request of a resource: the 100 % of their utilization.
 * Models: pkg/controller/podautoscaler/replica_calculator.go
 *         (calculateRequests) @ v1.36
 */
import type { Pod } from "../../api/kinds/pod.ts";
import { bytes, milliCpu } from "../../api/quantity.ts";

/** Requests by Pod in thousandths; throws for a container without. */
export function requestsOf(
  pods: readonly Pod[],
  resource: string,
  only?: string,
): Map<string, number> {
  const requests = new Map<string, number>();
  for (const { metadata, spec } of pods) {
    let sum = 0;
    const sidecars = (spec.initContainers ?? []).filter(
      ({ restartPolicy }) => restartPolicy === "Always",
    );
    for (const { name, resources } of [...spec.containers, ...sidecars]) {
      if (only && name !== only) continue;
      const request = resources?.requests?.[resource];
      if (request === undefined) {
        throw new Error(
          `missing request for ${resource} in container ${name} of Pod ${metadata.name}`,
        );
      }
      sum += resource === "cpu" ? milliCpu(request) : bytes(request) * 1000;
    }
    requests.set(metadata.name, sum);
  }
  return requests;
}

/**
 * What Pods request of a resource: the 100 % of their utilization.
 * Models: pkg/controller/podautoscaler/replica_calculator.go
 *         (calculateRequests) @ v1.36
 */
import {
  podLevelRequests,
  podRequests,
} from "../../api/helpers/pod-requests.ts";
import type { Pod } from "../../api/kinds/pod.ts";
import { bytes, milliCpu } from "../../api/quantity.ts";
import { sidecarsOf } from "../shared/pods.ts";

/** Requests by Pod in thousandths; throws where none is set. */
export function requestsOf(
  pods: readonly Pod[],
  resource: string,
  only?: string,
): Map<string, number> {
  const requests = new Map<string, number>();
  for (const pod of pods) {
    const whole = !only && podLevelRequests(pod).size > 0;
    const sum = whole ? ofPod(pod, resource) : sumOf(pod, resource, only);
    requests.set(pod.metadata.name, sum);
  }
  return requests;
}

/** Set for the Pod as a whole. */
function ofPod(pod: Pod, resource: string): number {
  const amount = podRequests(pod).get(resource);
  if (amount === undefined) {
    const { name } = pod.metadata;
    throw new Error(`missing pod-level request for ${resource} in Pod ${name}`);
  }
  return resource === "cpu" ? amount : amount * 1000;
}

/** Of its containers and sidecars, or of one alone. */
function sumOf(pod: Pod, resource: string, only?: string) {
  const { metadata, spec } = pod;
  const containers = [...spec.containers, ...sidecarsOf(pod)].filter(
    ({ name }) => !only || name === only,
  );
  if (containers.length === 0 && only) {
    throw new Error(`container ${only} not found in Pod ${metadata.name}`);
  }
  let sum = 0;
  for (const { name, resources } of containers) {
    const request = resources?.requests?.[resource];
    if (request === undefined) {
      throw new Error(
        `missing request for ${resource} in container ${name} of Pod ${metadata.name}`,
      );
    }
    sum += resource === "cpu" ? milliCpu(request) : bytes(request) * 1000;
  }
  return sum;
}

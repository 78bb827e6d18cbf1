/**
 * SchedulingGates: a Pod with `schedulingGates` stays out of the queue until
 * the last of them is taken away.
 * Models: pkg/scheduler/framework/plugins/schedulinggates @ v1.36
 */
import { Action, clusterEvent } from "../cluster-events.ts";
import type { Plugin } from "../framework.ts";
import { status } from "../status.ts";

const name = "SchedulingGates";

export function schedulingGates(): Plugin {
  return {
    name,
    events: [
      {
        event: clusterEvent(
          "UnscheduledPod",
          Action.UpdatePodSchedulingGatesEliminated,
        ),
        hint: (pod, _, now) => now?.metadata.uid === pod.metadata.uid,
      },
    ],

    preEnqueue({ spec }) {
      const gates = (spec.schedulingGates ?? []).map((gate) => gate.name);
      if (gates.length === 0) return null;
      return status(
        name,
        "UnschedulableAndUnresolvable",
        `waiting for scheduling gates: [${gates.join(" ")}]`,
      );
    },
  };
}

/**
 * DefaultPreemption: a Pod that fits nowhere may push out Pods of lower
 * priority. It is nominated to that Node, the victims are deleted in a
 * process of its own, and the Pod comes back once they are gone.
 * Models:     pkg/scheduler/framework/plugins/defaultpreemption, framework/
 *             preemption/executor.go @ v1.36
 * Leaves out: Pod groups.
 */
import type { PodInfo } from "../cache/pod-info.ts";
import { Action, clusterEvent } from "../cluster-events.ts";
import type { Cycle } from "../cycle.ts";
import { Diagnosis } from "../cycle.ts";
import type { Plugin, PostFilterResult } from "../framework.ts";
import type { Handle } from "../handle.ts";
import {
  candidatesToFind,
  dryRun,
  type PreemptionTools,
  pickCandidate,
} from "../preemption.ts";
import { type Status, status } from "../status.ts";
import { evict } from "./evict-victims.ts";

const name = "DefaultPreemption";

const WAITING = status(
  name,
  "UnschedulableAndUnresolvable",
  "waiting for the preemption for this pod to be finished",
);
const NOT_HELPFUL = status(
  name,
  "UnschedulableAndUnresolvable",
  "Preemption is not helpful for scheduling",
);

export function defaultPreemption(handle: Handle): Plugin {
  /** Preemptors whose victims are being deleted; the last victim's key. */
  const running = new Map<string, string>();
  return {
    name,
    events: [
      {
        event: clusterEvent("AssignedPod", Action.Delete),
        // The plugins that refused the Pod decide, not this one.
        hint: () => false,
      },
    ],

    /** While victims are being deleted the Pod must not be tried. */
    preEnqueue({ metadata }) {
      const lastVictim = running.get(metadata.uid ?? "");
      if (lastVictim === undefined) return null;
      if (lastVictim === "") return WAITING;
      const victim = handle.listers.pod(lastVictim);
      return victim && !victim.metadata.deletionTimestamp ? WAITING : null;
    },

    postFilter(cycle) {
      const refusal = ineligible(cycle);
      if (refusal) return { status: refusal };
      const { candidates, refusals } = findCandidates(cycle, handle);
      const best = pickCandidate(candidates, toolsOf(handle));
      if (!best) return noCandidate(cycle, refusals);
      evict(best, cycle, handle, running);
      return { status: null, nominatedNode: best.node.name };
    },
  };
}

/** Priority `Never`, or victims of an earlier round are still going. */
function ineligible({ pod, snapshot, diagnosis }: Cycle): Status | null {
  if (pod.pod.spec.preemptionPolicy === "Never") {
    return refuse("not eligible due to preemptionPolicy=Never.");
  }
  const nominated = pod.pod.status?.nominatedNodeName;
  if (!nominated) return null;
  const { code } = diagnosis.of(nominated);
  if (code === "UnschedulableAndUnresolvable") return null;
  const going = snapshot
    .get(nominated)
    ?.pods.some((other) => other.priority < pod.priority && isVictim(other));
  return going
    ? refuse("not eligible due to a terminating pod on the nominated node.")
    : null;
}

function isVictim({ pod, terminating }: PodInfo): boolean {
  const { conditions = [] } = pod.status ?? {};
  const found = conditions.find(({ type }) => type === "DisruptionTarget");
  return (
    terminating &&
    found?.status === "True" &&
    found.reason === "PreemptionByScheduler"
  );
}

function findCandidates(cycle: Cycle, handle: Handle) {
  const nodes = cycle.diagnosis.resolvable(cycle.snapshot);
  if (nodes.length === 0) return { candidates: [], refusals: new Map() };
  const offset = handle.random.int(nodes.length);
  const enough = candidatesToFind(nodes.length);
  return dryRun(cycle, nodes, offset, enough, toolsOf(handle));
}

function toolsOf({ kernel, listers, runFilters }: Handle): PreemptionTools {
  return {
    runFilters,
    budgets: [...listers.budgets()],
    startedAtMs(info) {
      const newest = listers.pod(info.key) ?? info.pod;
      const started = newest.status?.startTime;
      return started ? kernel.msOf(started) : kernel.now();
    },
  };
}

function noCandidate(
  { snapshot }: Cycle,
  refusals: ReadonlyMap<string, Status>,
): PostFilterResult {
  const diagnosis = new Diagnosis();
  diagnosis.absent = NOT_HELPFUL;
  for (const [node, why] of refusals) diagnosis.refuse(node, why);
  const message = diagnosis.message(snapshot.nodes.length);
  return { status: refuse(message), nominatedNode: "" };
}

function refuse(message: string): Status {
  return status(name, "Unschedulable", `preemption: ${message}`);
}

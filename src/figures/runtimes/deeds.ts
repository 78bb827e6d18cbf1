/**
 * One Pod's start on nodes with different runtimes, from the trace of a run:
 * for each call of the kubelet, what the runtime of each node did for it.
 */
import type { TraceEntry } from "@shikumi/sim";

export interface Deed {
  /** Since the first call on this node. */
  readonly afterMs: number;
  readonly text: string;
  /** Network plugins that were executed one after another. */
  readonly plugins?: readonly string[];
  /** It starts a process, or says that it does not. */
  readonly isProcess: boolean;
}

export interface Step {
  readonly call: string;
  /** By node, in the order of `nodes`. */
  readonly deeds: readonly (readonly Deed[])[];
}

/** The calls that make a Pod; all others only look. */
export const CALLS = ["RunPodSandbox", "PullImage", "CreateContainer", "StartContainer"] as const;

const PROCESS = /^(?:docker )?start\b|^no pause/;

export function stepsOf(entries: readonly TraceEntry[], nodes: readonly string[]): Step[] {
  const byNode = nodes.map((node) => callsOf(entries, node));
  return CALLS.map((call) => ({ call, deeds: byNode.map((calls) => calls.get(call) ?? []) }));
}

function callsOf(entries: readonly TraceEntry[], node: string): Map<string, Deed[]> {
  const calls = new Map<string, Deed[]>();
  let deeds: Deed[] | undefined;
  let beganMs = 0;
  for (const { actor, verb, subject, atMs } of entries) {
    if (!actor.endsWith(`/${node}`)) continue;
    if (verb === "cri") {
      const isNew = CALLS.some((call) => call === subject) && !calls.has(subject);
      if (!isNew) continue;
      if (calls.size === 0) beganMs = atMs;
      deeds = [];
      calls.set(subject, deeds);
    } else if (deeds && calls.size <= CALLS.length) {
      add(deeds, verb, subject, atMs - beganMs);
      if (subject.startsWith("start ") && calls.size === CALLS.length) break;
    }
  }
  return calls;
}

function add(deeds: Deed[], verb: string, subject: string, afterMs: number): void {
  if (verb === "cni") {
    const [command = "", plugin = ""] = subject.split(" ");
    const last = deeds.at(-1);
    if (last?.plugins) deeds[deeds.length - 1] = { ...last, plugins: [...last.plugins, plugin] };
    else deeds.push({ afterMs, text: `CNI ${command}`, plugins: [plugin], isProcess: false });
  } else if (verb === "container" || verb === "image") {
    deeds.push({ afterMs, text: subject, isProcess: PROCESS.test(subject) });
  }
}

/**
 * The conditions that the kubelet writes into a Pod's status.
 * Models: pkg/kubelet/status/generate.go @ v1.36
 */
import type {
  ContainerStatus,
  Pod,
  PodCondition,
} from "../../api/kinds/pod.ts";
import { flat } from "../../kernel/flat.ts";
import { isSidecar, sidecarsOf } from "../containers.ts";
import type { PodPhase } from "./phase.ts";

/** Those that are the kubelet's own; all others are left as they are. */
export const KUBELET_CONDITIONS: readonly string[] = [
  "PodResizePending",
  "PodResizeInProgress",
  "PodReadyToStartContainers",
  "Initialized",
  "Ready",
  "ContainersReady",
  "PodScheduled",
];

/** What the conditions are made of. */
export interface ConditionInput {
  readonly pod: Pod;
  readonly phase: PodPhase;
  /** Sandbox and network are there. */
  readonly sandboxReady: boolean;
  readonly initStatuses: readonly ContainerStatus[];
  readonly statuses: readonly ContainerStatus[];
  /** Of others: readiness gates and the like. */
  readonly others: readonly PodCondition[];
}

type Verdict = Pick<PodCondition, "status" | "reason" | "message">;

const TRUE: Verdict = { status: "True" };

/** In the order in which upstream lists them; without times. */
export function podConditions(input: ConditionInput): PodCondition[] {
  const containersReady = containersReadyOf(input);
  const ready =
    containersReady.status === "True" ? gatesOf(input) : containersReady;
  const sandbox = { status: input.sandboxReady ? "True" : "False" };
  return [
    { type: "PodReadyToStartContainers", ...sandbox },
    { type: "Initialized", ...initializedOf(input) },
    { type: "Ready", ...ready },
    { type: "ContainersReady", ...containersReady },
    { type: "PodScheduled", ...TRUE },
  ];
}

function initializedOf(input: ConditionInput): Verdict {
  const { pod, phase, initStatuses, statuses } = input;
  const unknown: string[] = [];
  const incomplete: string[] = [];
  for (const container of pod.spec.initContainers ?? []) {
    const status = initStatuses.find(({ name }) => name === container.name);
    if (!status) unknown.push(container.name);
    else if (isSidecar(container) ? !status.started : !status.ready) {
      incomplete.push(container.name);
    }
  }
  if (phase === "Succeeded" && unknown.length === 0) {
    return { status: "True", reason: "PodCompleted" };
  }
  // A main container that began is proof, whatever became of the others.
  const began = ({ state }: ContainerStatus) =>
    state?.running || state?.terminated;
  if (statuses.some(began)) return TRUE;
  const message = messageOf(unknown, incomplete, "incomplete");
  if (!message) return TRUE;
  return { status: "False", reason: "ContainersNotInitialized", message };
}

function containersReadyOf(input: ConditionInput): Verdict {
  const { pod, phase, initStatuses, statuses } = input;
  const unknown: string[] = [];
  const unready: string[] = [];
  const look = (name: string, among: readonly ContainerStatus[]) => {
    const status = among.find((each) => each.name === name);
    if (!status) unknown.push(name);
    else if (!status.ready) unready.push(name);
  };
  for (const { name } of sidecarsOf(pod)) look(name, initStatuses);
  for (const { name } of pod.spec.containers) look(name, statuses);
  if (phase === "Succeeded" && unknown.length === 0) {
    return { status: "False", reason: "PodCompleted" };
  }
  if (phase === "Failed") return { status: "False", reason: "PodFailed" };
  const message = messageOf(unknown, unready, "unready");
  if (!message) return TRUE;
  return { status: "False", reason: "ContainersNotReady", message };
}

function messageOf(
  unknown: readonly string[],
  bad: readonly string[],
  word: string,
): string {
  if (unknown.length === 0 && bad.length === 0) return "";
  const parts: string[] = [];
  if (unknown.length > 0) {
    parts.push(`containers with unknown status: [${unknown.join(" ")}]`);
  }
  if (bad.length > 0) {
    parts.push(`containers with ${word} status: [${bad.join(" ")}]`);
  }
  return flat(parts.join(", "));
}

/** Readiness gates: conditions that somebody else has to set. */
function gatesOf({ pod, others }: ConditionInput): Verdict {
  const messages: string[] = [];
  for (const { conditionType } of pod.spec.readinessGates ?? []) {
    const found = others.find(({ type }) => type === conditionType);
    const gate = `corresponding condition of pod readiness gate "${conditionType}"`;
    if (!found) messages.push(`${gate} does not exist.`);
    else if (found.status !== "True") {
      messages.push(
        `the status of pod readiness gate "${conditionType}" is not "True", but ${found.status}`,
      );
    }
  }
  if (messages.length === 0) return TRUE;
  const reason = "ReadinessGatesNotReady";
  return { status: "False", reason, message: messages.join(", ") };
}

/** Keeps the time of a condition whose status is the same as before. */
export function withTimes(
  conditions: readonly PodCondition[],
  before: readonly PodCondition[],
  now: string,
  generation: number | undefined,
): PodCondition[] {
  return conditions.map((condition) => {
    const old = before.find(({ type }) => type === condition.type);
    const same = old?.status === condition.status;
    const lastTransitionTime = (same && old.lastTransitionTime) || now;
    return generation
      ? { ...condition, observedGeneration: generation, lastTransitionTime }
      : { ...condition, lastTransitionTime };
  });
}

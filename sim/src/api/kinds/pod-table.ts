/**
 * A Pod's row: what STATUS and RESTARTS say.
 * Models: printPod in pkg/printers/internalversion/printers.go @ v1.36
 */
import {
  age,
  columns,
  type RowCondition,
  since,
  type TableRow,
} from "../table.ts";
import type { JsonObject, KubeObject } from "../types.ts";
import { at, list, num, obj, str } from "./access.ts";

export const podColumns = columns(
  "Name|Ready|Status|Restarts|Age|IP+|Node+|Nominated Node+|Readiness Gates+",
);

const succeeded = ended("Succeeded", "The pod has completed successfully.");
const failed = ended("Failed", "The pod failed.");

function ended(reason: string, message: string): readonly RowCondition[] {
  return Object.freeze([
    Object.freeze({ type: "Completed", status: "True", reason, message }),
  ]);
}

export function podRow(
  pod: KubeObject & { readonly [field: string]: unknown },
  now: number,
): TableRow {
  const seen = look(pod);
  const { count, last } = seen.own;
  const ago = count > 0 && last ? ` (${since(last, now)} ago)` : "";
  const cells = [
    pod.metadata.name,
    `${seen.ready}/${seen.total}`,
    seen.reason,
    `${count}${ago}`,
    age(pod, now),
    firstIp(pod) || "<none>",
    str(at(pod, "spec", "nodeName")) || "<none>",
    str(at(pod, "status", "nominatedNodeName")) || "<none>",
    gates(pod),
  ];
  const phase = at(pod, "status", "phase");
  const conditions =
    phase === "Succeeded" ? succeeded : phase === "Failed" ? failed : undefined;
  return conditions ? { cells, conditions } : { cells };
}

function firstIp(pod: unknown): string {
  return str(list(at(pod, "status", "podIPs"))[0]?.ip);
}

interface Seen {
  reason: string;
  ready: number;
  readonly total: number;
  readonly own: Restarts;
  /** What the sidecars before the first container that is not done did. */
  readonly sidecars: Restarts;
}

interface Restarts {
  count: number;
  last: string;
}

function look(pod: KubeObject & { readonly [field: string]: unknown }): Seen {
  const spec = obj(pod.spec);
  const status = obj(pod.status);
  const sidecars = new Set(
    list(spec.initContainers)
      .filter((container) => container.restartPolicy === "Always")
      .map((container) => container.name),
  );
  const seen: Seen = {
    reason: str(status.reason) || str(status.phase),
    ready: 0,
    total: list(spec.containers).length + sidecars.size,
    own: { count: 0, last: "" },
    sidecars: { count: 0, last: "" },
  };
  const gated = (c: JsonObject) =>
    c.type === "PodScheduled" && c.reason === "SchedulingGated";
  if (list(status.conditions).some(gated)) seen.reason = "SchedulingGated";
  const initializing = lookAtInit(seen, spec, status, sidecars);
  if (!initializing || conditionIs(status, "Initialized"))
    lookAtMain(seen, status);
  if (pod.metadata.deletionTimestamp) {
    if (status.reason === "NodeLost") seen.reason = "Unknown";
    else if (!/^(Succeeded|Failed)$/.test(str(status.phase)))
      seen.reason = "Terminating";
  }
  return seen;
}

/** Walks the init containers up to the first that is not done; tells if there is one. */
function lookAtInit(
  seen: Seen,
  spec: JsonObject,
  status: JsonObject,
  sidecars: ReadonlySet<unknown>,
): boolean {
  for (const [i, container] of list(status.initContainerStatuses).entries()) {
    countRestarts(seen.own, container);
    if (sidecars.has(container.name)) countRestarts(seen.sidecars, container);
    const terminated = at(container, "state", "terminated");
    if (terminated && !at(terminated, "exitCode")) continue;
    if (sidecars.has(container.name) && container.started) {
      if (container.ready) seen.ready++;
      continue;
    }
    const waiting = str(at(container, "state", "waiting", "reason"));
    if (terminated) seen.reason = `Init:${endedBecause(obj(terminated))}`;
    else if (waiting && waiting !== "PodInitializing")
      seen.reason = `Init:${waiting}`;
    else seen.reason = `Init:${i}/${list(spec.initContainers).length}`;
    return true;
  }
  return false;
}

function lookAtMain(seen: Seen, status: JsonObject): void {
  // What init containers did no longer counts, but for the sidecars.
  Object.assign(seen.own, seen.sidecars);
  let running = false;
  for (const container of list(status.containerStatuses).toReversed()) {
    countRestarts(seen.own, container);
    const waiting = str(at(container, "state", "waiting", "reason"));
    const terminated = at(container, "state", "terminated");
    if (waiting) seen.reason = waiting;
    else if (terminated) seen.reason = endedBecause(obj(terminated));
    else if (container.ready && at(container, "state", "running")) {
      running = true;
      seen.ready++;
    }
  }
  if (seen.reason === "Completed" && running) {
    seen.reason = conditionIs(status, "Ready") ? "Running" : "NotReady";
  }
}

function countRestarts(restarts: Restarts, container: JsonObject): void {
  restarts.count += num(container.restartCount);
  const finished = str(at(container, "lastState", "terminated", "finishedAt"));
  if (finished > restarts.last) restarts.last = finished;
}

function endedBecause(terminated: JsonObject): string {
  if (terminated.reason) return str(terminated.reason);
  if (terminated.signal) return `Signal:${num(terminated.signal)}`;
  return `ExitCode:${num(terminated.exitCode)}`;
}

function conditionIs(status: JsonObject, type: string): boolean {
  return list(status.conditions).some(
    (c) => c.type === type && c.status === "True",
  );
}

function gates(pod: unknown): string {
  const wanted = list(at(pod, "spec", "readinessGates"));
  if (wanted.length === 0) return "<none>";
  const status = obj(at(pod, "status"));
  const open = wanted.filter((gate) =>
    conditionIs(status, str(gate.conditionType)),
  );
  return `${open.length}/${wanted.length}`;
}

/**
 * Which of a workload's Pods has the log that tells most.
 * Models:     kubectl/pkg/util/podutils/podutils.go (ByLogging, ActivePods) @ v1.36
 */
import type { Pod } from "../../api/kinds/pod.ts";

/** On a Node, running, ready for long, often restarted, old: in this order. */
export function isBetterLog(a: Pod, b: Pod): boolean {
  return isBetter(a, b, true);
}

/** The same, but what was never restarted comes first. Source: ActivePods. */
export function isSteadier(a: Pod, b: Pod): boolean {
  return isBetter(a, b, false);
}

function isBetter(a: Pod, b: Pod, restartedFirst: boolean): boolean {
  const nodes = [a, b].map(({ spec }) => Boolean(spec.nodeName));
  if (nodes[0] !== nodes[1]) return nodes[0]!;
  const phases = rank(a) - rank(b);
  if (phases !== 0) return phases < 0;
  const [x, y] = [readySince(a), readySince(b)];
  if ((x === undefined) !== (y === undefined)) return x !== undefined;
  if (x !== undefined && y !== undefined && x !== y) return isEarlier(x, y);
  const [[main, side], [otherMain, otherSide]] = [restarts(a), restarts(b)];
  if (main !== otherMain) return main > otherMain === restartedFirst;
  if (side !== otherSide) return side > otherSide === restartedFirst;
  const made = [a, b].map(({ metadata }) => metadata.creationTimestamp ?? "");
  return made[0] !== made[1] && isEarlier(made[0]!, made[1]!);
}

/** No time at all comes last. */
function isEarlier(a: string, b: string): boolean {
  return b === "" || (a !== "" && a < b);
}

function rank({ status }: Pod): number {
  if (status?.phase === "Pending") return 2;
  return status?.phase === "Unknown" ? 1 : 0;
}

/** Undefined: it is not ready. */
function readySince({ status }: Pod): string | undefined {
  const ready = status?.conditions?.find(({ type }) => type === "Ready");
  if (ready?.status !== "True") return;
  return ready.lastTransitionTime ?? "";
}

/** Of the containers; where these are equal, of the sidecars. */
function restarts({ spec, status = {} }: Pod): readonly [number, number] {
  const sidecars = (spec.initContainers ?? [])
    .filter(({ restartPolicy }) => restartPolicy === "Always")
    .map(({ name }) => name);
  const { containerStatuses = [], initContainerStatuses = [] } = status;
  const most = (all: typeof containerStatuses) =>
    Math.max(0, ...all.map(({ restartCount = 0 }) => restartCount));
  const beside = initContainerStatuses.filter(({ name }) =>
    sidecars.includes(name),
  );
  return [most(containerStatuses), most(beside)];
}

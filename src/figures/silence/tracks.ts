/**
 * What became of one node and its Pods, from the rows of a run: when the node
 * was heard, how the control plane took it to be, and every Pod that was
 * there when it fell, with those that came in their place.
 */
import { type ObjectSummary, objectId, type Row } from "@shikumi/sim/view";

export type State = "ready" | "unready" | "unknown" | "leaving" | "starting";

export interface Span {
  readonly state: State;
  readonly fromMs: number;
  readonly toMs: number;
}

export interface Track {
  readonly name: string;
  /** Where the Pod is bound last; absent for the node itself. */
  readonly node?: string;
  readonly spans: readonly Span[];
}

export interface Silence {
  /** Renewals of the node's Lease. */
  readonly beatsMs: readonly number[];
  readonly node: Track;
  readonly pods: readonly Track[];
  /** When the node was taken to be lost. */
  readonly lostMs: number;
}

interface Change {
  readonly atMs: number;
  /** Absent: it is gone. */
  readonly state?: State;
}

/** Changes closer than this are not told apart. */
const BLINK_MS = 250;

export function silenceOf(rows: readonly Row[], name: string, endMs: number): Silence {
  const writes = rows.flatMap(({ atMs, object, type }) => (object ? [{ atMs, object, type }] : []));
  const beatsMs = writes
    .filter(({ object }) => object.kind === "Lease" && object.name === name)
    .map(({ atMs }) => atMs);
  const nodeChanges: Change[] = [];
  const podChanges = new Map<string, Change[]>();
  const pods = new Map<string, ObjectSummary>();
  for (const { atMs, object, type } of writes) {
    if (object.kind === "Node" && object.name === name) {
      nodeChanges.push({ atMs, state: object.ready ? "ready" : "unknown" });
    }
    if (object.kind !== "Pod") continue;
    const id = objectId(object);
    const changes = podChanges.get(id) ?? [];
    changes.push({ atMs, state: type === "DELETED" ? undefined : stateOf(object) });
    podChanges.set(id, changes);
    pods.set(id, object);
  }
  const node = { name, spans: spansOf(nodeChanges, endMs) };
  const lostMs = node.spans.find(({ state }) => state === "unknown")?.fromMs ?? endMs;
  const shown = [...pods].filter(([id, pod]) => {
    const bornMs = podChanges.get(id)![0]!.atMs;
    return pod.node === name || bornMs > lostMs;
  });
  const tracks = shown.map(([id, pod]) => ({
    ...{ name: pod.name, node: pod.node },
    spans: spansOf(podChanges.get(id)!, endMs),
  }));
  tracks.sort((a, b) => (a.name < b.name ? -1 : 1));
  return { beatsMs, node, pods: tracks, lostMs };
}

function stateOf(pod: ObjectSummary): State {
  if (pod.deleting) return "leaving";
  if (pod.ready) return "ready";
  return pod.status === "Running" ? "unready" : "starting";
}

/** Stretches of one state; what lasts no longer than a blink is left out. */
function spansOf(changes: readonly Change[], endMs: number): Span[] {
  const spans: Span[] = [];
  changes.forEach(({ atMs, state }, i) => {
    const toMs = changes[i + 1]?.atMs ?? endMs;
    if (!state || toMs - atMs < BLINK_MS) return;
    const last = spans.at(-1);
    if (last?.state === state && atMs - last.toMs < BLINK_MS) {
      spans[spans.length - 1] = { ...last, toMs };
    } else spans.push({ state, fromMs: atMs, toMs });
  });
  return spans;
}

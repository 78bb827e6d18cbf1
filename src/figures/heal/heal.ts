/**
 * What brought a cluster back after each deed of the reader: from the beats
 * of a run, who did what, when, and when all was as wanted again.
 */
import type { Input } from "@shikumi/sim";
import { type Deed, MANIFEST } from "../hero/hero.ts";
import type { Beat } from "../rail/story.ts";

export const NEW_IMAGE = "nginx:1.28";
const OLD_IMAGE = "nginx:1.27";

export const FIRST: readonly Input[] = [{ atMs: 1_000, do: "apply", yaml: MANIFEST }];

/** The deeds that are told as text where nothing can be clicked, and in print. */
export function exampleDeeds(pod: string, node: string): readonly Deed[] {
  return [
    { do: "kubectl", line: `delete pod ${pod}` },
    { do: "kubectl", line: imageLine(NEW_IMAGE) },
    { do: "stop", actor: `node/${node}` },
  ];
}

export const imageLine = (image: string) => `set image deployment/web nginx=${image}`;
export const scaleLine = (replicas: number) => `scale deployment web --replicas=${replicas}`;

/** The image and the number that the last command asked for. */
export function wantedBy(inputs: readonly Input[]): { image: string; replicas: number } {
  const last = (start: string) =>
    inputs.findLast((input) => input.do === "kubectl" && input.line.startsWith(start));
  const image = last("set image");
  const scale = last("scale");
  const value = (input?: Input) =>
    input?.do === "kubectl" ? input.line.split("=").at(-1) : undefined;
  return { image: value(image) ?? OLD_IMAGE, replicas: Number(value(scale) ?? 3) };
}

/** Machines that are off. */
export function deadNodes(inputs: readonly Input[]): string[] {
  const dead = new Set<string>();
  for (const input of inputs) {
    if (input.do === "stop") dead.add(nodeOf(input.actor));
    if (input.do === "start") dead.delete(nodeOf(input.actor));
  }
  return [...dead];
}

const nodeOf = (actor: string) => actor.replace("node/", "");

export type What =
  | "version"
  | "resized"
  | "created"
  | "deleted"
  | "placed"
  | "ready"
  | "lost"
  | "evicted";

/** One part's share in it. Times are in ms after the deed. */
export interface Mend {
  /** Without its node: `kubelet`. */
  readonly actor: string;
  readonly what: What;
  readonly count: number;
  readonly firstMs: number;
  readonly lastMs: number;
  readonly nodes: readonly string[];
}

export interface Healing {
  readonly deed: Input;
  readonly mends: readonly Mend[];
  /** Fewest ready Pods that the Deployment counted, and how many it wanted and had last. */
  readonly least?: number;
  readonly wanted: number;
  readonly ready: number;
  /** When all was as wanted again, in ms after the deed; absent: nothing was amiss, or still is. */
  readonly wholeMs?: number;
}

/** Of each deed but the first, so far as `beats` go. */
export function healingsOf(beats: readonly Beat[], inputs: readonly Input[]): Healing[] {
  const seen = new Set<string>();
  return inputs.flatMap((deed, i) => {
    const endMs = inputs[i + 1]?.atMs ?? Number.POSITIVE_INFINITY;
    const own = beats.filter(({ atMs }) => atMs >= deed.atMs && atMs < endMs);
    const healing = healingOf(deed, own, seen);
    return i === 0 || own.length === 0 ? [] : [healing];
  });
}

function healingOf(deed: Input, beats: readonly Beat[], seen: Set<string>): Healing {
  const mends = new Map<string, Mend>();
  let [wanted, ready] = [0, 0];
  let least: number | undefined;
  let wholeMs: number | undefined;
  for (const beat of beats) {
    const afterMs = beat.atMs - deed.atMs;
    const what = whatOf(beat, seen);
    if (what) add(mends, what, beat, afterMs);
    const { object } = beat;
    if (object?.kind !== "Deployment" || !object.counts) continue;
    const [want = 0, created = 0, updated = 0, serving = 0] = object.counts;
    [wanted, ready] = [want, serving];
    const isWhole = [created, updated, serving].every((count) => count === want);
    if (isWhole) wholeMs ??= least === undefined ? undefined : afterMs;
    else wholeMs = undefined;
    if (!isWhole || least !== undefined) least = Math.min(least ?? serving, serving);
  }
  return { deed, mends: [...mends.values()], wanted, ready, least, wholeMs };
}

function add(mends: Map<string, Mend>, what: What, beat: Beat, afterMs: number): void {
  const actor = beat.from.split("/")[0]!;
  const key = `${actor} ${what}`;
  const { count = 0, firstMs = afterMs, nodes = [] } = mends.get(key) ?? {};
  const node = beat.object?.kind === "Node" ? beat.object.name : beat.object?.node;
  const all = node && !nodes.includes(node) ? [...nodes, node].sort() : nodes;
  mends.set(key, { actor, what, count: count + 1, firstMs, lastMs: afterMs, nodes: all });
}

/** What a beat did for the cluster; `seen` holds the Pods that were ready before. */
function whatOf(
  { kind, from, subject, object, change }: Beat,
  seen: Set<string>,
): What | undefined {
  if (kind !== "request" || !change || !object) return undefined;
  const actor = from.split("/")[0];
  if (actor === "deployment-controller") {
    if (subject.startsWith("POST replicasets")) return "version";
    return subject.startsWith("PUT replicasets.apps ") ? "resized" : undefined;
  }
  if (actor === "replicaset-controller") {
    if (subject.startsWith("POST pods")) return "created";
    return subject.startsWith("DELETE pods") ? "deleted" : undefined;
  }
  if (actor === "kube-scheduler")
    return subject.startsWith("POST pods/binding") ? "placed" : undefined;
  if (actor === "node-lifecycle-controller") return isLost(subject, object) ? "lost" : undefined;
  if (actor === "taint-eviction-controller")
    return subject.startsWith("DELETE pods") ? "evicted" : undefined;
  if (actor !== "kubelet" || !object.ready || object.deleting || seen.has(object.uid))
    return undefined;
  if (object.kind !== "Pod") return undefined;
  seen.add(object.uid);
  return "ready";
}

const isLost = (subject: string, object: { ready?: boolean }) =>
  subject.startsWith("PUT nodes/status") && !object.ready;

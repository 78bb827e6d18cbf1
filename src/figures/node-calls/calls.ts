/**
 * How one Pod starts on a node, from the trace of a run: the calls of the
 * kubelet, what the runtime does in each, the plugins that it executes, and
 * the answers. What the kubelet only looks at meanwhile is left out.
 */
import type { TraceEntry } from "@shikumi/sim";
import type { CallRow } from "../calls/row.ts";
import { shorten, textOf } from "../calls/text.ts";

export type Lane = "kubelet" | "runtime" | "plugin" | "registry";

export interface Call extends CallRow {
  readonly id: number;
  readonly from: Lane;
  readonly to: Lane;
}

interface CriDetail {
  readonly request: object;
  readonly response?: object;
}

/** The calls that make a Pod; all others only look. */
const MAKES = ["RunPodSandbox", "PullImage", "CreateContainer", "StartContainer"];
/** What begins each step, in the order in which containerd takes them. */
const STEPS = [
  ...["RunPodSandbox", "network namespace", "start pause"],
  ...["ImageStatus", "CreateContainer", "StartContainer"],
];

export function callsOf(entries: readonly TraceEntry[], node: string): Call[] {
  const own = entries.filter(({ actor }) => actor.endsWith(`/${node}`));
  const first = own.find(({ subject }) => subject === "RunPodSandbox");
  if (!first) return [];
  const calls: Call[] = [];
  let open: TraceEntry | undefined;
  let next = 0;
  for (const entry of own) {
    if (entry.id < first.id || !matters(entry, calls)) continue;
    if (entry.verb === "cri") {
      if (open) calls.push(answerOf(open, entry.atMs - first.atMs));
      open = entry;
    }
    const begins = next < STEPS.length && entry.subject.startsWith(STEPS[next]!);
    if (begins) next++;
    calls.push({ ...callOf(entry, first.atMs), ...(begins ? { step: next } : {}) });
  }
  if (open) calls.push(answerOf(open, calls.at(-1)!.afterMs));
  return calls;
}

function matters({ verb, subject }: TraceEntry, before: readonly Call[]): boolean {
  // Once it is asked whether the image is there; later only what it is.
  if (subject === "ImageStatus") return !before.some(({ text }) => text === "ImageStatus");
  if (verb === "cri") return MAKES.includes(subject);
  return verb === "cni" || verb === "image" || (verb === "container" && subject !== "");
}

function callOf({ id, atMs, verb, subject, detail }: TraceEntry, firstMs: number): Call {
  const base = { id, afterMs: atMs - firstMs, text: subject, isAnswer: false } as const;
  if (verb === "cri") {
    const request = textOf((detail as CriDetail).request);
    return { ...base, from: "kubelet", to: "runtime", detail: request };
  }
  if (verb === "cni") {
    // A plugin that finds the settings of another was executed by that one.
    const { type } = (detail as { stdin: { type?: string } }).stdin;
    const from = subject.endsWith(` ${type}`) ? "runtime" : "plugin";
    return { ...base, from, to: "plugin" };
  }
  if (verb === "image") return { ...base, from: "runtime", to: "registry" };
  return { ...base, from: "runtime", to: "runtime", detail: detail ? textOf(detail) : undefined };
}

function answerOf({ id, detail }: TraceEntry, afterMs: number): Call {
  const { response = {} } = detail as CriDetail;
  const [name, value] = Object.entries(response)[0] ?? [];
  const text = name ? `${name}: ${shorten(String(value))}` : "{}";
  return { id, afterMs, from: "runtime", to: "kubelet", text, isAnswer: true };
}

/**
 * How far a Pod of a kind gets on a node within a span of time, step by step,
 * from the trace of a run: kubelet, runtime and plugins in turn.
 */
import type { TraceEntry } from "@shikumi/sim";

export type StepName = "ready" | "sandbox" | "plugins" | "address" | "pause" | "container";

export const STEPS: readonly { readonly name: StepName; readonly who: Who }[] = [
  { name: "ready", who: "kubelet" },
  { name: "sandbox", who: "kubelet" },
  { name: "plugins", who: "cri" },
  { name: "address", who: "cni" },
  { name: "pause", who: "cri" },
  { name: "container", who: "kubelet" },
];

export type Who = "kubelet" | "cri" | "cni";

export interface Outcome {
  readonly state: "done" | "stopped" | "unreached";
  /** What was seen: an address, the plugins, an error. */
  readonly text: string;
  readonly atMs?: number;
}

export interface Span {
  readonly node: string;
  /** Beginning of the Pod's name. */
  readonly pod: string;
  readonly fromMs: number;
  readonly toMs: number;
}

type Detail = {
  request?: { config?: { metadata?: { name?: string } } };
  response?: {
    pod_sandbox_id?: string;
    status?: { conditions?: readonly { type: string; status?: boolean; message?: string }[] };
  };
  error?: string;
  env?: Record<string, string>;
  stdout?: { ips?: readonly { address: string }[] };
  id?: string;
};

const UNREACHED: Outcome = { state: "unreached", text: "" };

/** Outcomes of all steps in order; after one that stopped, nothing is reached. */
export function flowOf(entries: readonly TraceEntry[], span: Span): Outcome[] {
  const own = entries.filter(
    ({ actor, atMs }) => actor.endsWith(`/${span.node}`) && atMs >= span.fromMs && atMs < span.toMs,
  );
  const run = own.find((e) => e.subject === "RunPodSandbox" && podOf(e).startsWith(span.pod));
  const ready = readiness(own, run);
  if (ready.state === "stopped" || !run) return fill([ready]);
  const { error, response } = detailOf(run);
  const pod = podOf(run);
  const adds = own.filter(
    ({ verb, subject, detail }) =>
      verb === "cni" && subject.startsWith("ADD") && argsOf(detail).includes(`=${pod};`),
  );
  const names = adds.map(({ subject }) => subject.slice("ADD ".length)).join(", ");
  const called = done(run, pod);
  if (error) return fill([ready, called, { state: "stopped", text: reasonOf(error) }]);
  const added = done(adds.at(-1), names);
  const address = done(adds.at(-1), detailOf(adds.at(-1)).stdout?.ips?.[0]?.address ?? "");
  const sandbox = response?.pod_sandbox_id;
  const pause = own.find((e) => e.subject === "start pause" && detailOf(e).id === sandbox);
  const start = own.find((e) => e.verb === "container" && e.subject === "start nginx");
  return fill([ready, called, added, address, done(pause, ""), done(start, "nginx")]);
}

/** What the runtime said last when it was asked before the call. */
function readiness(own: readonly TraceEntry[], run: TraceEntry | undefined): Outcome {
  const asked = own.filter(
    (e) => e.verb === "cri" && e.subject === "Status" && (!run || e.id < run.id),
  );
  const last = asked.at(-1);
  const { conditions = [] } = detailOf(last).response?.status ?? {};
  const network = conditions.find(({ type }) => type === "NetworkReady");
  if (network?.status) return done(last, "NetworkReady");
  return { state: "stopped", text: network?.message ?? "", atMs: last?.atMs };
}

function done(entry: TraceEntry | undefined, text: string): Outcome {
  return entry ? { state: "done", text, atMs: entry.atMs } : UNREACHED;
}

function fill(outcomes: readonly Outcome[]): Outcome[] {
  return STEPS.map((_, i) => outcomes[i] ?? UNREACHED);
}

function detailOf(entry: TraceEntry | undefined): Detail {
  return (entry?.detail ?? {}) as Detail;
}

function podOf(entry: TraceEntry): string {
  return detailOf(entry).request?.config?.metadata?.name ?? "";
}

function argsOf(detail: unknown): string {
  return `${(detail as Detail).env?.CNI_ARGS ?? ""};`;
}

/** The part of the error that the plugin's side has said. */
function reasonOf(error: string): string {
  const at = error.indexOf("plugin type=");
  return at < 0 ? error : error.slice(at);
}

/**
 * Which namespaces the processes of a node live in, from the trace of a run:
 * a column for each process that the runtime started, a row for each kind.
 */
import type { TraceEntry } from "@shikumi/sim";

export interface Column {
  /** Name of the process: `pause`, or that of the container. */
  readonly process: string;
  readonly pod: string;
}

export type Whose = "node" | "pod" | "own";

export interface Line {
  readonly kind: string;
  /** For each column: whose it is. */
  readonly cells: readonly Whose[];
  /** How many different ones there are, the node's not counted. */
  readonly count: number;
}

export interface NamespaceTable {
  readonly columns: readonly Column[];
  readonly lines: readonly Line[];
}

interface Started {
  readonly id: string;
  readonly cgroup: string;
  readonly namespaces: Readonly<Record<string, string>>;
}

interface Call {
  readonly request: { readonly config?: { readonly metadata?: { readonly name?: string } } };
  readonly response?: { readonly pod_sandbox_id?: string };
}

const ORDER = ["network", "ipc", "uts", "pid", "mount", "cgroup", "user"];
/** The Pod's part of a cgroup's path: `kubepods-…-pod<uid>.slice`. */
const SLICE = /[^/]*-pod[^/]*\.slice/;

export function namespaceTable(entries: readonly TraceEntry[]): NamespaceTable {
  const pods = podsBySlice(entries);
  const started = entries.flatMap(({ verb, subject, detail }) => {
    const process = /^start (.+)$/.exec(subject)?.[1];
    if (verb !== "container" || !process) return [];
    const one = detail as Started;
    return [{ ...one, process, pod: pods.get(SLICE.exec(one.cgroup)?.[0] ?? "") ?? "" }];
  });
  const sorted = started.toSorted(
    (a, b) => order(pods, a.pod) - order(pods, b.pod) || rank(a.process) - rank(b.process),
  );
  const lines = ORDER.map((kind) => {
    const ids = sorted.map((one) => identity(one, kind));
    const cells = ids.map((id): Whose => {
      if (id === "node") return "node";
      return ids.filter((other) => other === id).length > 1 ? "pod" : "own";
    });
    return { kind, cells, count: new Set(ids.filter((id) => id !== "node")).size };
  });
  return { columns: sorted.map(({ process, pod }) => ({ process, pod })), lines };
}

/** Pods by their slice, in the order in which their sandboxes were asked for. */
function podsBySlice(entries: readonly TraceEntry[]): Map<string, string> {
  const names = new Map<string, string>();
  for (const { verb, subject, detail } of entries) {
    if (verb !== "cri" || subject !== "RunPodSandbox") continue;
    const { request, response } = detail as Call;
    const id = response?.pod_sandbox_id;
    if (id) names.set(id, request.config?.metadata?.name ?? "");
  }
  const slices = new Map<string, string>();
  for (const { subject, detail } of entries) {
    if (subject !== "start pause") continue;
    const { id, cgroup } = detail as Started;
    slices.set(SLICE.exec(cgroup)?.[0] ?? "", names.get(id) ?? "");
  }
  return slices;
}

function order(pods: ReadonlyMap<string, string>, pod: string): number {
  return [...pods.values()].indexOf(pod);
}

/** pause first, for the others join what is its. */
function rank(process: string): number {
  return process === "pause" ? 0 : 1;
}

/** Equal for two processes that live in the same namespace. */
function identity({ id, namespaces }: Started, kind: string): string {
  const whose = namespaces[kind] ?? "node";
  if (whose === "node" || whose.startsWith("/")) return whose;
  return whose === "own" ? id.slice(0, 13) : whose.replace(/^of /, "");
}

/**
 * Finds recorded files and the replayer of each.
 *
 * Registering a replayer is adding `<behaviour>.ts` to this folder: it is
 * imported only when a file of that behaviour turns up, so that a replayer
 * which does not load takes no other with it.
 */
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Replayer, Result, VectorFile } from "./harness.ts";

const here = dirname(fileURLToPath(import.meta.url));

/** Every format of test/vectors/FORMAT.md, by the name of its file. */
export const behaviours: readonly string[] = [
  ...["deployment-fenceposts", "deployment-newrs-size", "deployment-rolling-step"],
  ...["deployment-proportional-scale", "pod-template-hash", "replicaset-deletion-order"],
  ...["job", "pod-phase", "qos-oom", "quantity", "intstr-percent", "label-selector"],
  ...["strategic-merge-patch", "three-way-apply", "toleration", "rbac-rule-allows"],
  ...["defaulting", "get-table", "scheduler", "kube-proxy-iptables"],
  ...["controller-traces", "apiserver-golden", "kubectl-text"],
  ...["cni-chain", "cni-errors", "cni-host-local", "cni-netd-choice", "containerd-cri"],
  ...["endpointslices", "etcd-cluster", "etcd-mvcc", "flannel-cni", "hpa", "job-policies"],
  ...["kube-proxy-ipvs", "kube-proxy-nftables", "kubelet-actions", "kubelet-backoff"],
  ...["kubelet-traces", "node-zones", "packet-walks", "pdb", "probes", "replicaset-status"],
  ...["scheduler-preemption", "scheduler-queue"],
];

/** What one file came to. `state` tells whether it was replayed at all. */
export interface Report extends Result {
  readonly behaviour: string;
  readonly file: string;
  readonly state: "replayed" | "cannot-replay" | "broken";
  readonly reason?: string;
}

/** Recorded files in `dir` and below, in order of their path. */
export function findVectors(dir: string): VectorFile[] {
  const files: VectorFile[] = [];
  const walk = (folder: string): void => {
    for (const name of readdirSync(folder).toSorted()) {
      const path = join(folder, name);
      if (statSync(path).isDirectory()) walk(path);
      else if (name.endsWith(".json")) files.push(readVector(path));
    }
  };
  walk(dir);
  return files;
}

/** Reads one file. A file that is not JSON keeps the reason as `json.error`. */
export function readVector(path: string): VectorFile {
  let json: Readonly<Record<string, unknown>>;
  try {
    const parsed: unknown = JSON.parse(readFileSync(path, "utf8"));
    json = typeof parsed === "object" && parsed ? { ...parsed } : {};
  } catch (error) {
    json = { error: String(error) };
  }
  return { behaviour: behaviourOf(path, json), path, dir: dirname(path), json };
}

/**
 * Which format a file has: its `behaviour`, else its `format`, else its name.
 * Node files say what they hold in a sentence, so their name decides first; a
 * file may carry something before or after that name (`pdb-2.json`).
 */
function behaviourOf(path: string, json: Readonly<Record<string, unknown>>): string {
  const named = [json.behaviour, String(json.format ?? "").split("/")[0], basename(path, ".json")];
  for (const name of named) {
    if (typeof name === "string" && behaviours.includes(name)) return name;
  }
  const stem = basename(path, ".json");
  const within = behaviours.filter((name) => stem.includes(name));
  const longest = within.toSorted((a, b) => b.length - a.length)[0];
  const sentence = String(json.behaviour ?? json.format ?? stem);
  return longest ?? sentences().get(sentence) ?? sentence;
}

let known: Map<string, string> | undefined;

/** What our own node files call themselves, by that sentence. */
function sentences(): ReadonlyMap<string, string> {
  if (known) return known;
  known = new Map();
  const folder = join(here, "../vectors/node");
  for (const name of readdirSync(folder).filter((file) => file.endsWith(".json"))) {
    const { behaviour }: { behaviour?: string } = JSON.parse(
      readFileSync(join(folder, name), "utf8"),
    );
    if (behaviour) known.set(behaviour, basename(name, ".json"));
  }
  return known;
}

/** Whether there is a replayer. Costs no import. */
export function canReplay(file: VectorFile): boolean {
  return behaviours.includes(file.behaviour) && existsSync(moduleOf(file.behaviour));
}

/** Replays one file. Never throws: what goes wrong is in the report. */
export async function replayFile(file: VectorFile): Promise<Report> {
  const { behaviour, path } = file;
  const nothing = { behaviour, file: path, passed: 0, total: countCases(file.json), failures: [] };
  if (typeof file.json.error === "string" && !file.json.behaviour) {
    return { ...nothing, state: "broken", reason: file.json.error };
  }
  if (!canReplay(file)) return { ...nothing, state: "cannot-replay" };
  try {
    const replayer: Replayer = await import(moduleOf(behaviour));
    const { passed, total, failures } = await replayer.replay(file);
    return { behaviour, file: path, passed, total, failures, state: "replayed" };
  } catch (error) {
    const reason = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return { ...nothing, state: "broken", reason };
  }
}

function moduleOf(behaviour: string): string {
  return join(here, `${behaviour}.ts`);
}

/** How many cases a file holds that nothing could replay: an estimate. */
function countCases(json: Readonly<Record<string, unknown>>): number {
  const lists = ["cases", "selectors", "parse", "arithmetic", "steps", "rows", "states"];
  const counts = lists.map((key) => json[key]).filter((list) => Array.isArray(list));
  return counts.reduce((sum, list) => sum + list.length, 0);
}

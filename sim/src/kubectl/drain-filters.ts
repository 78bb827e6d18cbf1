/**
 * Which Pods a drain evicts, which it leaves, and which it will not touch
 * unless it is told to.
 * Models:     kubectl/pkg/drain/filters.go @ v1.36
 */
import type { Pod } from "../api/kinds/pod.ts";
import { controllerOf } from "../api/types.ts";

export interface DrainOptions {
  readonly ignoreDaemonSets: boolean;
  readonly force: boolean;
  readonly deleteEmptyDir: boolean;
}

export interface Sorted {
  readonly leaving: readonly Pod[];
  /** Sentences without `Warning: `. */
  readonly warnings: readonly string[];
  /** Why not, and of which Pods: `ns/name`. */
  readonly refused: ReadonlyMap<string, readonly string[]>;
}

interface Verdict {
  readonly leaves: boolean;
  readonly warning?: string;
  readonly refusal?: string;
}

const MIRROR = "kubernetes.io/config.mirror";
const DAEMONSET =
  "cannot delete DaemonSet-managed Pods (use --ignore-daemonsets to ignore)";
const EMPTY_DIR =
  "cannot delete Pods with local storage (use --delete-emptydir-data to override)";
const BARE =
  "cannot delete Pods that declare no controller (use --force to override)";

export function sortPods(pods: readonly Pod[], options: DrainOptions): Sorted {
  const leaving: Pod[] = [];
  const refused = new Map<string, string[]>();
  const warned = new Map<string, string[]>();
  for (const pod of pods) {
    const name = `${pod.metadata.namespace}/${pod.metadata.name}`;
    const { leaves, warning, refusal } = verdictOn(pod, options);
    const into = refusal ? refused : warned;
    const why = refusal ?? warning;
    if (why) into.set(why, [...(into.get(why) ?? []), name]);
    if (leaves && !refusal) leaving.push(pod);
  }
  const warnings = [...warned].map(([why, all]) => `${why}: ${all.join(", ")}`);
  const joined = warnings.length > 0 ? [warnings.join("; ")] : [];
  return { leaving, refused, warnings: joined };
}

/** A line for each reason. */
export function refusals({ refused }: Sorted): readonly string[] {
  return [...refused].map(([why, names]) => `${why}: ${names.join(", ")}`);
}

function verdictOn(pod: Pod, options: DrainOptions): Verdict {
  const { annotations = {} } = pod.metadata;
  if (annotations[MIRROR] !== undefined) return { leaves: false };
  const phase = pod.status?.phase;
  const over = phase === "Succeeded" || phase === "Failed";
  const owner = controllerOf(pod);
  if (owner?.kind === "DaemonSet" && !over) {
    if (!options.ignoreDaemonSets) return { leaves: false, refusal: DAEMONSET };
    return { leaves: false, warning: "ignoring DaemonSet-managed Pods" };
  }
  if (over) return { leaves: true };
  const local = pod.spec.volumes?.some(({ emptyDir }) => emptyDir);
  if (local && !options.deleteEmptyDir) {
    return { leaves: false, refusal: EMPTY_DIR };
  }
  const warning = local ? "deleting Pods with local storage" : undefined;
  if (owner) return { leaves: true, warning };
  if (!options.force) return { leaves: false, refusal: BARE };
  const bare = "deleting Pods that declare no controller";
  return { leaves: true, warning: warning ?? bare };
}

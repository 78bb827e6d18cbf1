/**
 * Runs the plugins of a profile: one method for each extension point.
 * Models:     pkg/scheduler/framework/runtime/framework.go @ v1.36
 * Leaves out: metrics, extenders, parallel workers.
 */
import { BindingPoints } from "./binding-points.ts";
import type { NodeInfo } from "./cache/node-info.ts";
import type { PodInfo } from "./cache/pod-info.ts";
import type { Cycle } from "./cycle.ts";
import { isStatus, type Plugin, type Scores } from "./framework.ts";
import type { Handle } from "./handle.ts";
import type { Profile } from "./profile.ts";
import type { QueuedPod } from "./queue/queued-pod.ts";
import { isRejected, type Status, status } from "./status.ts";

export class Runtime {
  readonly profile: Profile;
  readonly plugins: readonly Plugin[];
  /** The plugins that score, with their weights. */
  readonly scorers: readonly { plugin: Plugin; weight: number }[];
  /** What runs once a Node is chosen. */
  readonly binding: BindingPoints;
  private readonly handle: Handle;
  /** The plugins of each point, so that the others are not even asked. */
  private readonly at: ReturnType<typeof byPoint>;
  private readonly arrays: Scores[] = [];

  constructor(profile: Profile, handle: Handle) {
    this.profile = profile;
    this.handle = handle;
    this.plugins = profile.plugins.map(({ make }) => make(handle));
    this.scorers = this.plugins
      .map((plugin, i) => ({ plugin, weight: profile.plugins[i]!.weight }))
      .filter(({ plugin }) => plugin.score);
    this.binding = new BindingPoints(this.plugins);
    this.at = byPoint(this.plugins);
  }

  /** The i-th of some arrays that are used again and again. */
  scratch(i: number, length: number): Scores {
    let array = this.arrays[i];
    if (array?.length !== length) {
      array = new Float64Array(length);
      this.arrays[i] = array;
    }
    return array;
  }

  less(a: QueuedPod, b: QueuedPod): boolean {
    return this.at.less?.less?.(a, b) ?? a.sinceMs < b.sinceMs;
  }

  /** The first plugin that keeps the Pod out of the queue. */
  preEnqueue({ pod }: PodInfo): Status | null {
    for (const plugin of this.at.preEnqueue) {
      const answer = plugin.preEnqueue?.(pod);
      if (answer) return answer;
    }
    return null;
  }

  /** Prepares all plugins; fills in the cycle's filters and Node names. */
  preFilter(cycle: Cycle): Status | null {
    let refusal: Status | null = null;
    for (const plugin of this.plugins) {
      const answer = plugin.preFilter?.(cycle);
      let state: unknown;
      if (answer && isStatus(answer)) {
        if (answer.code === "Skip") continue;
        refusal = answer;
        // Preemption may follow, and it needs the other plugins prepared.
        if (answer.code === "Unschedulable") continue;
        return answer;
      }
      if (answer) {
        state = answer.state;
        cycle.states.set(plugin.name, state);
        if (answer.nodeNames) narrow(cycle, plugin.name, answer.nodeNames);
        if (cycle.nodeNames?.size === 0) return nothingLeft(cycle);
      }
      if (plugin.filter) cycle.filters.push({ plugin, state });
    }
    return refusal;
  }

  /** The first refusal; later plugins are not asked. */
  filter(cycle: Cycle, node: NodeInfo): Status | null {
    const { filters, pod } = cycle;
    for (let i = 0; i < filters.length; i++) {
      const { plugin, state } = filters[i]!;
      const answer = plugin.filter!(node, pod, state);
      if (answer !== null) return answer;
    }
    return null;
  }

  /**
   * Filters twice where Pods of the same or higher priority are nominated to
   * the Node: with them, since they will come; and without, since they may
   * not, and this Pod may want to be near them.
   */
  filterWithNominated(cycle: Cycle, node: NodeInfo): Status | null {
    const { nominator } = this.handle;
    if (nominator.empty) return this.filter(cycle, node);
    const { pod } = cycle;
    const others = nominator
      .on(node.name)
      .filter(
        (other) => other.priority >= pod.priority && other.uid !== pod.uid,
      );
    if (others.length === 0) return this.filter(cycle, node);
    const [imagined, copy] = [cycle.clone(), node.clone()];
    for (const other of others) imagined.addPod(other, copy);
    return this.filter(imagined, copy) ?? this.filter(cycle, node);
  }

  /** Asks each in turn until one makes room or fails. */
  postFilter(cycle: Cycle): { message: string; nominatedNode?: string } {
    const reasons: string[] = [];
    let nominatedNode: string | undefined;
    for (const plugin of this.at.postFilter) {
      const answer = plugin.postFilter?.(cycle);
      if (!answer) continue;
      if (answer.status === null) {
        return { message: "", nominatedNode: answer.nominatedNode };
      }
      if (!isRejected(answer.status)) {
        return { message: answer.status.reasons.join(", ") };
      }
      reasons.push(...answer.status.reasons);
      nominatedNode = answer.nominatedNode ?? nominatedNode;
    }
    return { message: reasons.join(", "), nominatedNode };
  }
}

function byPoint(plugins: readonly Plugin[]) {
  const having = (point: keyof Plugin) =>
    plugins.filter((plugin) => plugin[point] !== undefined);
  return {
    less: having("less")[0],
    preEnqueue: having("preEnqueue"),
    postFilter: having("postFilter"),
  };
}

/** Only Nodes that every plugin named are left. */
function narrow(cycle: Cycle, by: string, names: ReadonlySet<string>): void {
  cycle.narrowedBy.add(by);
  const { nodeNames } = cycle;
  cycle.nodeNames = nodeNames
    ? new Set([...names].filter((name) => nodeNames.has(name)))
    : names;
}

function nothingLeft({ narrowedBy, diagnosis }: Cycle): Status {
  for (const plugin of narrowedBy) diagnosis.unschedulablePlugins.add(plugin);
  const names = [...narrowedBy].sort();
  const message =
    names.length === 1
      ? `node(s) didn't satisfy plugin ${names[0]}`
      : `node(s) didn't satisfy plugin(s) [${names.join(" ")}] simultaneously`;
  return status("", "UnschedulableAndUnresolvable", message);
}

/** Replays scheduler-preemption.json: candidates, victims, nomination, message. */
import type { Node } from "../../sim/src/api/kinds/node.ts";
import type { Pod } from "../../sim/src/api/kinds/pod.ts";
import type { PodDisruptionBudget } from "../../sim/src/api/kinds/poddisruptionbudget.ts";
import { Kernel } from "../../sim/src/kernel/index.ts";
import type { Cycle } from "../../sim/src/scheduler/cycle.ts";
import { dynamicResources } from "../../sim/src/scheduler/plugins/dynamic-resources.ts";
import { dryRun } from "../../sim/src/scheduler/preemption.ts";
import { defaultProfile } from "../../sim/src/scheduler/profile.ts";
import type { Result, VectorFile } from "./harness.ts";
import { casesOf, Tally } from "./harness.ts";
import { type World, worldOf } from "./scheduler-world.ts";

interface RecordedPod {
  name: string;
  cpu: string;
  priority: number;
  node?: string;
  startedSecondsAgo?: number;
  labels?: Record<string, string>;
  preemptionPolicyNever?: boolean;
  deletingByPreemption?: boolean;
  nominatedNodeName?: string;
  requiredAntiAffinityHost?: Record<string, string>;
}

interface RecordedBudget {
  name: string;
  selector: Record<string, string>;
  disruptionsAllowed: number;
}

interface RecordedCandidate {
  node: string;
  victims: string[];
  pdbViolations: number;
}

interface Case {
  case: string;
  nodes: Record<string, string>;
  pods: RecordedPod[] | null;
  pdbs: RecordedBudget[] | null;
  pod: RecordedPod;
  filter: Record<string, string> | null;
  candidates: RecordedCandidate[] | null;
  deleted: string[] | null;
  nominatedNode: string;
  status: string;
  message: string;
}

const HOSTNAME = "kubernetes.io/hostname";
const namespace = "default";

/** The recorder had no dynamic resources. */
const profile = {
  ...defaultProfile,
  plugins: defaultProfile.plugins.filter(({ make }) => make !== dynamicResources),
};

export async function replay(file: VectorFile): Promise<Result> {
  const tally = new Tally();
  for (const c of casesOf<Case>(file)) {
    const actual = await outcome(c);
    tally.sameButEmpty(c.case, () => actual, expectedOf(c));
  }
  return tally.result();
}

function expectedOf(c: Case) {
  const { filter, nominatedNode, status, message } = c;
  const deleted = c.deleted?.toSorted();
  return {
    filter,
    candidates: byNode(c.candidates ?? []),
    deleted,
    nominatedNode,
    status,
    message,
  };
}

async function outcome(c: Case) {
  const clock = new Kernel();
  const budgets = (c.pdbs ?? []).map(budgetOf);
  const pods = (c.pods ?? []).map((pod) => podOf(pod, clock));
  const nodes = Object.entries(c.nodes).map(([name, cpu]) => nodeOf(name, cpu));
  const world = worldOf(profile, nodes, pods, { budgets: () => budgets });
  const cycle = world.cycleFor(podOf(c.pod, clock));
  const filter = filterAll(world, cycle);
  const candidates = candidatesOf(world, cycle, budgets);
  const plugin = world.runtime.plugins.find(({ name }) => name === "DefaultPreemption");
  const answer = plugin?.postFilter?.(cycle);
  await world.kernel.run();
  return {
    filter,
    candidates,
    deleted: world.requests
      .filter(({ verb }) => verb === "delete")
      .map(({ name }) => name)
      .sort(),
    nominatedNode: answer?.nominatedNode ?? "",
    status: answer?.status?.code ?? "Success",
    message: answer?.status?.reasons.join(", ") ?? "",
  };
}

function filterAll({ runtime }: World, cycle: Cycle): Record<string, string> {
  const verdicts: Record<string, string> = {};
  runtime.preFilter(cycle);
  for (const node of cycle.snapshot.nodes) {
    const refusal = runtime.filterWithNominated(cycle, node);
    if (!refusal) continue;
    cycle.diagnosis.refuse(node.name, refusal);
    verdicts[node.name] = `${refusal.code}: ${refusal.reasons.join(", ")}`;
  }
  return verdicts;
}

/** All Nodes that could be helped, whether the Pod may preempt or not. */
function candidatesOf({ handle }: World, cycle: Cycle, budgets: PodDisruptionBudget[]) {
  const { kernel, runFilters } = handle;
  const nodes = cycle.diagnosis.resolvable(cycle.snapshot);
  const startedAtMs = ({ pod }: Cycle["pod"]) => {
    const started = pod.status?.startTime;
    return started ? kernel.msOf(started) : kernel.now();
  };
  const tools = { runFilters, budgets, startedAtMs };
  const { candidates } = dryRun(cycle, nodes, 0, Number.POSITIVE_INFINITY, tools);
  return byNode(
    candidates.map(({ node, victims, violations }) => ({
      node: node.name,
      victims: victims.map(({ pod }) => pod.metadata.name),
      pdbViolations: violations,
    })),
  );
}

function byNode(candidates: readonly RecordedCandidate[]): RecordedCandidate[] {
  return candidates.toSorted((a, b) => (a.node < b.node ? -1 : 1));
}

function nodeOf(name: string, text: string): Node {
  const tainted = text.startsWith("!");
  const taints = tainted ? [{ key: "dedicated", value: "x", effect: "NoSchedule" }] : [];
  const allocatable = { cpu: text.replace("!", ""), memory: "64Gi", pods: "110" };
  return {
    apiVersion: "v1",
    kind: "Node",
    metadata: { name, labels: { [HOSTNAME]: name } },
    spec: { taints },
    status: { capacity: allocatable, allocatable },
  };
}

function podOf(recorded: RecordedPod, kernel: Kernel): Pod {
  const { name, cpu, priority, labels, node, startedSecondsAgo } = recorded;
  const away = recorded.requiredAntiAffinityHost;
  const term = { labelSelector: { matchLabels: away }, topologyKey: HOSTNAME };
  const deleting = recorded.deletingByPreemption;
  const reason = "PreemptionByScheduler";
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      ...{ name, namespace, labels, uid: name },
      ...(deleting ? { deletionTimestamp: kernel.timestamp() } : {}),
    },
    spec: {
      ...{ priority, nodeName: node, schedulerName: "default-scheduler" },
      preemptionPolicy: recorded.preemptionPolicyNever ? "Never" : undefined,
      containers: [{ name: "c", image: "img", resources: { requests: { cpu } } }],
      affinity: away && {
        podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term] },
      },
    },
    status: {
      nominatedNodeName: recorded.nominatedNodeName,
      startTime:
        startedSecondsAgo === undefined ? undefined : kernel.timestamp(-startedSecondsAgo * 1000),
      conditions: deleting ? [{ type: "DisruptionTarget", status: "True", reason }] : [],
    },
  };
}

function budgetOf({ name, selector, disruptionsAllowed }: RecordedBudget): PodDisruptionBudget {
  return {
    apiVersion: "policy/v1",
    kind: "PodDisruptionBudget",
    metadata: { name, namespace },
    spec: { selector: { matchLabels: selector } },
    status: { disruptionsAllowed },
  };
}

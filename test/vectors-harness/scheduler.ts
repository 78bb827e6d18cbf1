/** Replays scheduler.json: preFilter, filter and weighted scores of the default profile. */
import type { Node } from "../../sim/src/api/kinds/node.ts";
import type { Pod } from "../../sim/src/api/kinds/pod.ts";
import type { NodeInfo } from "../../sim/src/scheduler/cache/node-info.ts";
import type { Cycle } from "../../sim/src/scheduler/cycle.ts";
import { prioritize, scoreOf } from "../../sim/src/scheduler/prioritize.ts";
import { defaultProfile } from "../../sim/src/scheduler/profile.ts";
import type { Status } from "../../sim/src/scheduler/status.ts";
import type { Result, VectorFile } from "./harness.ts";
import { casesOf, Tally } from "./harness.ts";
import { type World, worldOf } from "./scheduler-world.ts";

interface Verdict {
  fits?: boolean;
  plugin?: string;
  code?: string;
  reasons?: string[];
  skippedByPreFilter?: boolean;
}

interface PreFiltered {
  restrictedTo?: string[];
  plugin?: string;
  code?: string;
  reasons?: string[];
}

interface Case {
  case: string;
  nodes: Node[];
  existingPods: Pod[] | null;
  pod: Pod;
  preFilter?: PreFiltered | null;
  filter?: Record<string, Verdict> | null;
  weightedScores?: Record<string, Record<string, number>> | null;
}

export function replay(file: VectorFile): Result {
  const tally = new Tally();
  for (const c of casesOf<Case>(file)) {
    tally.sameButEmpty(c.case, () => schedule(c), expectedOf(c));
  }
  return tally.result();
}

function expectedOf({ preFilter, filter, weightedScores }: Case) {
  const sorted = Object.entries(filter ?? {}).map(([node, verdict]) => [node, inOrder(verdict)]);
  return {
    preFilter: preFilter ? inOrder(known(preFilter)) : undefined,
    filter: Object.fromEntries(sorted),
    weightedScores,
  };
}

/** Only what is compared, and of that only what the recording has. */
function known(answer: PreFiltered, recorded = answer): PreFiltered {
  const { restrictedTo, plugin, code, reasons } = answer;
  return {
    ...(recorded.restrictedTo ? { restrictedTo } : {}),
    ...(recorded.plugin ? { plugin } : {}),
    ...(recorded.code ? { code } : {}),
    ...(recorded.reasons ? { reasons } : {}),
  };
}

/** Reasons and names are sets. */
function inOrder<T extends Verdict | PreFiltered>(answer: T): T {
  const copy = { ...answer };
  if (copy.reasons) copy.reasons = copy.reasons.toSorted();
  if ("restrictedTo" in copy) copy.restrictedTo = copy.restrictedTo?.toSorted();
  return copy;
}

function schedule({ nodes, existingPods, pod, preFilter, filter }: Case) {
  const world = worldOf(defaultProfile, nodes, existingPods ?? []);
  const cycle = world.cycleFor(pod);
  const refusal = world.runtime.preFilter(cycle);
  const prepared = refusal ? refused(refusal) : restriction(cycle);
  const verdicts: Record<string, Verdict> = {};
  const feasible: NodeInfo[] = [];
  for (const node of refusal ? [] : cycle.snapshot.nodes) {
    const verdict = filterOne(world, cycle, node);
    if (verdict.fits) feasible.push(node);
    // A Node that is not in the recording was not filtered there.
    if (filter && node.name in filter) verdicts[node.name] = verdict;
  }
  return {
    preFilter: preFilter ? inOrder(known(prepared, preFilter)) : undefined,
    filter: verdicts,
    weightedScores: feasible.length > 0 ? scores(world, cycle, feasible) : undefined,
  };
}

function restriction({ nodeNames }: Cycle): PreFiltered {
  return nodeNames ? { restrictedTo: [...nodeNames] } : {};
}

function filterOne({ runtime }: World, cycle: Cycle, node: NodeInfo): Verdict {
  const { nodeNames } = cycle;
  if (nodeNames && !nodeNames.has(node.name)) return { skippedByPreFilter: true };
  const refusal = runtime.filter(cycle, node);
  return refusal ? { fits: false, ...refused(refusal) } : { fits: true };
}

function refused({ plugin, code, reasons }: Status) {
  return { plugin, code, reasons: reasons.toSorted() };
}

function scores({ runtime }: World, cycle: Cycle, nodes: NodeInfo[]) {
  const { totals, parts } = prioritize(runtime, cycle, nodes);
  const table: Record<string, Record<string, number>> = {};
  for (const [n, { name }] of nodes.entries()) {
    const row: Record<string, number> = { total: totals[n] ?? 0 };
    for (const part of parts) row[part.plugin] = scoreOf(part, n);
    table[name] = row;
  }
  return table;
}

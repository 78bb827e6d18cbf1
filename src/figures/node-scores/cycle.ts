/**
 * One scheduling cycle of a run as a table: which plugin refused which Node,
 * and what each plugin gave the others. Read from the details that the
 * scheduler leaves in the trace (sim/src/scheduler/explain.ts).
 */
import { createSession } from "@shikumi/sim";
import { inputsOf, type Lab } from "../../sandbox/lab.ts";

interface Refusal {
  readonly plugin: string;
  readonly reasons: readonly string[];
}

/** As FilterDetail and ScoreDetail there, of a small cluster. */
interface Detail {
  readonly fits?: readonly string[];
  readonly refused?: Readonly<Record<string, Refusal>>;
  readonly chosen?: string;
  readonly nodes?: readonly string[];
  readonly plugins?: Readonly<Record<string, readonly number[]>>;
  readonly total?: readonly number[];
}

export interface CycleTable {
  /** Nodes in the order of their names in the scenario. */
  readonly nodes: readonly string[];
  readonly chosen: string;
  readonly refused: ReadonlyMap<string, Refusal>;
  /** Plugins that refused a Node, in the order in which they are asked. */
  readonly filters: readonly string[];
  /** Score by plugin and Node, weights in them. */
  readonly scores: readonly {
    readonly plugin: string;
    readonly of: ReadonlyMap<string, number>;
  }[];
  readonly totals: ReadonlyMap<string, number>;
}

/** The last cycle for `pod` (`default/cook`) in a run of the lab. */
export async function cycleOf(lab: Lab, pod: string): Promise<CycleTable> {
  const { scenario, seed, manifest } = lab;
  const session = createSession({ scenario, seed, inputs: inputsOf(lab, manifest) });
  await session.run();
  let isIts = false;
  let filter: Detail = {};
  let score: Detail = {};
  for (const { verb, subject, detail } of session.kernel.trace) {
    if (verb === "schedule") isIts = subject === `Pod ${pod}`;
    else if (isIts && verb === "filter") filter = detail as Detail;
    else if (isIts && verb === "score") score = detail as Detail;
  }
  if (!score.chosen) throw new Error(`The run of lab "${lab.id}" scores no node for Pod ${pod}.`);
  return tableOf(lab, filter, score);
}

function tableOf({ scenario }: Lab, filter: Detail, score: Detail): CycleTable {
  const { nodes: scored = [], plugins = {}, total = [], chosen = "" } = score;
  const refused = new Map(Object.entries(filter.refused ?? {}));
  const listed = typeof scenario.nodes === "object" ? scenario.nodes : [];
  const byNode = (numbers: readonly number[]) =>
    new Map(scored.map((name, n) => [name, numbers[n] ?? 0]));
  return {
    nodes: listed.flatMap(({ name }) => name ?? []),
    chosen,
    refused,
    filters: ORDER.filter((plugin) => [...refused.values()].some((one) => one.plugin === plugin)),
    scores: Object.entries(plugins).map(([plugin, numbers]) => ({ plugin, of: byNode(numbers) })),
    totals: byNode(total),
  };
}

/** Filters in the order of the default profile. */
const ORDER = [
  "NodeUnschedulable",
  "NodeName",
  "TaintToleration",
  "NodeAffinity",
  "NodePorts",
  "NodeResourcesFit",
  "PodTopologySpread",
  "InterPodAffinity",
];

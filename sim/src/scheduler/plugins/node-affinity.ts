/**
 * NodeAffinity: `nodeSelector` and node affinity, required and preferred.
 * Models:     pkg/scheduler/framework/plugins/nodeaffinity @ v1.36
 * Leaves out: affinity added by the scheduler's configuration.
 */
import {
  type NodeTest,
  nodePreference,
  requiredNodeAffinity,
} from "../../api/helpers/node-affinity.ts";
import type { Node, NodeSelectorTerm } from "../../api/kinds/node.ts";
import type { Pod } from "../../api/kinds/pod.ts";
import { Action, clusterEvent } from "../cluster-events.ts";
import { defaultNormalize, type Plugin } from "../framework.ts";
import { SKIP, status } from "../status.ts";

const name = "NodeAffinity";

const REFUSED = status(
  name,
  "UnschedulableAndUnresolvable",
  "node(s) didn't match Pod's node affinity/selector",
);
const CONFLICT = status(
  name,
  "UnschedulableAndUnresolvable",
  "pod affinity terms conflict",
);

type Preference = (node: Node) => number;

export function nodeAffinity(): Plugin<NodeTest, Preference> {
  return {
    name,
    events: [
      {
        event: clusterEvent("Node", Action.Add | Action.UpdateNodeLabel),
        hint: (pod, old, now) => {
          const matches = requiredNodeAffinity(pod);
          if (!matches) return true;
          return matches(now as Node) && !(old && matches(old as Node));
        },
      },
    ],

    preFilter({ pod }) {
      const state = requiredNodeAffinity(pod.pod);
      if (!state) return SKIP;
      const nodeNames = namesIn(pod.pod);
      return nodeNames?.size === 0 ? CONFLICT : { state, nodeNames };
    },

    filter: ({ node }, _, matches) => (node && matches(node) ? null : REFUSED),

    preScore({ pod }) {
      const { affinity } = pod.pod.spec;
      const preferred =
        affinity?.nodeAffinity?.preferredDuringSchedulingIgnoredDuringExecution;
      return preferred ? { state: nodePreference(preferred) } : SKIP;
    },

    score: ({ node }, _, preference) => (node ? preference(node) : 0),

    normalizeScore: (scores) => defaultNormalize(scores, false),
  };
}

/** The Nodes that are asked for by name, if every term names some. */
function namesIn({ spec }: Pod): Set<string> | undefined {
  const required =
    spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  const terms = required?.nodeSelectorTerms ?? [];
  if (terms.length === 0) return undefined;
  const names = new Set<string>();
  for (const term of terms) {
    const named = namesInTerm(term);
    if (!named) return undefined;
    for (const nodeName of named) names.add(nodeName);
  }
  return names;
}

/** Conditions of a term hold together, so the names must be in all of them. */
function namesInTerm({ matchFields }: NodeSelectorTerm) {
  let names: readonly string[] | undefined;
  for (const { key, operator, values = [] } of matchFields ?? []) {
    if (key !== "metadata.name" || operator !== "In") continue;
    names = names?.filter((nodeName) => values.includes(nodeName)) ?? values;
  }
  return names;
}

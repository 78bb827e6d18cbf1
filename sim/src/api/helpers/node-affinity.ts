/**
 * Node affinity: which Nodes a Pod asks for, by labels and by name.
 * The scheduler, the DaemonSet controller and the kubelet all ask this.
 * Models:     component-helpers/scheduling/corev1/nodeaffinity @ v1.36
 * Leaves out: nothing. A term that cannot be read matches no Node.
 */
import type { Node, NodeSelector, NodeSelectorTerm } from "../kinds/node.ts";
import type { Pod, PreferredSchedulingTerm } from "../kinds/pod.ts";
import type { Operator } from "../selector/requirement.ts";
import { matcherOf, requirement } from "../selector/requirement.ts";
import { SelectorError, setSelector } from "../selector.ts";
import type { Labels } from "../types.ts";

/** A question about a Node, prepared once and then cheap. */
export type NodeTest = (node: Node) => boolean;

type LabelTest = (labels: Labels) => boolean;

const noLabels: Labels = Object.freeze({});

/** `nodeSelector` and required node affinity; undefined if there is neither. */
export function requiredNodeAffinity(pod: Pod): NodeTest | undefined {
  const { nodeSelector, affinity } = pod.spec;
  const required =
    affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  if (!nodeSelector && !required) return undefined;
  const labels = nodeSelector ? labelTest(nodeSelector) : undefined;
  const terms = required ? nodeSelectorTest(required) : undefined;
  return (node) =>
    (!labels || labels(node.metadata.labels ?? noLabels)) &&
    (!terms || terms(node));
}

/** True for a Node that matches one of the selector's terms at least. */
export function nodeSelectorTest(selector: NodeSelector): NodeTest {
  const tests: NodeTest[] = [];
  for (const term of selector.nodeSelectorTerms ?? []) {
    const test = termTest(term);
    if (test) tests.push(test);
  }
  return (node) => {
    for (const test of tests) if (test(node)) return true;
    return false;
  };
}

/** Sum of the weights of the preferred terms that a Node matches. */
export function nodePreference(
  terms: readonly PreferredSchedulingTerm[],
): (node: Node) => number {
  const weighted: { weight: number; test: NodeTest }[] = [];
  for (const { weight, preference } of terms) {
    const test = weight === 0 ? undefined : termTest(preference);
    if (test) weighted.push({ weight, test });
  }
  return (node) => {
    let sum = 0;
    for (const { weight, test } of weighted) if (test(node)) sum += weight;
    return sum;
  };
}

/** All conditions of one term; undefined for one that matches nothing. */
function termTest(term: NodeSelectorTerm): NodeTest | undefined {
  const { matchExpressions = [], matchFields = [] } = term;
  if (matchExpressions.length + matchFields.length === 0) return undefined;
  try {
    const labelTests = matchExpressions.map(expressionTest);
    const fieldTests = matchFields.map(fieldTest);
    return (node) => {
      const labels = node.metadata.labels ?? noLabels;
      for (const test of labelTests) if (!test(labels)) return false;
      for (const test of fieldTests) if (!test(node)) return false;
      return true;
    };
  } catch (error) {
    if (error instanceof SelectorError) return undefined;
    throw error;
  }
}

interface NodeRequirement {
  readonly key: string;
  readonly operator: string;
  readonly values?: readonly string[];
}

const operators: ReadonlyMap<string, Operator> = new Map([
  ["In", "in"],
  ["NotIn", "notin"],
  ["Exists", "exists"],
  ["DoesNotExist", "!"],
  ["Gt", "gt"],
  ["Lt", "lt"],
]);

function expressionTest(one: NodeRequirement): LabelTest {
  const operator = operators.get(one.operator);
  if (!operator) throw new SelectorError(`no operator ${one.operator}`);
  return matcherOf(requirement(one.key, operator, one.values ?? []));
}

/** The only field of a Node that can be asked for is its name. */
function fieldTest(one: NodeRequirement): NodeTest {
  const { key, operator, values = [] } = one;
  const [value] = values;
  const known = operator === "In" || operator === "NotIn";
  if (!known || values.length !== 1) {
    throw new SelectorError(`field ${key} takes In or NotIn and one value`);
  }
  const wanted = operator === "In";
  return ({ metadata }) => {
    const actual = key === "metadata.name" ? metadata.name : "";
    return (actual === value) === wanted;
  };
}

function labelTest(labels: Labels): LabelTest {
  try {
    return setSelector(labels).matches;
  } catch (error) {
    if (error instanceof SelectorError) return () => false;
    throw error;
  }
}

/**
 * Label selectors, from text and from objects, ready to match.
 * Models:     apimachinery/pkg/labels, meta/v1/helpers.go @ v1.36
 */
import { quote } from "../go-text.ts";
import type { Labels } from "../types.ts";
import { parseRequirements } from "./parse.ts";
import type { Operator, Requirement } from "./requirement.ts";
import {
  matcherOf,
  requirement,
  requirementText,
  SelectorError,
} from "./requirement.ts";

/** `spec.selector` of most kinds. */
export interface LabelSelectorObject {
  readonly matchLabels?: Labels;
  readonly matchExpressions?: readonly {
    readonly key: string;
    readonly operator: string;
    readonly values?: readonly string[];
  }[];
}

/** Conditions that all must hold. None holds always. */
export interface LabelSelector {
  readonly requirements: readonly Requirement[];
  /** No condition at all: matches everything. */
  readonly empty: boolean;
  matches(labels: Labels | undefined): boolean;
  /** As the API server writes it: "app in (db,web),tier". */
  toString(): string;
}

const noLabels: Labels = Object.freeze({});

/** The selector of `?labelSelector=…` and `kubectl -l`. Throws SelectorError. */
export function parseLabelSelector(text: string): LabelSelector {
  return selectorOf(parseRequirements(text));
}

/** Matches nothing: what an absent selector object means. */
export const nothing: LabelSelector = Object.freeze({
  requirements: [],
  empty: false,
  matches: () => false,
  toString: () => "",
});

/** Matches everything. */
export const everything: LabelSelector = selectorOf([]);

/** The selector of an object. Absent matches nothing, `{}` everything. */
export function labelSelector(
  object: LabelSelectorObject | null | undefined,
): LabelSelector {
  if (!object) return nothing;
  if (Object.isFrozen(object)) return selectorFor(object);
  return compile(object);
}

function compile(object: LabelSelectorObject): LabelSelector {
  const exact = Object.entries(object.matchLabels ?? {}).map(([key, value]) =>
    requirement(key, "=", [value]),
  );
  const others = (object.matchExpressions ?? []).map(
    ({ key, operator, values }) =>
      requirement(key, operatorOf(operator), (values ?? []).toSorted()),
  );
  const all = [...exact, ...others];
  return selectorOf(
    all.toSorted((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0)),
  );
}

const compiled = new WeakMap<LabelSelectorObject, LabelSelector>();

/** The same, remembered by the object: stored objects never change. */
export function selectorFor(
  object: LabelSelectorObject | null | undefined,
): LabelSelector {
  if (!object) return nothing;
  const known = compiled.get(object);
  if (known) return known;
  const made = compile(object);
  compiled.set(object, made);
  return made;
}

/** The selector whose labels must all be there, as Services have it. */
export function setSelector(labels: Labels): LabelSelector {
  let made = compiledSets.get(labels);
  if (!made)
    compiledSets.set(labels, (made = labelSelector({ matchLabels: labels })));
  return made;
}

const compiledSets = new WeakMap<Labels, LabelSelector>();

/** The selector as `kubectl describe` shows it. */
export function labelSelectorText(
  object: LabelSelectorObject | null | undefined,
): string {
  try {
    return labelSelector(object).toString() || "<none>";
  } catch (error) {
    if (error instanceof SelectorError) return "<error>";
    throw error;
  }
}

const objectOperators: ReadonlyMap<string, Operator> = new Map([
  ["In", "in"],
  ["NotIn", "notin"],
  ["Exists", "exists"],
  ["DoesNotExist", "!"],
]);

function operatorOf(text: string): Operator {
  const operator = objectOperators.get(text);
  if (operator) return operator;
  throw new SelectorError(
    `${quote(text)} is not a valid label selector operator`,
  );
}

function selectorOf(requirements: readonly Requirement[]): LabelSelector {
  const tests = requirements.map(matcherOf);
  // The Pods of one owner share their labels: the last answer often serves.
  let asked: Labels | undefined;
  let answer = tests.length === 0;
  const matches = (labels: Labels = noLabels): boolean => {
    if (labels === asked || tests.length === 0) return answer;
    asked = labels;
    answer = tests.every((test) => test(labels));
    return answer;
  };
  return {
    requirements,
    empty: requirements.length === 0,
    matches,
    toString: () => requirements.map(requirementText).join(","),
  };
}

/**
 * Labels of Nodes that are on their way out, wherever Nodes are selected.
 * Models: pkg/api/node/util.go @ v1.36
 */
import { list, obj, str, strings } from "../kinds/access.ts";
import { labelValue } from "../names.ts";
import type { JsonObject } from "../types.ts";

/** What to use in place of each. */
const deprecated: ReadonlyMap<string, string> = new Map([
  since("1.14", "beta.kubernetes.io/arch", "kubernetes.io/arch"),
  since("1.14", "beta.kubernetes.io/os", "kubernetes.io/os"),
  since(
    "1.17",
    "failure-domain.beta.kubernetes.io/region",
    "topology.kubernetes.io/region",
  ),
  since(
    "1.17",
    "failure-domain.beta.kubernetes.io/zone",
    "topology.kubernetes.io/zone",
  ),
  since(
    "1.17",
    "beta.kubernetes.io/instance-type",
    "node.kubernetes.io/instance-type",
  ),
  ["app.kubernetes.io/created-by", "deprecated since v1.9"],
  [
    "scheduler.alpha.kubernetes.io/preferAvoidPods",
    "deprecated since v1.22; use Taints and Tolerations instead",
  ],
  [
    "node-role.kubernetes.io/master",
    'use "node-role.kubernetes.io/control-plane" instead',
  ],
]);

function since(version: string, key: string, use: string): [string, string] {
  return [key, `deprecated since v${version}; use "${use}" instead`];
}

/** Of the keys of a map of labels; `path` says where one stands. */
export function mapWarnings(
  labels: unknown,
  path: (key: string) => string,
): string[] {
  return Object.keys(obj(labels)).flatMap((key) => {
    const why = deprecated.get(key);
    return why ? [`${path(key)}: ${why}`] : [];
  });
}

/** Of one key that stands at `path`. */
export function keyWarnings(key: string, path: string): string[] {
  const why = deprecated.get(key);
  return why ? [`${path}: ${key} is ${why}`] : [];
}

/** Of a term of a node selector; values are refused if it must hold. */
export function termWarnings(
  term: JsonObject,
  path: string,
  must: boolean,
): string[] {
  return list(term.matchExpressions).flatMap((expression, i) => {
    const here = `${path}.matchExpressions[${i}]`;
    const ofKey = keyWarnings(str(expression.key), `${here}.key`);
    if (must) return ofKey;
    const ofValues = strings(expression.values).flatMap((value, j) =>
      labelValue(value).map(
        (text) => `${here}.values[${j}]: ${value} is invalid, ${text}`,
      ),
    );
    return [...ofKey, ...ofValues];
  });
}

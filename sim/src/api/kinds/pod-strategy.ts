/**
 * What the server does to a Pod between admission and storage.
 * Models: pkg/registry/core/pod/strategy.go, pkg/apis/core/helper/qos @ v1.36
 */
import type { Json, JsonObject, Labels } from "../types.ts";
import { list, mapShared, obj, str, strings, withFields } from "./access.ts";
import type { Obj } from "./definition.ts";
import { mirrorServiceAccount } from "./pod-template-defaults.ts";
import { qosOf } from "./qos.ts";

/** A new Pod is Pending; its QoS class is fixed from its resources. */
export function preparePod(pod: Obj): Obj {
  const labels = pod.metadata.labels ?? {};
  const spec = keyedByLabels(mirrorServiceAccount(obj(pod.spec)), labels);
  const status: { [field: string]: Json } = {
    phase: "Pending",
    qosClass: qosOf(spec),
  };
  if (list(spec.schedulingGates).length > 0) {
    status.conditions = [
      {
        type: "PodScheduled",
        status: "False",
        reason: "SchedulingGated",
        message: "Scheduling is blocked due to non-empty scheduling gates",
      },
    ];
  }
  return { ...pod, spec, status };
}

export function preparePodUpdate(pod: Obj, old: Obj): Obj {
  const spec = mirrorServiceAccount(obj(pod.spec));
  const before = obj(old.status);
  const gated = list(obj(old.spec).schedulingGates).length > 0;
  const open = gated && list(spec.schedulingGates).length === 0;
  const status = open ? withoutGateCondition(before) : before;
  return { ...pod, spec, status };
}

function withoutGateCondition(status: JsonObject): JsonObject {
  const conditions = list(status.conditions).filter(
    (c) => !(c.type === "PodScheduled" && c.reason === "SchedulingGated"),
  );
  const { conditions: _, ...rest } = status;
  return conditions.length > 0 ? { ...rest, conditions } : rest;
}

/** `matchLabelKeys`: the Pod's own values of these keys join the selector. */
function keyedByLabels(spec: JsonObject, labels: Labels): JsonObject {
  let next = spec;
  if (next.topologySpreadConstraints !== undefined) {
    const topologySpreadConstraints = mapShared(
      next.topologySpreadConstraints,
      (item) => joined(item, strings(item.matchLabelKeys), labels, "In"),
    );
    next = withFields<JsonObject>(next, { topologySpreadConstraints });
  }
  const affinity = obj(next.affinity);
  for (const kind of ["podAffinity", "podAntiAffinity"]) {
    if (affinity[kind] === undefined) continue;
    const changed = keyedTerms(obj(affinity[kind]), labels);
    if (changed === affinity[kind]) continue;
    next = { ...next, affinity: { ...obj(next.affinity), [kind]: changed } };
  }
  return next;
}

function keyedTerms(affinity: JsonObject, labels: Labels): JsonObject {
  const keyed = (term: JsonObject) => {
    const added = joined(term, strings(term.matchLabelKeys), labels, "In");
    return joined(added, strings(term.mismatchLabelKeys), labels, "NotIn");
  };
  const hard = "requiredDuringSchedulingIgnoredDuringExecution";
  const soft = "preferredDuringSchedulingIgnoredDuringExecution";
  let next = affinity;
  if (next[hard] !== undefined) {
    next = withFields<JsonObject>(next, {
      [hard]: mapShared(next[hard], keyed),
    });
  }
  if (next[soft] !== undefined) {
    const terms = mapShared(next[soft], (term) =>
      withFields<JsonObject>(term, {
        podAffinityTerm: keyed(obj(term.podAffinityTerm)),
      }),
    );
    next = withFields<JsonObject>(next, { [soft]: terms });
  }
  return next;
}

function joined(
  term: JsonObject,
  keys: readonly string[],
  labels: Labels,
  operator: string,
): JsonObject {
  const added = keys
    .filter((key) => labels[key] !== undefined)
    .map((key) => ({ key, operator, values: [str(labels[key])] }));
  if (added.length === 0 || term.labelSelector === undefined) return term;
  const selector = obj(term.labelSelector);
  const matchExpressions = [...list(selector.matchExpressions), ...added];
  return { ...term, labelSelector: { ...selector, matchExpressions } };
}

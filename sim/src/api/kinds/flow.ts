/**
 * FlowSchema and PriorityLevelConfiguration: which requests wait for which,
 * and how long, when an API server has too much to do.
 * Models: pkg/registry/flowcontrol, pkg/apis/flowcontrol/v1/defaults.go @ v1.36
 */
import { age, columns } from "../table.ts";
import type { JsonObject } from "../types.ts";
import { at, list, num, obj, str, withFields } from "./access.ts";
import { defineKind, metaOfOld } from "./define.ts";
import type { Kind } from "./definition.ts";
import { conditionErrors, flowSchemaErrors } from "./flow-validation.ts";
import { priorityLevelErrors } from "./priority-level-validation.ts";

/** What both are alike in. */
const SHARED = {
  group: "flowcontrol.apiserver.k8s.io",
  namespaced: false,
  emptyStatus: {},
  statusKeeps: metaOfOld,
  validateStatusChange: conditionErrors,
  updateOrder: ["meta", "rules"],
  generationOf: ["spec"],
} as const;

export const FlowSchema: Kind = defineKind({
  ...SHARED,
  kind: "FlowSchema",
  validate: flowSchemaErrors,
  hooks: { FlowSchemaSpec: precedenceDefault },
  columns: columns(
    "Name|PriorityLevel|MatchingPrecedence|DistinguisherMethod|Age|MissingPL",
  ),
  row: (object, now) => {
    const { priorityLevelConfiguration, matchingPrecedence } = obj(object.spec);
    const method = at(object, "spec", "distinguisherMethod", "type");
    const dangling = list(at(object, "status", "conditions")).find(
      ({ type }) => type === "Dangling",
    );
    return {
      cells: [
        object.metadata.name,
        str(obj(priorityLevelConfiguration).name),
        num(matchingPrecedence),
        str(method) || "<none>",
        age(object, now),
        str(dangling?.status) || "?",
      ],
    };
  },
});

export const PriorityLevelConfiguration: Kind = defineKind({
  ...SHARED,
  kind: "PriorityLevelConfiguration",
  validate: priorityLevelErrors,
  hooks: { QueuingConfiguration: queuingDefaults },
  columns: columns(
    "Name|Type|NominalConcurrencyShares|Queues|HandSize|QueueLengthLimit|Age",
  ),
  row: (object, now) => {
    const limited = at(object, "spec", "limited");
    const queuing = obj(at(limited, "limitResponse", "queuing"));
    return {
      cells: [
        object.metadata.name,
        str(at(object, "spec", "type")),
        shown(obj(limited).nominalConcurrencyShares),
        ...["queues", "handSize", "queueLengthLimit"].map((field) =>
          shown(queuing[field]),
        ),
        age(object, now),
      ],
    };
  },
});

function shown(value: unknown): number | string {
  return typeof value === "number" ? value : "<none>";
}

function precedenceDefault(spec: JsonObject): JsonObject {
  const matchingPrecedence = num(spec.matchingPrecedence) || 1000;
  return withFields<JsonObject>(spec, { matchingPrecedence });
}

function queuingDefaults(queuing: JsonObject): JsonObject {
  return withFields<JsonObject>(queuing, {
    queues: num(queuing.queues) || 64,
    handSize: num(queuing.handSize) || 8,
    queueLengthLimit: num(queuing.queueLengthLimit) || 50,
  });
}

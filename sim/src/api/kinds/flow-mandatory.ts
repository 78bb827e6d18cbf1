/**
 * Flow schemas and priority levels without which an API server could lock
 * itself out: their specs are fixed.
 * Models: MandatoryFlowSchemas, MandatoryPriorityLevelConfigurations of
 *         apiserver/pkg/apis/flowcontrol/bootstrap/default.go @ v1.36
 */
import type { JsonObject } from "../types.ts";

/** Every verb of everything, wherever it is. */
export function everyRequest(): JsonObject {
  const [verbs, all] = [["*"], ["*"]];
  return {
    resourceRules: [
      {
        verbs,
        apiGroups: all,
        resources: all,
        clusterScope: true,
        namespaces: all,
      },
    ],
    nonResourceRules: [{ verbs, nonResourceURLs: all }],
  };
}

export function groupSubjects(...names: string[]): JsonObject[] {
  return names.map((name) => ({ kind: "Group", group: { name } }));
}

/** The fixed spec of a flow schema; none for most names. */
export function mandatorySchema(name: string): JsonObject | undefined {
  if (name === "exempt") return schemaOf(name, 1, "system:masters");
  if (name !== "catch-all") return undefined;
  const everybody = ["system:unauthenticated", "system:authenticated"];
  return {
    ...schemaOf(name, 10000, ...everybody),
    distinguisherMethod: { type: "ByUser" },
  };
}

function schemaOf(
  name: string,
  matchingPrecedence: number,
  ...groups: string[]
): JsonObject {
  const rule = { subjects: groupSubjects(...groups), ...everyRequest() };
  const priorityLevelConfiguration = { name };
  return { priorityLevelConfiguration, matchingPrecedence, rules: [rule] };
}

/** The same of a priority level. */
export function mandatoryLevel(name: string): JsonObject | undefined {
  if (name === "exempt") {
    const exempt = { nominalConcurrencyShares: 0, lendablePercent: 0 };
    return { type: "Exempt", exempt };
  }
  if (name !== "catch-all") return undefined;
  const limited = {
    nominalConcurrencyShares: 5,
    limitResponse: { type: "Reject" },
    lendablePercent: 0,
  };
  return { type: "Limited", limited };
}

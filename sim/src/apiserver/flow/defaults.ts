/**
 * Flow schemas and priority levels that a server makes by itself. They are
 * made when somebody first looks at their group: most runs never do.
 * Models: apiserver/pkg/apis/flowcontrol/bootstrap/default.go @ v1.36
 */
import {
  everyRequest,
  groupSubjects as groups,
  mandatoryLevel,
  mandatorySchema,
} from "../../api/kinds/flow-mandatory.ts";
import type { JsonObject } from "../../api/types.ts";

function resourceRule(
  verbs: readonly string[],
  apiGroups: readonly string[],
  resources: readonly string[],
  clusterScope = false,
): JsonObject {
  const scope = clusterScope ? { clusterScope } : {};
  return { verbs, apiGroups, resources, ...scope, namespaces: ["*"] };
}

function users(...names: string[]): JsonObject[] {
  return names.map((name) => ({ kind: "User", user: { name } }));
}
function systemAccounts(...names: string[]): JsonObject[] {
  return names.map((name) => ({
    kind: "ServiceAccount",
    serviceAccount: { namespace: "kube-system", name },
  }));
}

function schema(
  name: string,
  level: string,
  matchingPrecedence: number,
  method: string,
  subjects: readonly JsonObject[],
  rules: JsonObject = everyRequest(),
): JsonObject {
  return {
    metadata: { name },
    spec: {
      priorityLevelConfiguration: { name: level },
      matchingPrecedence,
      ...(method ? { distinguisherMethod: { type: method } } : {}),
      rules: [{ subjects, ...rules }],
    },
  };
}

let schemas: readonly JsonObject[] | undefined;

/** In the order in which they are tried. */
export function flowSchemas(): readonly JsonObject[] {
  schemas ??= [...ofTheSystem(), ...ofNodes(), ...ofOthers()];
  return schemas;
}

const MANAGER = "system:kube-controller-manager";
const SCHEDULER = "system:kube-scheduler";

function everybody(): JsonObject[] {
  return groups("system:unauthenticated", "system:authenticated");
}

function beats(group: string, ...resources: string[]): JsonObject {
  return resourceRule(["get", "create", "update"], [group], resources);
}

function ofTheSystem(): JsonObject[] {
  const leases = beats("coordination.k8s.io", "leases");
  return [
    { metadata: { name: "exempt" }, spec: mandatorySchema("exempt") },
    schema("probes", "exempt", 2, "", everybody(), {
      nonResourceRules: [
        { verbs: ["get"], nonResourceURLs: ["/healthz", "/readyz", "/livez"] },
      ],
    }),
    schema(
      "system-leader-election",
      "leader-election",
      100,
      "ByUser",
      [...users(MANAGER, SCHEDULER), ...systemAccounts("*")],
      { resourceRules: [leases] },
    ),
    schema(
      "endpoint-controller",
      "workload-high",
      150,
      "ByUser",
      [
        ...users(MANAGER),
        ...systemAccounts(
          "endpoint-controller",
          "endpointslicemirroring-controller",
        ),
      ],
      { resourceRules: [beats("", "endpoints")] },
    ),
    schema(
      "workload-leader-election",
      "leader-election",
      200,
      "ByUser",
      systemAccounts("*"),
      {
        resourceRules: [beats("", "endpoints", "configmaps"), leases],
      },
    ),
  ];
}

function ofNodes(): JsonObject[] {
  const nodes = groups("system:nodes");
  const all = ["*"];
  const resourceRules = [
    resourceRule(all, [""], ["nodes", "nodes/status"], true),
    resourceRule(all, ["coordination.k8s.io"], ["leases"]),
  ];
  const beating = { resourceRules };
  return [
    schema("system-node-high", "node-high", 400, "ByUser", nodes, beating),
    schema("system-nodes", "system", 500, "ByUser", nodes),
  ];
}

function ofOthers(): JsonObject[] {
  const byNamespace = (name: string, precedence: number, who: JsonObject[]) =>
    schema(name, "workload-high", precedence, "ByNamespace", who);
  const byUser = (name: string, level: string, at: number, who: JsonObject[]) =>
    schema(name, level, at, "ByUser", who);
  const accounts = groups("system:serviceaccounts");
  return [
    byNamespace("kube-controller-manager", 800, users(MANAGER)),
    byNamespace("kube-scheduler", 800, users(SCHEDULER)),
    byNamespace("kube-system-service-accounts", 900, systemAccounts("*")),
    byUser("service-accounts", "workload-low", 9000, accounts),
    byUser("global-default", "global-default", 9900, everybody()),
    { metadata: { name: "catch-all" }, spec: mandatorySchema("catch-all") },
  ];
}

function level(
  name: string,
  nominalConcurrencyShares: number,
  lendablePercent: number,
  queues: number,
  handSize: number,
): JsonObject {
  const queuing = { queues, handSize, queueLengthLimit: 50 };
  const limitResponse = { type: "Queue", queuing };
  const limited = { nominalConcurrencyShares, limitResponse, lendablePercent };
  return { metadata: { name }, spec: { type: "Limited", limited } };
}

function fixed(name: string): JsonObject {
  return { metadata: { name }, spec: mandatoryLevel(name) };
}

export function priorityLevels(): readonly JsonObject[] {
  return [
    fixed("catch-all"),
    fixed("exempt"),
    level("global-default", 20, 50, 128, 6),
    level("leader-election", 10, 0, 16, 4),
    level("node-high", 40, 25, 64, 6),
    level("system", 30, 33, 64, 6),
    level("workload-high", 40, 50, 128, 6),
    level("workload-low", 100, 90, 128, 6),
  ];
}

/** Deployments and ReplicaSets of given sizes, for the replayers. */
import type { IntOrString } from "../../sim/src/api/intstr.ts";
import type { Deployment } from "../../sim/src/api/kinds/deployment.ts";
import type { ReplicaSet } from "../../sim/src/api/kinds/replicaset.ts";

const template = { metadata: { labels: { app: "web" } }, spec: { containers: [] } };
const selector = { matchLabels: { app: "web" } };

export function deployment(
  replicas: number,
  rollingUpdate: { maxSurge?: IntOrString; maxUnavailable?: IntOrString },
  type = "RollingUpdate",
): Deployment {
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name: "web", namespace: "default", uid: "d" },
    spec: { replicas, selector, template, strategy: { type, rollingUpdate } },
  };
}

export function replicaSet(
  name: string,
  replicas: number,
  available: number,
  /** Minutes after midnight. */
  created: number,
  annotations: Record<string, string> = {},
): ReplicaSet {
  const minutes = String(created).padStart(2, "0");
  return {
    apiVersion: "apps/v1",
    kind: "ReplicaSet",
    metadata: {
      name,
      namespace: "default",
      uid: name,
      annotations,
      creationTimestamp: `2026-01-01T00:${minutes}:00Z`,
    },
    spec: { replicas, selector, template },
    status: { replicas, availableReplicas: available },
  };
}

/** The generators of `kubectl create`, by the words that name them. */
import {
  createConfigMap,
  createDisruptionBudget,
  createNamespace,
  createPriorityClass,
  createQuota,
  createServiceAccount,
} from "./config.ts";
import type { Generator } from "./generator.ts";
import { createIngress } from "./ingress.ts";
import {
  createClusterRole,
  createClusterRoleBinding,
  createRole,
  createRoleBinding,
} from "./rbac.ts";
import { createCronJob, createDeployment, createJob } from "./workloads.ts";

export const GENERATORS: { readonly [name: string]: Generator } = {
  deployment: createDeployment,
  deploy: createDeployment,
  job: createJob,
  cronjob: createCronJob,
  cj: createCronJob,
  configmap: createConfigMap,
  cm: createConfigMap,
  namespace: createNamespace,
  ns: createNamespace,
  serviceaccount: createServiceAccount,
  sa: createServiceAccount,
  quota: createQuota,
  resourcequota: createQuota,
  priorityclass: createPriorityClass,
  pc: createPriorityClass,
  poddisruptionbudget: createDisruptionBudget,
  pdb: createDisruptionBudget,
  role: createRole,
  clusterrole: createClusterRole,
  rolebinding: createRoleBinding,
  clusterrolebinding: createClusterRoleBinding,
  ingress: createIngress,
  ing: createIngress,
};

/** By the name that is longest: `configmap` of `cm`. */
export function fullName(word: string): string {
  const own = GENERATORS[word];
  const names = Object.keys(GENERATORS).filter((n) => GENERATORS[n] === own);
  return names.toSorted((a, b) => b.length - a.length)[0]!;
}

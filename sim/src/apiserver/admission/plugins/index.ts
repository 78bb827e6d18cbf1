/**
 * The built-in plugins in upstream's order: what a later one sees was
 * completed by the earlier ones.
 * Models: pkg/kubeapiserver/options/plugins.go @ v1.36
 */
import type { AdmissionPlugin } from "../plugin.ts";
import { mutatingAdmissionPolicy } from "../policies/mutating.ts";
import { validatingAdmissionPolicy } from "../policies/validating.ts";
import { mutatingWebhook, validatingWebhook } from "../webhooks/plugins.ts";
import {
  certificateApproval,
  certificateSigning,
  certificateSubjectRestriction,
} from "./certificates.ts";
import { defaultTolerationSeconds } from "./default-toleration-seconds.ts";
import { defaultIngressClass } from "./ingress-class.ts";
import { limitRanger } from "./limit-ranger.ts";
import { namespaceLifecycle } from "./namespace-lifecycle.ts";
import { nodeRestriction } from "./node-restriction.ts";
import { podResize } from "./pod-resize.ts";
import { podSecurity } from "./pod-security.ts";
import { podTopologyLabels } from "./pod-topology-labels.ts";
import { priority } from "./priority.ts";
import { resourceQuota } from "./resource-quota.ts";
import { runtimeClass } from "./runtime-class.ts";
import { serviceAccount } from "./service-account.ts";
import {
  defaultStorageClass,
  persistentVolumeClaimResize,
  storageObjectInUseProtection,
} from "./storage.ts";
import { taintNodesByCondition } from "./taint-nodes-by-condition.ts";

export const PLUGINS: readonly AdmissionPlugin[] = [
  namespaceLifecycle,
  limitRanger,
  serviceAccount,
  nodeRestriction,
  taintNodesByCondition,
  podSecurity,
  priority,
  defaultTolerationSeconds,
  defaultStorageClass,
  storageObjectInUseProtection,
  persistentVolumeClaimResize,
  runtimeClass,
  certificateApproval,
  certificateSigning,
  certificateSubjectRestriction,
  defaultIngressClass,
  podTopologyLabels,
  podResize,
  mutatingAdmissionPolicy,
  mutatingWebhook,
  validatingAdmissionPolicy,
  validatingWebhook,
  resourceQuota,
];

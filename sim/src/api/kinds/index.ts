/**
 * Every built-in kind, and the fields of all.
 * Models: pkg/controlplane/instance.go, legacyscheme @ v1.36
 */

import { schemaTexts } from "../schema/texts.ts";
import { HorizontalPodAutoscalerV1 } from "./autoscaler-v1.ts";
import { Binding } from "./binding.ts";
import { CertificateSigningRequest } from "./certificatesigningrequest.ts";
import { ClusterRole } from "./clusterrole.ts";
import { ClusterRoleBinding } from "./clusterrolebinding.ts";
import { ComponentStatus } from "./componentstatus.ts";
import { ConfigMap } from "./configmap.ts";
import { ControllerRevision } from "./controllerrevision.ts";
import { CronJob } from "./cronjob.ts";
import { CSIDriver } from "./csidriver.ts";
import { CSINode } from "./csinode.ts";
import { CSIStorageCapacity } from "./csistoragecapacity.ts";
import { CustomResourceDefinition } from "./customresourcedefinition.ts";
import { DaemonSet } from "./daemonset.ts";
import type { Kind } from "./definition.ts";
import { Deployment } from "./deployment.ts";
import { Endpoints } from "./endpoints.ts";
import { EndpointSlice } from "./endpointslice.ts";
import { Event } from "./event.ts";
import { EventsEvent } from "./events-event.ts";
import { FlowSchema, PriorityLevelConfiguration } from "./flow.ts";
import { HorizontalPodAutoscaler } from "./horizontalpodautoscaler.ts";
import { Ingress } from "./ingress.ts";
import { IngressClass } from "./ingressclass.ts";
import { Job } from "./job.ts";
import { Lease } from "./lease.ts";
import { LimitRange } from "./limitrange.ts";
import { MutatingAdmissionPolicy } from "./mutatingadmissionpolicy.ts";
import { MutatingAdmissionPolicyBinding } from "./mutatingadmissionpolicybinding.ts";
import { MutatingWebhookConfiguration } from "./mutatingwebhookconfiguration.ts";
import { Namespace } from "./namespace.ts";
import { NetworkPolicy } from "./networkpolicy.ts";
import { Node } from "./node.ts";
import { PersistentVolume } from "./persistentvolume.ts";
import { PersistentVolumeClaim } from "./persistentvolumeclaim.ts";
import { Pod } from "./pod.ts";
import { podTemplateHooks } from "./pod-template-defaults.ts";
import { PodDisruptionBudget } from "./poddisruptionbudget.ts";
import { PodTemplate } from "./podtemplate.ts";
import { PriorityClass } from "./priorityclass.ts";
import { Kinds } from "./registry.ts";
import { ReplicaSet } from "./replicaset.ts";
import { ReplicationController } from "./replicationcontroller.ts";
import { ResourceQuota } from "./resourcequota.ts";
import {
  LocalSubjectAccessReview,
  SelfSubjectAccessReview,
  SelfSubjectReview,
  SelfSubjectRulesReview,
  SubjectAccessReview,
  TokenReview,
} from "./reviews.ts";
import { Role } from "./role.ts";
import { RoleBinding } from "./rolebinding.ts";
import { RuntimeClass } from "./runtimeclass.ts";
import { Secret } from "./secret.ts";
import { Service } from "./service.ts";
import { ServiceAccount } from "./serviceaccount.ts";
import { StatefulSet } from "./statefulset.ts";
import { StorageClass } from "./storageclass.ts";
import {
  APIService,
  DeviceClass,
  IPAddress,
  ResourceClaim,
  ResourceClaimTemplate,
  ResourceSlice,
  ServiceCIDR,
  VolumeAttributesClass,
} from "./stored.ts";
import { Eviction, Scale, TokenRequest } from "./subresource-kinds.ts";
import { ValidatingAdmissionPolicy } from "./validatingadmissionpolicy.ts";
import { ValidatingAdmissionPolicyBinding } from "./validatingadmissionpolicybinding.ts";
import { ValidatingWebhookConfiguration } from "./validatingwebhookconfiguration.ts";
import { VolumeAttachment } from "./volumeattachment.ts";

export { defineKind, fieldsOf } from "./define.ts";
export type {
  Kind,
  Obj,
  Selectable,
  Strategy,
  Subresource,
} from "./definition.ts";
export { Kinds } from "./registry.ts";

/** In discovery's order: by group, then by name. */
export const builtInKinds: readonly Kind[] = Object.freeze([
  Binding,
  ComponentStatus,
  ConfigMap,
  Endpoints,
  Event,
  LimitRange,
  Namespace,
  Node,
  PersistentVolumeClaim,
  PersistentVolume,
  Pod,
  PodTemplate,
  ReplicationController,
  ResourceQuota,
  Secret,
  ServiceAccount,
  Service,
  APIService,
  ControllerRevision,
  DaemonSet,
  Deployment,
  ReplicaSet,
  StatefulSet,
  EventsEvent,
  SelfSubjectReview,
  TokenReview,
  LocalSubjectAccessReview,
  SelfSubjectAccessReview,
  SelfSubjectRulesReview,
  SubjectAccessReview,
  HorizontalPodAutoscaler,
  HorizontalPodAutoscalerV1,
  CronJob,
  Job,
  CertificateSigningRequest,
  IngressClass,
  Ingress,
  IPAddress,
  NetworkPolicy,
  ServiceCIDR,
  PodDisruptionBudget,
  ClusterRoleBinding,
  ClusterRole,
  RoleBinding,
  Role,
  CSIDriver,
  CSINode,
  CSIStorageCapacity,
  StorageClass,
  VolumeAttachment,
  VolumeAttributesClass,
  MutatingAdmissionPolicy,
  MutatingAdmissionPolicyBinding,
  MutatingWebhookConfiguration,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
  ValidatingWebhookConfiguration,
  CustomResourceDefinition,
  PriorityClass,
  Lease,
  RuntimeClass,
  EndpointSlice,
  DeviceClass,
  ResourceClaim,
  ResourceClaimTemplate,
  ResourceSlice,
  FlowSchema,
  PriorityLevelConfiguration,
  Eviction,
  Scale,
  TokenRequest,
]);

/** The kinds of a new cluster. A CustomResourceDefinition adds to its own alone. */
export function newKinds(): Kinds {
  return new Kinds(schemaTexts, builtInKinds, podTemplateHooks);
}

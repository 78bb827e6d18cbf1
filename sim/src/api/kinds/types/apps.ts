/**
 * Types: Workloads of the group apps.
 * Models: staging/src/k8s.io/api/apps/v1/types.go (and batch, autoscaling, …) @ v1.36
 * Longer because: it is one declaration a struct; none runs.
 */
import type { Json, KubeObject } from "../../types.ts";
import type { LabelSelector } from "./meta.ts";
import type { PodTemplateSpec } from "./pod.ts";
import type { PersistentVolumeClaim } from "./service.ts";

export interface Deployment extends KubeObject {
  readonly spec: DeploymentSpec;
  readonly status?: DeploymentStatus;
}

export interface DeploymentSpec {
  readonly replicas?: number;
  readonly selector: LabelSelector;
  readonly template: PodTemplateSpec;
  readonly strategy?: DeploymentStrategy;
  readonly minReadySeconds?: number;
  readonly revisionHistoryLimit?: number;
  readonly paused?: boolean;
  readonly progressDeadlineSeconds?: number;
}

export interface DeploymentStrategy {
  readonly type?: string;
  readonly rollingUpdate?: RollingUpdateDeployment;
}

export interface RollingUpdateDeployment {
  readonly maxUnavailable?: number | string;
  readonly maxSurge?: number | string;
}

export interface DeploymentStatus {
  readonly observedGeneration?: number;
  readonly replicas?: number;
  readonly updatedReplicas?: number;
  readonly readyReplicas?: number;
  readonly availableReplicas?: number;
  readonly unavailableReplicas?: number;
  readonly terminatingReplicas?: number;
  readonly conditions?: readonly DeploymentCondition[];
  readonly collisionCount?: number;
}

export interface DeploymentCondition {
  readonly status: string;
  readonly lastTransitionTime?: string;
  readonly lastUpdateTime?: string;
  readonly message?: string;
  readonly reason?: string;
  readonly type: string;
}

export interface ReplicaSet extends KubeObject {
  readonly spec: ReplicaSetSpec;
  readonly status?: ReplicaSetStatus;
}

export interface ReplicaSetSpec {
  readonly replicas?: number;
  readonly minReadySeconds?: number;
  readonly selector: LabelSelector;
  readonly template?: PodTemplateSpec;
}

export interface ReplicaSetStatus {
  readonly availableReplicas?: number;
  readonly conditions?: readonly ReplicaSetCondition[];
  readonly fullyLabeledReplicas?: number;
  readonly observedGeneration?: number;
  readonly readyReplicas?: number;
  readonly replicas: number;
  readonly terminatingReplicas?: number;
}

export interface ReplicaSetCondition {
  readonly status: string;
  readonly lastTransitionTime?: string;
  readonly message?: string;
  readonly reason?: string;
  readonly type: string;
}

export interface StatefulSet extends KubeObject {
  readonly spec: StatefulSetSpec;
  readonly status?: StatefulSetStatus;
}

export interface StatefulSetSpec {
  readonly replicas?: number;
  readonly selector: LabelSelector;
  readonly template: PodTemplateSpec;
  readonly volumeClaimTemplates?: readonly PersistentVolumeClaim[];
  readonly serviceName?: string;
  readonly podManagementPolicy?: string;
  readonly updateStrategy?: StatefulSetUpdateStrategy;
  readonly revisionHistoryLimit?: number;
  readonly minReadySeconds?: number;
  readonly persistentVolumeClaimRetentionPolicy?: StatefulSetPersistentVolumeClaimRetentionPolicy;
  readonly ordinals?: StatefulSetOrdinals;
}

export interface StatefulSetOrdinals {
  readonly start?: number;
}

export interface StatefulSetPersistentVolumeClaimRetentionPolicy {
  readonly whenDeleted?: string;
  readonly whenScaled?: string;
}

export interface StatefulSetUpdateStrategy {
  readonly rollingUpdate?: RollingUpdateStatefulSetStrategy;
  readonly type?: string;
}

export interface RollingUpdateStatefulSetStrategy {
  readonly maxUnavailable?: number | string;
  readonly partition?: number;
}

export interface StatefulSetStatus {
  readonly availableReplicas?: number;
  readonly collisionCount?: number;
  readonly conditions?: readonly StatefulSetCondition[];
  readonly currentReplicas?: number;
  readonly currentRevision?: string;
  readonly observedGeneration?: number;
  readonly readyReplicas?: number;
  readonly replicas: number;
  readonly updateRevision?: string;
  readonly updatedReplicas?: number;
}

export interface StatefulSetCondition {
  readonly status: string;
  readonly lastTransitionTime?: string;
  readonly message?: string;
  readonly reason?: string;
  readonly type: string;
}

export interface DaemonSet extends KubeObject {
  readonly spec: DaemonSetSpec;
  readonly status?: DaemonSetStatus;
}

export interface DaemonSetSpec {
  readonly selector: LabelSelector;
  readonly template: PodTemplateSpec;
  readonly updateStrategy?: DaemonSetUpdateStrategy;
  readonly minReadySeconds?: number;
  readonly revisionHistoryLimit?: number;
}

export interface DaemonSetUpdateStrategy {
  readonly rollingUpdate?: RollingUpdateDaemonSet;
  readonly type?: string;
}

export interface RollingUpdateDaemonSet {
  readonly maxSurge?: number | string;
  readonly maxUnavailable?: number | string;
}

export interface DaemonSetStatus {
  readonly collisionCount?: number;
  readonly conditions?: readonly DaemonSetCondition[];
  readonly currentNumberScheduled: number;
  readonly desiredNumberScheduled: number;
  readonly numberAvailable?: number;
  readonly numberMisscheduled: number;
  readonly numberReady: number;
  readonly numberUnavailable?: number;
  readonly observedGeneration?: number;
  readonly updatedNumberScheduled?: number;
}

export interface DaemonSetCondition {
  readonly status: string;
  readonly lastTransitionTime?: string;
  readonly message?: string;
  readonly reason?: string;
  readonly type: string;
}

export interface ControllerRevision extends KubeObject {
  readonly data?: Json;
  readonly revision: number;
}

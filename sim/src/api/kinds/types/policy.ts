/**
 * Types: Autoscaling, disruption budgets, priorities, runtime classes.
 * Models: staging/src/k8s.io/api/{autoscaling/v2,policy/v1,scheduling/v1,node/v1}/types.go @ v1.36
 * Longer because: it is one declaration a struct; none runs.
 */
import type { Condition, KubeObject } from "../../types.ts";
import type { Toleration } from "./containers.ts";
import type { LabelSelector } from "./meta.ts";

export interface HorizontalPodAutoscaler extends KubeObject {
  readonly spec: HorizontalPodAutoscalerSpec;
  readonly status?: HorizontalPodAutoscalerStatus;
}

export interface HorizontalPodAutoscalerSpec {
  readonly behavior?: HorizontalPodAutoscalerBehavior;
  readonly maxReplicas: number;
  readonly metrics?: readonly MetricSpec[];
  readonly minReplicas?: number;
  readonly scaleTargetRef: CrossVersionObjectReference;
}

export interface HorizontalPodAutoscalerBehavior {
  readonly scaleDown?: HPAScalingRules;
  readonly scaleUp?: HPAScalingRules;
}

export interface HPAScalingRules {
  readonly policies?: readonly HPAScalingPolicy[];
  readonly selectPolicy?: string;
  readonly stabilizationWindowSeconds?: number;
  readonly tolerance?: string;
}

export interface HPAScalingPolicy {
  readonly periodSeconds: number;
  readonly type: string;
  readonly value: number;
}

export interface MetricSpec {
  readonly containerResource?: ContainerResourceMetricSource;
  readonly external?: ExternalMetricSource;
  readonly object?: ObjectMetricSource;
  readonly pods?: PodsMetricSource;
  readonly resource?: ResourceMetricSource;
  readonly type: string;
}

export interface ContainerResourceMetricSource {
  readonly container: string;
  readonly name: string;
  readonly target: MetricTarget;
}

export interface MetricTarget {
  readonly averageUtilization?: number;
  readonly averageValue?: string;
  readonly type: string;
  readonly value?: string;
}

export interface ExternalMetricSource {
  readonly metric: MetricIdentifier;
  readonly target: MetricTarget;
}

export interface MetricIdentifier {
  readonly name: string;
  readonly selector?: LabelSelector;
}

export interface ObjectMetricSource {
  readonly describedObject: CrossVersionObjectReference;
  readonly metric: MetricIdentifier;
  readonly target: MetricTarget;
}

export interface CrossVersionObjectReference {
  readonly apiVersion?: string;
  readonly kind: string;
  readonly name: string;
}

export interface PodsMetricSource {
  readonly metric: MetricIdentifier;
  readonly target: MetricTarget;
}

export interface ResourceMetricSource {
  readonly name: string;
  readonly target: MetricTarget;
}

export interface HorizontalPodAutoscalerStatus {
  readonly conditions?: readonly HorizontalPodAutoscalerCondition[];
  readonly currentMetrics?: readonly MetricStatus[];
  readonly currentReplicas?: number;
  readonly desiredReplicas: number;
  readonly lastScaleTime?: string;
  readonly observedGeneration?: number;
}

export interface HorizontalPodAutoscalerCondition {
  readonly status: string;
  readonly lastTransitionTime?: string;
  readonly message?: string;
  readonly reason?: string;
  readonly type: string;
}

export interface MetricStatus {
  readonly containerResource?: ContainerResourceMetricStatus;
  readonly external?: ExternalMetricStatus;
  readonly object?: ObjectMetricStatus;
  readonly pods?: PodsMetricStatus;
  readonly resource?: ResourceMetricStatus;
  readonly type: string;
}

export interface ContainerResourceMetricStatus {
  readonly container: string;
  readonly current: MetricValueStatus;
  readonly name: string;
}

export interface MetricValueStatus {
  readonly averageUtilization?: number;
  readonly averageValue?: string;
  readonly value?: string;
}

export interface ExternalMetricStatus {
  readonly current: MetricValueStatus;
  readonly metric: MetricIdentifier;
}

export interface ObjectMetricStatus {
  readonly current: MetricValueStatus;
  readonly describedObject: CrossVersionObjectReference;
  readonly metric: MetricIdentifier;
}

export interface PodsMetricStatus {
  readonly current: MetricValueStatus;
  readonly metric: MetricIdentifier;
}

export interface ResourceMetricStatus {
  readonly current: MetricValueStatus;
  readonly name: string;
}

export interface PodDisruptionBudget extends KubeObject {
  readonly spec: PodDisruptionBudgetSpec;
  readonly status?: PodDisruptionBudgetStatus;
}

export interface PodDisruptionBudgetSpec {
  readonly maxUnavailable?: number | string;
  readonly minAvailable?: number | string;
  readonly selector?: LabelSelector;
  readonly unhealthyPodEvictionPolicy?: string;
}

export interface PodDisruptionBudgetStatus {
  readonly conditions?: readonly Condition[];
  readonly currentHealthy?: number;
  readonly desiredHealthy?: number;
  readonly disruptedPods?: { readonly [key: string]: string };
  readonly disruptionsAllowed?: number;
  readonly expectedPods?: number;
  readonly observedGeneration?: number;
}

export interface PriorityClass extends KubeObject {
  readonly description?: string;
  readonly globalDefault?: boolean;
  readonly preemptionPolicy?: string;
  readonly value?: number;
}

export interface RuntimeClass extends KubeObject {
  readonly handler: string;
  readonly overhead?: Overhead;
  readonly scheduling?: Scheduling;
}

export interface Overhead {
  readonly podFixed?: { readonly [key: string]: string };
}

export interface Scheduling {
  readonly nodeSelector?: { readonly [key: string]: string };
  readonly tolerations?: readonly Toleration[];
}

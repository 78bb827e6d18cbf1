/**
 * Autoscaling, disruption budgets.
 * Every field, one word each; the notation is told in ../schema.ts.
 * Models: staging/src/k8s.io/api/{autoscaling/{v1,v2},policy/v1}/types.go @ v1.36
 */
export const policySchema = `
HorizontalPodAutoscaler metadata+:ObjectMeta spec!:HorizontalPodAutoscalerSpec
  status+:HorizontalPodAutoscalerStatus
HorizontalPodAutoscalerV1/HorizontalPodAutoscaler metadata+:ObjectMeta
  spec+:HorizontalPodAutoscalerSpecV1 status+:HorizontalPodAutoscalerStatusV1
HorizontalPodAutoscalerSpecV1/HorizontalPodAutoscalerSpec maxReplicas!:i
  minReplicas*:i=1 scaleTargetRef!:CrossVersionObjectReference
  targetCPUUtilizationPercentage*:i
HorizontalPodAutoscalerStatusV1/HorizontalPodAutoscalerStatus
  currentCPUUtilizationPercentage*:i currentReplicas!:i desiredReplicas!:i
  lastScaleTime:t observedGeneration*:l
HorizontalPodAutoscalerSpec behavior:HorizontalPodAutoscalerBehavior
  maxReplicas!:i metrics:[MetricSpec~ minReplicas*:i=1
  scaleTargetRef!:CrossVersionObjectReference
HorizontalPodAutoscalerBehavior scaleDown:HPAScalingRules
  scaleUp:HPAScalingRules
HPAScalingRules policies:[HPAScalingPolicy~ selectPolicy*
  stabilizationWindowSeconds*:i tolerance:q
HPAScalingPolicy periodSeconds!:i type! value!:i
MetricSpec containerResource:ContainerResourceMetricSource
  external:ExternalMetricSource object:ObjectMetricSource
  pods:PodsMetricSource resource:ResourceMetricSource type!
ContainerResourceMetricSource container! name! target!:MetricTarget
MetricTarget averageUtilization*:i averageValue:q type! value:q
ExternalMetricSource metric!:MetricIdentifier target!:MetricTarget
MetricIdentifier name! selector:LabelSelector
ObjectMetricSource describedObject!:CrossVersionObjectReference
  metric!:MetricIdentifier target!:MetricTarget
CrossVersionObjectReference apiVersion kind! name!
PodsMetricSource metric!:MetricIdentifier target!:MetricTarget
ResourceMetricSource name! target!:MetricTarget
HorizontalPodAutoscalerStatus
  conditions:[HorizontalPodAutoscalerCondition@type#type
  currentMetrics:[MetricStatus~ currentReplicas:i desiredReplicas!:i
  lastScaleTime:t observedGeneration*:l
HorizontalPodAutoscalerCondition status! lastTransitionTime:t message reason
  type!
MetricStatus containerResource:ContainerResourceMetricStatus
  external:ExternalMetricStatus object:ObjectMetricStatus
  pods:PodsMetricStatus resource:ResourceMetricStatus type!
ContainerResourceMetricStatus container! current!:MetricValueStatus name!
MetricValueStatus averageUtilization*:i averageValue:q value:q
ExternalMetricStatus current!:MetricValueStatus metric!:MetricIdentifier
ObjectMetricStatus current!:MetricValueStatus
  describedObject!:CrossVersionObjectReference metric!:MetricIdentifier
PodsMetricStatus current!:MetricValueStatus metric!:MetricIdentifier
ResourceMetricStatus current!:MetricValueStatus name!
PodDisruptionBudget metadata+:ObjectMeta spec+:PodDisruptionBudgetSpec
  status+:PodDisruptionBudgetStatus
PodDisruptionBudgetSpec maxUnavailable:o minAvailable:o selector:LabelSelector|
  unhealthyPodEvictionPolicy*
PodDisruptionBudgetStatus conditions:[Condition@type#type currentHealthy+:i
  desiredHealthy+:i disruptedPods:{t disruptionsAllowed+:i expectedPods+:i
  observedGeneration:l
`;

/**
 * Endpoints, quotas, limits, ReplicationController, and what is rarely seen.
 * Every field, one word each; the notation is told in ../schema.ts.
 * Models: staging/src/k8s.io/api/core/v1/types.go @ v1.36
 */
export const coreOthersSchema = `
Endpoints metadata+:ObjectMeta subsets:[EndpointSubset~
EndpointSubset addresses:[EndpointAddress~ notReadyAddresses:[EndpointAddress~
  ports:[EndpointPort~
EndpointAddress~ hostname ip! nodeName* targetRef:ObjectReference
EndpointPort~ appProtocol* name port!:i protocol=TCP
ResourceQuota metadata+:ObjectMeta spec+:ResourceQuotaSpec
  status+:ResourceQuotaStatus
ResourceQuotaSpec hard:{q scopeSelector:ScopeSelector scopes:[s~
ScopeSelector~ matchExpressions:[ScopedResourceSelectorRequirement
ScopedResourceSelectorRequirement~ scopeName! operator! values:[s
ResourceQuotaStatus hard:{q used:{q
LimitRange metadata+:ObjectMeta spec+:LimitRangeSpec
LimitRangeSpec limits!:[LimitRangeItem~
LimitRangeItem type! max:{q min:{q default:{q defaultRequest:{q
  maxLimitRequestRatio:{q
ReplicationController metadata+:ObjectMeta spec+:ReplicationControllerSpec
  status+:ReplicationControllerStatus
ReplicationControllerSpec minReadySeconds:i replicas*:i=1 selector:{s~
  template:PodTemplateSpec
ReplicationControllerStatus availableReplicas:i
  conditions:[ReplicationControllerCondition@type#type fullyLabeledReplicas:i
  observedGeneration:l readyReplicas:i replicas!:i
ReplicationControllerCondition status! lastTransitionTime:t message reason
  type!
ComponentStatus metadata+:ObjectMeta conditions:[ComponentCondition@type#type
ComponentCondition status! error message type!
EventsEvent/Event metadata+:ObjectMeta action deprecatedCount:i
  deprecatedFirstTimestamp+:t deprecatedLastTimestamp+:t
  deprecatedSource+:EventSource eventTime%:m note reason
  regarding+:ObjectReference related:ObjectReference reportingController
  reportingInstance series:EventsEventSeries type
EventsEventSeries/EventSeries count!:i lastObservedTime%:m
TokenRequest metadata+:ObjectMeta spec+:TokenRequestSpec
  status+:TokenRequestStatus
TokenRequestSpec audiences:[s boundObjectRef:BoundObjectReference
  expirationSeconds*:l=3600
BoundObjectReference apiVersion kind name uid
TokenRequestStatus expirationTimestamp:t token
Scale metadata+:ObjectMeta spec+:ScaleSpec status+:ScaleStatus
ScaleSpec replicas:i
ScaleStatus replicas!:i selector
`;

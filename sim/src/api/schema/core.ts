/**
 * Namespace, Node, Event, ServiceAccount, Secret, ConfigMap, Lease.
 * Every field, one word each; the notation is told in ../schema.ts.
 * Models: staging/src/k8s.io/api/core/v1/types.go @ v1.36
 */
export const coreSchema = `
Namespace metadata+:ObjectMeta spec+:NamespaceSpec status+:NamespaceStatus
NamespaceSpec finalizers:[s~
NamespaceStatus conditions:[NamespaceCondition@type#type phase=Active
NamespaceCondition status! lastTransitionTime:t message reason type!
Node metadata+:ObjectMeta spec+:NodeSpec status+:NodeStatus
NodeSpec podCIDR podCIDRs:[s@# providerID unschedulable:b taints:[Taint~
  configSource:NodeConfigSource externalID
NodeConfigSource configMap:ConfigMapNodeConfigSource
ConfigMapNodeConfigSource kubeletConfigKey! name! namespace! resourceVersion
  uid
Taint key! value effect! timeAdded:t
NodeStatus addresses:[NodeAddress@type#type allocatable:{q capacity:{q
  conditions:[NodeCondition@type#type config:NodeConfigStatus
  daemonEndpoints+:NodeDaemonEndpoints declaredFeatures:[s
  features:NodeFeatures images:[ContainerImage~ nodeInfo+:NodeSystemInfo phase
  runtimeHandlers:[NodeRuntimeHandler volumesAttached:[AttachedVolume~
  volumesInUse:[s~
NodeAddress address! type!
NodeCondition status! lastHeartbeatTime:t lastTransitionTime:t message reason
  type!
NodeConfigStatus active:NodeConfigSource assigned:NodeConfigSource error
  lastKnownGood:NodeConfigSource
NodeDaemonEndpoints kubeletEndpoint+:DaemonEndpoint
DaemonEndpoint Port!:i
NodeFeatures supplementalGroupsPolicy*:b
ContainerImage names:[s sizeBytes*:l
NodeSystemInfo architecture! bootID! containerRuntimeVersion! kernelVersion!
  kubeProxyVersion! kubeletVersion! machineID! operatingSystem! osImage!
  swap:NodeSwapStatus systemUUID!
NodeSwapStatus capacity*:l
NodeRuntimeHandler features:NodeRuntimeHandlerFeatures name
NodeRuntimeHandlerFeatures recursiveReadOnlyMounts*:b userNamespaces*:b
AttachedVolume devicePath! name!
Event metadata!:ObjectMeta action count:i eventTime+:m firstTimestamp+:t
  involvedObject!:ObjectReference lastTimestamp+:t message reason
  related:ObjectReference reportingComponent+ reportingInstance+
  series:EventSeries source+:EventSource type
EventSeries count:i lastObservedTime:m
EventSource component host
ServiceAccount metadata+:ObjectMeta automountServiceAccountToken*:b
  imagePullSecrets:[LocalObjectReference~ secrets:[ObjectReference@name#name
Secret metadata+:ObjectMeta data:{y immutable*:b stringData:{s type=Opaque
ConfigMap metadata+:ObjectMeta binaryData:{y data:{s immutable*:b
ObjectReference~ kind namespace name uid apiVersion resourceVersion fieldPath
Lease metadata+:ObjectMeta spec+:LeaseSpec
LeaseSpec acquireTime:m holderIdentity* leaseDurationSeconds*:i
  leaseTransitions*:i preferredHolder* renewTime:m strategy*
`;

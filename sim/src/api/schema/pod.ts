/**
 * Pod, its template, and what is posted to its subresources.
 * Every field, one word each; the notation is told in ../schema.ts.
 * Models: staging/src/k8s.io/api/core/v1/types.go @ v1.36
 */
export const podSchema = `
Pod metadata+:ObjectMeta spec+:PodSpec status+:PodStatus
PodSpec volumes:[Volume&@name#name initContainers:[Container@name#name
  containers!:[Container@name#name
  ephemeralContainers:[EphemeralContainer@name#name restartPolicy=Always
  terminationGracePeriodSeconds*:l=30 activeDeadlineSeconds*:l
  dnsPolicy=ClusterFirst nodeSelector:{s~ serviceAccountName serviceAccount
  automountServiceAccountToken*:b nodeName hostNetwork:b hostPID:b hostIPC:b
  shareProcessNamespace*:b securityContext:PodSecurityContext={}
  imagePullSecrets:[LocalObjectReference@name#name hostname subdomain
  affinity:Affinity schedulerName=default-scheduler tolerations:[Toleration~
  hostAliases:[HostAlias@ip#ip priorityClassName priority*:i
  dnsConfig:PodDNSConfig readinessGates:[PodReadinessGate~ runtimeClassName*
  enableServiceLinks*:b preemptionPolicy* overhead:{q
  topologySpreadConstraints:[TopologySpreadConstraint@topologyKey#topologyKey,whenUnsatisfiable
  setHostnameAsFQDN*:b os:PodOS hostUsers*:b
  schedulingGates:[PodSchedulingGate@name#name
  resourceClaims:[PodResourceClaim&@name#name resources:ResourceRequirements
  hostnameOverride* schedulingGroup:PodSchedulingGroup
PodStatus observedGeneration:l phase conditions:[PodCondition@type#type
  message reason nominatedNodeName hostIP hostIPs:[HostIP@ip~ podIP
  podIPs:[PodIP@ip#ip startTime:t initContainerStatuses:[ContainerStatus~
  containerStatuses:[ContainerStatus~ qosClass
  ephemeralContainerStatuses:[ContainerStatus~ resize
  resourceClaimStatuses:[PodResourceClaimStatus&@name#name
  extendedResourceClaimStatus:PodExtendedResourceClaimStatus
  allocatedResources:{q
  nodeAllocatableResourceClaimStatuses:[NodeAllocatableResourceClaimStatus
  resources:ResourceRequirements
PodCondition type! observedGeneration:l status! lastProbeTime:t
  lastTransitionTime:t reason message
ContainerStatus name! state+:ContainerState lastState+:ContainerState ready!:b
  restartCount!:i image! imageID! containerID started*:b allocatedResources:{q
  allocatedResourcesStatus:[ResourceStatus@name#name resources:ResourceRequirements
  stopSignal* user:ContainerUser volumeMounts:[VolumeMountStatus@mountPath#mountPath
ContainerState waiting:ContainerStateWaiting running:ContainerStateRunning
  terminated:ContainerStateTerminated
ContainerStateRunning startedAt:t
ContainerStateTerminated exitCode!:i signal:i reason message startedAt:t
  finishedAt:t containerID
ContainerStateWaiting message reason
HostIP ip!
PodIP ip!
PodTemplateSpec metadata+:ObjectMeta spec+:PodSpec
Binding metadata+:ObjectMeta target!:ObjectReference
`;

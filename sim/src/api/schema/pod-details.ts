/**
 * What few Pods say of themselves: DNS, host aliases, gates, claims, users.
 * Every field, one word each; the notation is told in ../schema.ts.
 * Models: staging/src/k8s.io/api/core/v1/types.go @ v1.36
 */
export const podDetailsSchema = `
PodDNSConfig nameservers:[s~ searches:[s~ options:[PodDNSConfigOption~
PodDNSConfigOption name value*
HostAlias ip! hostnames:[s
PodOS name!
PodReadinessGate conditionType!
PodResourceClaim name! resourceClaimName* resourceClaimTemplateName*
PodSchedulingGate name!
PodSchedulingGroup podGroupName*
ResourceStatus name! resources:[ResourceHealth#resourceID
ResourceHealth health message resourceID!
ContainerUser linux:LinuxContainerUser
LinuxContainerUser gid!:l supplementalGroups:[l uid!:l
VolumeMountStatus mountPath! name! readOnly:b recursiveReadOnly*
  volumeStatus:VolumeStatus
VolumeStatus image:ImageVolumeStatus
ImageVolumeStatus imageRef!
PodExtendedResourceClaimStatus
  requestMappings!:[ContainerExtendedResourceRequest resourceClaimName!
ContainerExtendedResourceRequest containerName! requestName! resourceName!
NodeAllocatableResourceClaimStatus containers:[s resourceClaimName!
  resources:{q
PodResourceClaimStatus name! resourceClaimName*
PodTemplate metadata+:ObjectMeta template+:PodTemplateSpec
Eviction metadata+:ObjectMeta deleteOptions:DeleteOptions
`;

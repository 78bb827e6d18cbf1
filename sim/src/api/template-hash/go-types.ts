/**
 * The Go structs that every Pod template has, in Go's order: the text that
 * upstream hashes follows it; go-types-others.ts has the rest. A line is a struct, a word a field:
 *
 *     Name              a string; its JSON name is `name`
 *     Lun:*int32        another type; a name that is no struct is a string
 *     Monitors=ceph     a JSON name that does not follow from Go's
 *     +ProbeHandler     an embedded struct, whose fields stand inline in JSON
 *
 * Models:     k8s.io/api/core/v1/types.go, apimachinery/pkg/apis/meta/v1 @ v1.36
 * Leaves out: managedFields, which no template has.
 */
export const goTypes = `
PodTemplateSpec ObjectMeta=metadata:ObjectMeta Spec:PodSpec
ObjectMeta Name GenerateName Namespace SelfLink UID:types.UID ResourceVersion Generation:int64 CreationTimestamp:Time DeletionTimestamp:*Time DeletionGracePeriodSeconds:*int64 Labels:map[string]string Annotations:map[string]string OwnerReferences:[]OwnerReference Finalizers:[]string ManagedFields:[]ManagedFieldsEntry
PodSpec Volumes:[]Volume InitContainers:[]Container Containers:[]Container EphemeralContainers:[]EphemeralContainer RestartPolicy:RestartPolicy TerminationGracePeriodSeconds:*int64 ActiveDeadlineSeconds:*int64 DNSPolicy:DNSPolicy NodeSelector:map[string]string ServiceAccountName DeprecatedServiceAccount=serviceAccount AutomountServiceAccountToken:*bool NodeName HostNetwork:bool HostPID:bool HostIPC:bool ShareProcessNamespace:*bool SecurityContext:*PodSecurityContext ImagePullSecrets:[]LocalObjectReference Hostname Subdomain Affinity:*Affinity SchedulerName Tolerations:[]Toleration HostAliases:[]HostAlias PriorityClassName Priority:*int32 DNSConfig:*PodDNSConfig ReadinessGates:[]PodReadinessGate RuntimeClassName:*string EnableServiceLinks:*bool PreemptionPolicy:*PreemptionPolicy Overhead:ResourceList TopologySpreadConstraints:[]TopologySpreadConstraint SetHostnameAsFQDN:*bool OS:*PodOS HostUsers:*bool SchedulingGates:[]PodSchedulingGate ResourceClaims:[]PodResourceClaim Resources:*ResourceRequirements HostnameOverride:*string SchedulingGroup:*PodSchedulingGroup
PodSecurityContext SELinuxOptions:*SELinuxOptions WindowsOptions:*WindowsSecurityContextOptions RunAsUser:*int64 RunAsGroup:*int64 RunAsNonRoot:*bool SupplementalGroups:[]int64 SupplementalGroupsPolicy:*SupplementalGroupsPolicy FSGroup:*int64 Sysctls:[]Sysctl FSGroupChangePolicy:*PodFSGroupChangePolicy SeccompProfile:*SeccompProfile AppArmorProfile:*AppArmorProfile SELinuxChangePolicy:*PodSELinuxChangePolicy
Container Name Image Command:[]string Args:[]string WorkingDir Ports:[]ContainerPort EnvFrom:[]EnvFromSource Env:[]EnvVar Resources:ResourceRequirements ResizePolicy:[]ContainerResizePolicy RestartPolicy:*ContainerRestartPolicy RestartPolicyRules:[]ContainerRestartRule VolumeMounts:[]VolumeMount VolumeDevices:[]VolumeDevice LivenessProbe:*Probe ReadinessProbe:*Probe StartupProbe:*Probe Lifecycle:*Lifecycle TerminationMessagePath TerminationMessagePolicy:TerminationMessagePolicy ImagePullPolicy:PullPolicy SecurityContext:*SecurityContext Stdin:bool StdinOnce:bool TTY:bool
ContainerPort Name HostPort:int32 ContainerPort:int32 Protocol:Protocol HostIP
ResourceRequirements Limits:ResourceList Requests:ResourceList Claims:[]ResourceClaim
`;

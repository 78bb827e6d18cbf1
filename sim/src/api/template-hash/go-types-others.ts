/**
 * The Go structs that a Pod template can hold besides those of go-types.ts,
 * which tells the notation. They are read when a template has one of them.
 * Models: k8s.io/api/core/v1/types.go, apimachinery/pkg/apis/meta/v1 @ v1.36
 * Longer than a screen because it is data.
 */
export const otherGoTypes = `
OwnerReference APIVersion Kind Name UID:types.UID Controller:*bool BlockOwnerDeletion:*bool
LabelSelector MatchLabels:map[string]string MatchExpressions:[]LabelSelectorRequirement
LabelSelectorRequirement Key Operator:LabelSelectorOperator Values:[]string
Sysctl Name Value
SELinuxOptions User Role Type Level
WindowsSecurityContextOptions GMSACredentialSpecName:*string GMSACredentialSpec:*string RunAsUserName:*string HostProcess:*bool
SeccompProfile Type:SeccompProfileType LocalhostProfile:*string
AppArmorProfile Type:AppArmorProfileType LocalhostProfile:*string
LocalObjectReference Name
Toleration Key Operator:TolerationOperator Value Effect:TaintEffect TolerationSeconds:*int64
HostAlias IP Hostnames:[]string
PodDNSConfig Nameservers:[]string Searches:[]string Options:[]PodDNSConfigOption
PodDNSConfigOption Name Value:*string
PodReadinessGate ConditionType:PodConditionType
PodOS Name:OSName
PodSchedulingGate Name
PodResourceClaim Name ResourceClaimName:*string ResourceClaimTemplateName:*string
PodSchedulingGroup PodGroupName:*string
TopologySpreadConstraint MaxSkew:int32 TopologyKey WhenUnsatisfiable:UnsatisfiableConstraintAction LabelSelector:*LabelSelector MinDomains:*int32 NodeAffinityPolicy:*NodeInclusionPolicy NodeTaintsPolicy:*NodeInclusionPolicy MatchLabelKeys:[]string
Affinity NodeAffinity:*NodeAffinity PodAffinity:*PodAffinity PodAntiAffinity:*PodAntiAffinity
NodeAffinity RequiredDuringSchedulingIgnoredDuringExecution:*NodeSelector PreferredDuringSchedulingIgnoredDuringExecution:[]PreferredSchedulingTerm
NodeSelector NodeSelectorTerms:[]NodeSelectorTerm
NodeSelectorTerm MatchExpressions:[]NodeSelectorRequirement MatchFields:[]NodeSelectorRequirement
NodeSelectorRequirement Key Operator:NodeSelectorOperator Values:[]string
PreferredSchedulingTerm Weight:int32 Preference:NodeSelectorTerm
PodAffinity RequiredDuringSchedulingIgnoredDuringExecution:[]PodAffinityTerm PreferredDuringSchedulingIgnoredDuringExecution:[]WeightedPodAffinityTerm
PodAntiAffinity RequiredDuringSchedulingIgnoredDuringExecution:[]PodAffinityTerm PreferredDuringSchedulingIgnoredDuringExecution:[]WeightedPodAffinityTerm
WeightedPodAffinityTerm Weight:int32 PodAffinityTerm:PodAffinityTerm
PodAffinityTerm LabelSelector:*LabelSelector Namespaces:[]string TopologyKey NamespaceSelector:*LabelSelector MatchLabelKeys:[]string MismatchLabelKeys:[]string
EphemeralContainer +EphemeralContainerCommon TargetContainerName
EphemeralContainerCommon Name Image Command:[]string Args:[]string WorkingDir Ports:[]ContainerPort EnvFrom:[]EnvFromSource Env:[]EnvVar Resources:ResourceRequirements ResizePolicy:[]ContainerResizePolicy RestartPolicy:*ContainerRestartPolicy RestartPolicyRules:[]ContainerRestartRule VolumeMounts:[]VolumeMount VolumeDevices:[]VolumeDevice LivenessProbe:*Probe ReadinessProbe:*Probe StartupProbe:*Probe Lifecycle:*Lifecycle TerminationMessagePath TerminationMessagePolicy:TerminationMessagePolicy ImagePullPolicy:PullPolicy SecurityContext:*SecurityContext Stdin:bool StdinOnce:bool TTY:bool
EnvFromSource Prefix ConfigMapRef:*ConfigMapEnvSource SecretRef:*SecretEnvSource
ConfigMapEnvSource +LocalObjectReference Optional:*bool
SecretEnvSource +LocalObjectReference Optional:*bool
EnvVar Name Value ValueFrom:*EnvVarSource
EnvVarSource FieldRef:*ObjectFieldSelector ResourceFieldRef:*ResourceFieldSelector ConfigMapKeyRef:*ConfigMapKeySelector SecretKeyRef:*SecretKeySelector FileKeyRef:*FileKeySelector
ObjectFieldSelector APIVersion FieldPath
ResourceFieldSelector ContainerName Resource Divisor:resource.Quantity
ConfigMapKeySelector +LocalObjectReference Key Optional:*bool
SecretKeySelector +LocalObjectReference Key Optional:*bool
FileKeySelector VolumeName Path Key Optional:*bool
ResourceClaim Name Request
ContainerResizePolicy ResourceName:ResourceName RestartPolicy:ResourceResizeRestartPolicy
ContainerRestartRule Action:ContainerRestartRuleAction ExitCodes:*ContainerRestartRuleOnExitCodes
ContainerRestartRuleOnExitCodes Operator:ContainerRestartRuleOnExitCodesOperator Values:[]int32
VolumeMount Name ReadOnly:bool RecursiveReadOnly:*RecursiveReadOnlyMode MountPath SubPath MountPropagation:*MountPropagationMode SubPathExpr
VolumeDevice Name DevicePath
Probe +ProbeHandler InitialDelaySeconds:int32 TimeoutSeconds:int32 PeriodSeconds:int32 SuccessThreshold:int32 FailureThreshold:int32 TerminationGracePeriodSeconds:*int64
ProbeHandler Exec:*ExecAction HTTPGet:*HTTPGetAction TCPSocket:*TCPSocketAction GRPC:*GRPCAction
ExecAction Command:[]string
HTTPGetAction Path Port:intstr.IntOrString Host Scheme:URIScheme HTTPHeaders:[]HTTPHeader
HTTPHeader Name Value
TCPSocketAction Port:intstr.IntOrString Host
GRPCAction Port:int32 Service:*string
Lifecycle PostStart:*LifecycleHandler PreStop:*LifecycleHandler StopSignal:*Signal
LifecycleHandler Exec:*ExecAction HTTPGet:*HTTPGetAction TCPSocket:*TCPSocketAction Sleep:*SleepAction
SleepAction Seconds:int64
SecurityContext Capabilities:*Capabilities Privileged:*bool SELinuxOptions:*SELinuxOptions WindowsOptions:*WindowsSecurityContextOptions RunAsUser:*int64 RunAsGroup:*int64 RunAsNonRoot:*bool ReadOnlyRootFilesystem:*bool AllowPrivilegeEscalation:*bool ProcMount:*ProcMountType SeccompProfile:*SeccompProfile AppArmorProfile:*AppArmorProfile
Capabilities Add:[]Capability Drop:[]Capability
Volume Name +VolumeSource
VolumeSource HostPath:*HostPathVolumeSource EmptyDir:*EmptyDirVolumeSource GCEPersistentDisk:*GCEPersistentDiskVolumeSource AWSElasticBlockStore:*AWSElasticBlockStoreVolumeSource GitRepo:*GitRepoVolumeSource Secret:*SecretVolumeSource NFS:*NFSVolumeSource ISCSI:*ISCSIVolumeSource Glusterfs:*GlusterfsVolumeSource PersistentVolumeClaim:*PersistentVolumeClaimVolumeSource RBD:*RBDVolumeSource FlexVolume:*FlexVolumeSource Cinder:*CinderVolumeSource CephFS=cephfs:*CephFSVolumeSource Flocker:*FlockerVolumeSource DownwardAPI:*DownwardAPIVolumeSource FC:*FCVolumeSource AzureFile:*AzureFileVolumeSource ConfigMap:*ConfigMapVolumeSource VsphereVolume:*VsphereVirtualDiskVolumeSource Quobyte:*QuobyteVolumeSource AzureDisk:*AzureDiskVolumeSource PhotonPersistentDisk:*PhotonPersistentDiskVolumeSource Projected:*ProjectedVolumeSource PortworxVolume:*PortworxVolumeSource ScaleIO:*ScaleIOVolumeSource StorageOS=storageos:*StorageOSVolumeSource CSI:*CSIVolumeSource Ephemeral:*EphemeralVolumeSource Image:*ImageVolumeSource
HostPathVolumeSource Path Type:*HostPathType
EmptyDirVolumeSource Medium:StorageMedium SizeLimit:*resource.Quantity
GCEPersistentDiskVolumeSource PDName FSType Partition:int32 ReadOnly:bool
AWSElasticBlockStoreVolumeSource VolumeID FSType Partition:int32 ReadOnly:bool
GitRepoVolumeSource Repository Revision Directory
SecretVolumeSource SecretName Items:[]KeyToPath DefaultMode:*int32 Optional:*bool
KeyToPath Key Path Mode:*int32
NFSVolumeSource Server Path ReadOnly:bool
ISCSIVolumeSource TargetPortal IQN Lun:int32 ISCSIInterface FSType ReadOnly:bool Portals:[]string DiscoveryCHAPAuth=chapAuthDiscovery:bool SessionCHAPAuth=chapAuthSession:bool SecretRef:*LocalObjectReference InitiatorName:*string
GlusterfsVolumeSource EndpointsName=endpoints Path ReadOnly:bool
PersistentVolumeClaimVolumeSource ClaimName ReadOnly:bool
RBDVolumeSource CephMonitors=monitors:[]string RBDImage=image FSType RBDPool=pool RadosUser=user Keyring SecretRef:*LocalObjectReference ReadOnly:bool
FlexVolumeSource Driver FSType SecretRef:*LocalObjectReference ReadOnly:bool Options:map[string]string
CinderVolumeSource VolumeID FSType ReadOnly:bool SecretRef:*LocalObjectReference
CephFSVolumeSource Monitors:[]string Path User SecretFile SecretRef:*LocalObjectReference ReadOnly:bool
FlockerVolumeSource DatasetName DatasetUUID
DownwardAPIVolumeSource Items:[]DownwardAPIVolumeFile DefaultMode:*int32
DownwardAPIVolumeFile Path FieldRef:*ObjectFieldSelector ResourceFieldRef:*ResourceFieldSelector Mode:*int32
FCVolumeSource TargetWWNs:[]string Lun:*int32 FSType ReadOnly:bool WWIDs=wwids:[]string
AzureFileVolumeSource SecretName ShareName ReadOnly:bool
ConfigMapVolumeSource +LocalObjectReference Items:[]KeyToPath DefaultMode:*int32 Optional:*bool
VsphereVirtualDiskVolumeSource VolumePath FSType StoragePolicyName StoragePolicyID
QuobyteVolumeSource Registry Volume ReadOnly:bool User Group Tenant
AzureDiskVolumeSource DiskName DataDiskURI=diskURI CachingMode:*AzureDataDiskCachingMode FSType:*string ReadOnly:*bool Kind:*AzureDataDiskKind
PhotonPersistentDiskVolumeSource PdID FSType
ProjectedVolumeSource Sources:[]VolumeProjection DefaultMode:*int32
VolumeProjection Secret:*SecretProjection DownwardAPI:*DownwardAPIProjection ConfigMap:*ConfigMapProjection ServiceAccountToken:*ServiceAccountTokenProjection ClusterTrustBundle:*ClusterTrustBundleProjection PodCertificate:*PodCertificateProjection
SecretProjection +LocalObjectReference Items:[]KeyToPath Optional:*bool
DownwardAPIProjection Items:[]DownwardAPIVolumeFile
ConfigMapProjection +LocalObjectReference Items:[]KeyToPath Optional:*bool
ServiceAccountTokenProjection Audience ExpirationSeconds:*int64 Path
ClusterTrustBundleProjection Name:*string SignerName:*string LabelSelector:*LabelSelector Optional:*bool Path
PodCertificateProjection SignerName KeyType MaxExpirationSeconds:*int32 CredentialBundlePath KeyPath CertificateChainPath UserAnnotations:map[string]string
PortworxVolumeSource VolumeID FSType ReadOnly:bool
ScaleIOVolumeSource Gateway System SecretRef:*LocalObjectReference SSLEnabled:bool ProtectionDomain StoragePool StorageMode VolumeName FSType ReadOnly:bool
StorageOSVolumeSource VolumeName VolumeNamespace FSType ReadOnly:bool SecretRef:*LocalObjectReference
CSIVolumeSource Driver ReadOnly:*bool FSType:*string VolumeAttributes:map[string]string NodePublishSecretRef:*LocalObjectReference
EphemeralVolumeSource VolumeClaimTemplate:*PersistentVolumeClaimTemplate
PersistentVolumeClaimTemplate ObjectMeta=metadata:ObjectMeta Spec:PersistentVolumeClaimSpec
PersistentVolumeClaimSpec AccessModes:[]PersistentVolumeAccessMode Selector:*LabelSelector Resources:VolumeResourceRequirements VolumeName StorageClassName:*string VolumeMode:*PersistentVolumeMode DataSource:*TypedLocalObjectReference DataSourceRef:*TypedObjectReference VolumeAttributesClassName:*string
VolumeResourceRequirements Limits:ResourceList Requests:ResourceList
TypedLocalObjectReference APIGroup:*string Kind Name
TypedObjectReference APIGroup:*string Kind Name Namespace:*string
ImageVolumeSource Reference PullPolicy:PullPolicy
`;

/**
 * Volumes of a Pod, and PersistentVolume.
 * Every field, one word each; the notation is told in ../schema.ts.
 * Models: staging/src/k8s.io/api/core/v1/types.go @ v1.36
 */
export const volumesSchema = `
Volume name! hostPath:HostPathVolumeSource emptyDir:EmptyDirVolumeSource
  gcePersistentDisk:GCEPersistentDiskVolumeSource
  awsElasticBlockStore:AWSElasticBlockStoreVolumeSource
  gitRepo:GitRepoVolumeSource secret:SecretVolumeSource nfs:NFSVolumeSource
  iscsi:ISCSIVolumeSource glusterfs:GlusterfsVolumeSource
  persistentVolumeClaim:PersistentVolumeClaimVolumeSource rbd:RBDVolumeSource
  flexVolume:FlexVolumeSource cinder:CinderVolumeSource
  cephfs:CephFSVolumeSource flocker:FlockerVolumeSource
  downwardAPI:DownwardAPIVolumeSource fc:FCVolumeSource
  azureFile:AzureFileVolumeSource configMap:ConfigMapVolumeSource
  vsphereVolume:VsphereVirtualDiskVolumeSource quobyte:QuobyteVolumeSource
  azureDisk:AzureDiskVolumeSource
  photonPersistentDisk:PhotonPersistentDiskVolumeSource
  projected:ProjectedVolumeSource portworxVolume:PortworxVolumeSource
  scaleIO:ScaleIOVolumeSource storageos:StorageOSVolumeSource
  csi:CSIVolumeSource ephemeral:EphemeralVolumeSource image:ImageVolumeSource
AWSElasticBlockStoreVolumeSource fsType partition:i readOnly:b volumeID!
AzureDiskVolumeSource kind*=Shared cachingMode*=ReadWrite diskName! diskURI!
  fsType*=ext4 readOnly*:b=false
AzureFileVolumeSource readOnly:b secretName! shareName!
CephFSVolumeSource monitors!:[s path readOnly:b secretFile
  secretRef:LocalObjectReference user
LocalObjectReference~ name
CinderVolumeSource fsType readOnly:b secretRef:LocalObjectReference volumeID!
ConfigMapVolumeSource name items:[KeyToPath~ defaultMode*:i=420 optional*:b
KeyToPath key! path! mode*:i
CSIVolumeSource driver! fsType* nodePublishSecretRef:LocalObjectReference
  readOnly*:b volumeAttributes:{s
DownwardAPIVolumeSource items:[DownwardAPIVolumeFile~ defaultMode*:i=420
DownwardAPIVolumeFile path! fieldRef:ObjectFieldSelector
  resourceFieldRef:ResourceFieldSelector mode*:i
ObjectFieldSelector~ apiVersion=v1 fieldPath!
ResourceFieldSelector~ containerName resource! divisor+:q
EmptyDirVolumeSource medium sizeLimit:q
EphemeralVolumeSource volumeClaimTemplate:PersistentVolumeClaimTemplate
PersistentVolumeClaimTemplate metadata+:ObjectMeta
  spec!:PersistentVolumeClaimSpec
PersistentVolumeClaimSpec accessModes:[s~ selector:LabelSelector
  resources+:VolumeResourceRequirements volumeName storageClassName*
  volumeMode*=Filesystem dataSource:TypedLocalObjectReference
  dataSourceRef:TypedObjectReference volumeAttributesClassName*
TypedLocalObjectReference~ kind! apiGroup* name!
TypedObjectReference kind! apiGroup* name! namespace*
VolumeResourceRequirements limits:{q requests:{q
FCVolumeSource fsType lun*:i readOnly:b targetWWNs:[s wwids:[s
FlexVolumeSource driver! fsType options:{s readOnly:b
  secretRef:LocalObjectReference
FlockerVolumeSource datasetName datasetUUID
GCEPersistentDiskVolumeSource fsType partition:i pdName! readOnly:b
GitRepoVolumeSource directory repository! revision
GlusterfsVolumeSource endpoints! path! readOnly:b
HostPathVolumeSource path! type*=
ImageVolumeSource pullPolicy reference
ISCSIVolumeSource chapAuthDiscovery:b chapAuthSession:b fsType initiatorName*
  iqn! iscsiInterface=default lun!:i portals:[s readOnly:b
  secretRef:LocalObjectReference targetPortal!
NFSVolumeSource path! readOnly:b server!
PersistentVolumeClaimVolumeSource claimName! readOnly:b
PhotonPersistentDiskVolumeSource fsType pdID!
PortworxVolumeSource fsType readOnly:b volumeID!
ProjectedVolumeSource sources:[VolumeProjection~ defaultMode*:i=420
VolumeProjection secret:SecretProjection downwardAPI:DownwardAPIProjection
  configMap:ConfigMapProjection
  serviceAccountToken:ServiceAccountTokenProjection
  clusterTrustBundle:ClusterTrustBundleProjection
  podCertificate:PodCertificateProjection
ClusterTrustBundleProjection labelSelector:LabelSelector name* optional*:b
  path! signerName*
ConfigMapProjection name items:[KeyToPath optional*:b
DownwardAPIProjection items:[DownwardAPIVolumeFile
PodCertificateProjection certificateChainPath credentialBundlePath keyPath
  keyType! maxExpirationSeconds*:i=86400 signerName! userAnnotations:{s
SecretProjection name items:[KeyToPath optional*:b
ServiceAccountTokenProjection audience expirationSeconds*:l=3600 path!
QuobyteVolumeSource group readOnly:b registry! tenant user volume!
RBDVolumeSource fsType image! keyring=/etc/ceph/keyring monitors!:[s pool=rbd
  readOnly:b secretRef:LocalObjectReference user=admin
ScaleIOVolumeSource fsType=xfs gateway! protectionDomain readOnly:b
  secretRef!:LocalObjectReference sslEnabled:b storageMode=ThinProvisioned
  storagePool system! volumeName
SecretVolumeSource secretName items:[KeyToPath~ defaultMode*:i=420 optional*:b
StorageOSVolumeSource fsType readOnly:b secretRef:LocalObjectReference
  volumeName volumeNamespace
VsphereVirtualDiskVolumeSource fsType storagePolicyID storagePolicyName
  volumePath!
`;

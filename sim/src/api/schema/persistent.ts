/**
 * PersistentVolume, PersistentVolumeClaim.
 * Every field, one word each; the notation is told in ../schema.ts.
 * Models: staging/src/k8s.io/api/core/v1/types.go @ v1.36
 */
export const persistentSchema = `
PersistentVolume metadata+:ObjectMeta spec+:PersistentVolumeSpec
  status+:PersistentVolumeStatus
PersistentVolumeSpec capacity:{q accessModes:[s~
  awsElasticBlockStore:AWSElasticBlockStoreVolumeSource
  azureDisk:AzureDiskVolumeSource azureFile:AzureFilePersistentVolumeSource
  cephfs:CephFSPersistentVolumeSource cinder:CinderPersistentVolumeSource
  claimRef:ObjectReference csi:CSIPersistentVolumeSource fc:FCVolumeSource
  flexVolume:FlexPersistentVolumeSource flocker:FlockerVolumeSource
  gcePersistentDisk:GCEPersistentDiskVolumeSource
  glusterfs:GlusterfsPersistentVolumeSource hostPath:HostPathVolumeSource
  iscsi:ISCSIPersistentVolumeSource local:LocalVolumeSource mountOptions:[s
  nfs:NFSVolumeSource nodeAffinity:VolumeNodeAffinity
  persistentVolumeReclaimPolicy=Retain
  photonPersistentDisk:PhotonPersistentDiskVolumeSource
  portworxVolume:PortworxVolumeSource quobyte:QuobyteVolumeSource
  rbd:RBDPersistentVolumeSource scaleIO:ScaleIOPersistentVolumeSource
  storageClassName storageos:StorageOSPersistentVolumeSource
  volumeAttributesClassName* volumeMode*=Filesystem
  vsphereVolume:VsphereVirtualDiskVolumeSource
AzureFilePersistentVolumeSource readOnly:b secretName! secretNamespace*
  shareName!
CephFSPersistentVolumeSource monitors!:[s path readOnly:b secretFile
  secretRef:SecretReference user
SecretReference~ name namespace
CinderPersistentVolumeSource fsType readOnly:b secretRef:SecretReference
  volumeID!
CSIPersistentVolumeSource controllerExpandSecretRef:SecretReference
  controllerPublishSecretRef:SecretReference driver! fsType
  nodeExpandSecretRef:SecretReference nodePublishSecretRef:SecretReference
  nodeStageSecretRef:SecretReference readOnly:b volumeAttributes:{s
  volumeHandle!
FlexPersistentVolumeSource driver! fsType options:{s readOnly:b
  secretRef:SecretReference
GlusterfsPersistentVolumeSource endpoints! endpointsNamespace path! readOnly:b
ISCSIPersistentVolumeSource chapAuthDiscovery:b chapAuthSession:b fsType
  initiatorName* iqn! iscsiInterface=default lun!:i portals:[s readOnly:b
  secretRef:SecretReference targetPortal!
LocalVolumeSource fsType path!
VolumeNodeAffinity required%:NodeSelector
RBDPersistentVolumeSource fsType image! keyring=/etc/ceph/keyring monitors!:[s
  pool=rbd readOnly:b secretRef:SecretReference user=admin
ScaleIOPersistentVolumeSource fsType=xfs gateway! protectionDomain readOnly:b
  secretRef!:SecretReference sslEnabled:b storageMode=ThinProvisioned
  storagePool system! volumeName
StorageOSPersistentVolumeSource fsType readOnly:b secretRef:ObjectReference
  volumeName volumeNamespace
PersistentVolumeStatus lastPhaseTransitionTime:t message phase=Pending reason
PersistentVolumeClaim metadata+:ObjectMeta spec+:PersistentVolumeClaimSpec
  status+:PersistentVolumeClaimStatus
PersistentVolumeClaimStatus accessModes:[s allocatedResourceStatuses:{s
  allocatedResources:{q capacity:{q
  conditions:[PersistentVolumeClaimCondition@type#type
  currentVolumeAttributesClassName* modifyVolumeStatus:ModifyVolumeStatus
  phase=Pending
PersistentVolumeClaimCondition status! lastProbeTime:t lastTransitionTime:t
  message reason type!
ModifyVolumeStatus status! targetVolumeAttributesClassName
`;

/**
 * storage.k8s.io.
 * Every field, one word each; the notation is told in ../schema.ts.
 * Models: staging/src/k8s.io/api/storage/v1/types.go @ v1.36
 */
export const storageSchema = `
StorageClass metadata+:ObjectMeta allowVolumeExpansion*:b
  allowedTopologies:[TopologySelectorTerm~ mountOptions:[s~ parameters:{s
  provisioner! reclaimPolicy*=Delete volumeBindingMode*=Immediate
TopologySelectorTerm~ matchLabelExpressions:[TopologySelectorLabelRequirement
TopologySelectorLabelRequirement key! values!:[s
VolumeAttachment metadata+:ObjectMeta spec!:VolumeAttachmentSpec
  status+:VolumeAttachmentStatus
VolumeAttachmentSpec attacher! nodeName! source!:VolumeAttachmentSource
VolumeAttachmentSource inlineVolumeSpec:PersistentVolumeSpec
  persistentVolumeName*
VolumeAttachmentStatus attachError:VolumeError attached!:b
  attachmentMetadata:{s detachError:VolumeError
VolumeError errorCode*:i message time:t
CSIDriver metadata+:ObjectMeta spec!:CSIDriverSpec
CSIDriverSpec attachRequired*:b=true fsGroupPolicy*=ReadWriteOnceWithFSType
  nodeAllocatableUpdatePeriodSeconds*:l podInfoOnMount*:b=false
  preventPodSchedulingIfMissing*:b requiresRepublish*:b=false
  seLinuxMount*:b=false serviceAccountTokenInSecrets*:b
  storageCapacity*:b=false tokenRequests:[CSITokenRequest
  volumeLifecycleModes:[s#
CSITokenRequest/TokenRequest audience! expirationSeconds*:l
CSINode metadata+:ObjectMeta spec!:CSINodeSpec
CSINodeSpec drivers!:[CSINodeDriver@name#name
CSINodeDriver allocatable:VolumeNodeResources name! nodeID! topologyKeys:[s
VolumeNodeResources count*:i
CSIStorageCapacity metadata+:ObjectMeta capacity:q maximumVolumeSize:q
  nodeTopology:LabelSelector storageClassName!
`;

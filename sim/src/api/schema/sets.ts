/**
 * StatefulSet, DaemonSet, ControllerRevision.
 * Every field, one word each; the notation is told in ../schema.ts.
 * Models: staging/src/k8s.io/api/apps/v1/types.go @ v1.36
 */
export const setsSchema = `
StatefulSet metadata+:ObjectMeta spec+:StatefulSetSpec
  status+:StatefulSetStatus
StatefulSetSpec replicas*:i=1 selector%:LabelSelector
  template!:PodTemplateSpec volumeClaimTemplates:[PersistentVolumeClaim~
  serviceName podManagementPolicy=OrderedReady
  updateStrategy+:StatefulSetUpdateStrategy revisionHistoryLimit*:i=10
  minReadySeconds:i
  persistentVolumeClaimRetentionPolicy:StatefulSetPersistentVolumeClaimRetentionPolicy={}
  ordinals:StatefulSetOrdinals
StatefulSetOrdinals start*:i
StatefulSetPersistentVolumeClaimRetentionPolicy whenDeleted=Retain
  whenScaled=Retain
StatefulSetUpdateStrategy type rollingUpdate:RollingUpdateStatefulSetStrategy
RollingUpdateStatefulSetStrategy partition*:i maxUnavailable:o
StatefulSetStatus availableReplicas+:i collisionCount*:i
  conditions:[StatefulSetCondition@type#type currentReplicas:i currentRevision
  observedGeneration:l readyReplicas:i replicas!:i updateRevision
  updatedReplicas:i
StatefulSetCondition status! lastTransitionTime:t message reason type!
DaemonSet metadata+:ObjectMeta spec+:DaemonSetSpec status+:DaemonSetStatus
DaemonSetSpec selector%:LabelSelector template!:PodTemplateSpec
  updateStrategy+:DaemonSetUpdateStrategy minReadySeconds:i
  revisionHistoryLimit*:i=10
DaemonSetUpdateStrategy type rollingUpdate:RollingUpdateDaemonSet
RollingUpdateDaemonSet maxUnavailable:o maxSurge:o
DaemonSetStatus collisionCount*:i conditions:[DaemonSetCondition@type#type
  currentNumberScheduled!:i desiredNumberScheduled!:i numberAvailable:i
  numberMisscheduled!:i numberReady!:i numberUnavailable:i
  observedGeneration:l updatedNumberScheduled:i
DaemonSetCondition status! lastTransitionTime:t message reason type!
ControllerRevision metadata+:ObjectMeta data:r revision!:l
`;

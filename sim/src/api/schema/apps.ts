/**
 * Workloads of the group apps.
 * Every field, one word each; the notation is told in ../schema.ts.
 * Models: staging/src/k8s.io/api/apps/v1/types.go (and batch, autoscaling, …) @ v1.36
 */
export const appsSchema = `
Deployment metadata+:ObjectMeta spec+:DeploymentSpec status+:DeploymentStatus
DeploymentSpec replicas*:i=1 selector%:LabelSelector template!:PodTemplateSpec
  strategy+:DeploymentStrategy& minReadySeconds:i revisionHistoryLimit*:i=10
  paused:b progressDeadlineSeconds*:i=600
DeploymentStrategy type rollingUpdate:RollingUpdateDeployment
RollingUpdateDeployment maxUnavailable:o maxSurge:o
DeploymentStatus observedGeneration:l replicas:i updatedReplicas:i
  readyReplicas:i availableReplicas:i unavailableReplicas:i
  terminatingReplicas*:i conditions:[DeploymentCondition@type#type
  collisionCount*:i
DeploymentCondition status! lastTransitionTime:t lastUpdateTime:t message
  reason type!
ReplicaSet metadata+:ObjectMeta spec+:ReplicaSetSpec status+:ReplicaSetStatus
ReplicaSetSpec replicas*:i=1 minReadySeconds:i selector%:LabelSelector
  template+:PodTemplateSpec
ReplicaSetStatus availableReplicas:i conditions:[ReplicaSetCondition@type#type
  fullyLabeledReplicas:i observedGeneration:l readyReplicas:i replicas!:i
  terminatingReplicas*:i
ReplicaSetCondition status! lastTransitionTime:t message reason type!
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
StatefulSetUpdateStrategy rollingUpdate:RollingUpdateStatefulSetStrategy type
RollingUpdateStatefulSetStrategy maxUnavailable:o partition*:i
StatefulSetStatus availableReplicas+:i collisionCount*:i
  conditions:[StatefulSetCondition@type#type currentReplicas:i currentRevision
  observedGeneration:l readyReplicas:i replicas!:i updateRevision
  updatedReplicas:i
StatefulSetCondition status! lastTransitionTime:t message reason type!
DaemonSet metadata+:ObjectMeta spec+:DaemonSetSpec status+:DaemonSetStatus
DaemonSetSpec selector%:LabelSelector template!:PodTemplateSpec
  updateStrategy+:DaemonSetUpdateStrategy minReadySeconds:i
  revisionHistoryLimit*:i=10
DaemonSetUpdateStrategy rollingUpdate:RollingUpdateDaemonSet type
RollingUpdateDaemonSet maxSurge:o maxUnavailable:o
DaemonSetStatus collisionCount*:i conditions:[DaemonSetCondition@type#type
  currentNumberScheduled!:i desiredNumberScheduled!:i numberAvailable:i
  numberMisscheduled!:i numberReady!:i numberUnavailable:i
  observedGeneration:l updatedNumberScheduled:i
DaemonSetCondition status! lastTransitionTime:t message reason type!
ControllerRevision metadata+:ObjectMeta data:r revision!:l
`;

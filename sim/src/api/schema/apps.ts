/**
 * Deployment, ReplicaSet.
 * Every field, one word each; the notation is told in ../schema.ts.
 * Models: staging/src/k8s.io/api/apps/v1/types.go @ v1.36
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
`;

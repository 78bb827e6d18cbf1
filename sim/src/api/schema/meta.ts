/**
 * The parts that every object has, and answers.
 * Every field, one word each; the notation is told in ../schema.ts.
 * Models: staging/src/k8s.io/apimachinery/pkg/apis/meta/v1/types.go @ v1.36
 */
export const metaSchema = `
ObjectMeta name generateName namespace selfLink uid resourceVersion
  generation:l creationTimestamp:t deletionTimestamp:t
  deletionGracePeriodSeconds*:l labels:{s annotations:{s
  ownerReferences:[OwnerReference@uid#uid finalizers:[s@#
  managedFields:[ManagedFieldsEntry
ManagedFieldsEntry manager operation apiVersion time:t fieldsType fieldsV1:r
  subresource
OwnerReference~ apiVersion! kind! name! uid! controller*:b
  blockOwnerDeletion*:b
LabelSelector~ matchLabels:{s matchExpressions:[LabelSelectorRequirement~
LabelSelectorRequirement key! operator! values:[s~
Condition status! lastTransitionTime%:t message! observedGeneration:l reason!
  type!
Status metadata+:ListMeta status code:i details:StatusDetails message reason
StatusDetails kind causes:[StatusCause group name retryAfterSeconds:i uid
StatusCause field message reason
ListMeta continue remainingItemCount*:l resourceVersion selfLink
  shardInfo:ShardInfo
ShardInfo selector!
DeleteOptions apiVersion kind dryRun:[s gracePeriodSeconds*:l
  ignoreStoreReadErrorWithClusterBreakingPotential*:b orphanDependents*:b
  preconditions:Preconditions propagationPolicy
Preconditions resourceVersion uid
`;

/** Models: staging/src/k8s.io/api/flowcontrol/v1/types.go @ v1.36 */
export const flowSchema = `
FlowSchema metadata+:ObjectMeta spec+:FlowSchemaSpec status+:FlowSchemaStatus
FlowSchemaSpec priorityLevelConfiguration!:PriorityLevelConfigurationReference
  matchingPrecedence+:i distinguisherMethod:FlowDistinguisherMethod
  rules:[PolicyRulesWithSubjects~
PriorityLevelConfigurationReference name!
FlowDistinguisherMethod type!
PolicyRulesWithSubjects subjects!:[FlowSubject~
  resourceRules:[ResourcePolicyRule~ nonResourceRules:[NonResourcePolicyRule~
FlowSubject/Subject kind! user:UserSubject group:GroupSubject
  serviceAccount:ServiceAccountSubject
UserSubject name!
GroupSubject name!
ServiceAccountSubject namespace! name!
ResourcePolicyRule verbs!:[s# apiGroups!:[s# resources!:[s# clusterScope:b
  namespaces+:[s#
NonResourcePolicyRule verbs!:[s# nonResourceURLs!:[s#
FlowSchemaStatus conditions:[FlowSchemaCondition@type#type
FlowSchemaCondition type status lastTransitionTime:t reason message
PriorityLevelConfiguration metadata+:ObjectMeta
  spec+:PriorityLevelConfigurationSpec status+:PriorityLevelConfigurationStatus
PriorityLevelConfigurationSpec type! limited:LimitedPriorityLevelConfiguration
  exempt:ExemptPriorityLevelConfiguration
LimitedPriorityLevelConfiguration nominalConcurrencyShares*:i=30
  limitResponse+:LimitResponse lendablePercent*:i=0 borrowingLimitPercent*:i
ExemptPriorityLevelConfiguration nominalConcurrencyShares*:i=0
  lendablePercent*:i=0
LimitResponse type! queuing:QueuingConfiguration
QueuingConfiguration queues+:i handSize+:i queueLengthLimit+:i
PriorityLevelConfigurationStatus
  conditions:[PriorityLevelConfigurationCondition@type#type
PriorityLevelConfigurationCondition type status lastTransitionTime:t reason
  message
`;

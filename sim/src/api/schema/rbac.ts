/**
 * Roles and who has them.
 * Every field, one word each; the notation is told in ../schema.ts.
 * Models: staging/src/k8s.io/api/rbac/v1/types.go @ v1.36
 */
export const rbacSchema = `
Role metadata+:ObjectMeta rules*:[PolicyRule~
PolicyRule verbs!:[s~ apiGroups:[s~ resources:[s~ resourceNames:[s~
  nonResourceURLs:[s~
RoleBinding metadata+:ObjectMeta roleRef!:RoleRef subjects:[Subject~
RoleRef~ apiGroup+=rbac.authorization.k8s.io kind! name!
Subject~ kind! apiGroup name! namespace
ClusterRole metadata+:ObjectMeta aggregationRule:AggregationRule
  rules*:[PolicyRule~
AggregationRule clusterRoleSelectors:[LabelSelector
ClusterRoleBinding metadata+:ObjectMeta roleRef!:RoleRef subjects:[Subject~
`;

/**
 * Where a Pod may run: affinity, tolerations, spreading.
 * Every field, one word each; the notation is told in ../schema.ts.
 * Models: staging/src/k8s.io/api/core/v1/types.go @ v1.36
 */
export const placementSchema = `
Affinity nodeAffinity:NodeAffinity podAffinity:PodAffinity
  podAntiAffinity:PodAntiAffinity
NodeAffinity requiredDuringSchedulingIgnoredDuringExecution:NodeSelector
  preferredDuringSchedulingIgnoredDuringExecution:[PreferredSchedulingTerm~
PreferredSchedulingTerm weight!:i preference!:NodeSelectorTerm
PodAffinity requiredDuringSchedulingIgnoredDuringExecution:[PodAffinityTerm~
  preferredDuringSchedulingIgnoredDuringExecution:[WeightedPodAffinityTerm~
WeightedPodAffinityTerm weight!:i podAffinityTerm!:PodAffinityTerm
PodAffinityTerm labelSelector:LabelSelector namespaces:[s topologyKey!
  namespaceSelector:LabelSelector matchLabelKeys:[s mismatchLabelKeys:[s
PodAntiAffinity
  requiredDuringSchedulingIgnoredDuringExecution:[PodAffinityTerm~
  preferredDuringSchedulingIgnoredDuringExecution:[WeightedPodAffinityTerm~
Toleration key operator value effect tolerationSeconds*:l
TopologySpreadConstraint maxSkew!:i topologyKey! whenUnsatisfiable!
  labelSelector:LabelSelector minDomains*:i nodeAffinityPolicy*
  nodeTaintsPolicy* matchLabelKeys:[s
NodeSelector~ nodeSelectorTerms!:[NodeSelectorTerm~
NodeSelectorTerm~ matchExpressions:[NodeSelectorRequirement~
  matchFields:[NodeSelectorRequirement~
NodeSelectorRequirement key! operator! values:[s~
`;

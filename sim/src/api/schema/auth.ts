/**
 * Tokens and access reviews.
 * Every field, one word each; the notation is told in ../schema.ts.
 * Models: staging/src/k8s.io/api/{authentication,authorization}/v1/types.go @ v1.36
 */
export const authSchema = `
TokenReview metadata+:ObjectMeta spec!:TokenReviewSpec
  status+:TokenReviewStatus
TokenReviewSpec audiences:[s token!
TokenReviewStatus audiences:[s authenticated:b error user+:UserInfo
UserInfo extra:{[s groups:[s~ uid username
SubjectAccessReview metadata+:ObjectMeta spec!:SubjectAccessReviewSpec
  status+:SubjectAccessReviewStatus
SubjectAccessReviewSpec extra:{[s groups:[s
  nonResourceAttributes:NonResourceAttributes
  resourceAttributes:ResourceAttributes uid user
NonResourceAttributes path verb
ResourceAttributes fieldSelector:FieldSelectorAttributes group
  labelSelector:LabelSelectorAttributes name namespace resource subresource
  verb version
FieldSelectorAttributes rawSelector requirements:[FieldSelectorRequirement
FieldSelectorRequirement key! operator! values:[s
LabelSelectorAttributes rawSelector requirements:[LabelSelectorRequirement
SubjectAccessReviewStatus allowed!:b denied:b evaluationError reason
LocalSubjectAccessReview metadata+:ObjectMeta spec!:SubjectAccessReviewSpec
  status+:SubjectAccessReviewStatus
SelfSubjectAccessReview metadata+:ObjectMeta spec!:SelfSubjectAccessReviewSpec
  status+:SubjectAccessReviewStatus
SelfSubjectAccessReviewSpec nonResourceAttributes:NonResourceAttributes
  resourceAttributes:ResourceAttributes
SelfSubjectRulesReview metadata+:ObjectMeta spec!:SelfSubjectRulesReviewSpec
  status+:SubjectRulesReviewStatus
SelfSubjectRulesReviewSpec namespace
SubjectRulesReviewStatus evaluationError incomplete!:b
  nonResourceRules!:[NonResourceRule resourceRules!:[ResourceRule
NonResourceRule nonResourceURLs:[s verbs!:[s
ResourceRule apiGroups:[s resourceNames:[s resources:[s verbs!:[s
SelfSubjectReview metadata+:ObjectMeta status+:SelfSubjectReviewStatus
SelfSubjectReviewStatus userInfo+:UserInfo
`;

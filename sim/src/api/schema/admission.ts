/**
 * Webhooks, admission policies, CustomResourceDefinition.
 * Every field, one word each; the notation is told in ../schema.ts.
 * Models: staging/src/k8s.io/api/admissionregistration/v1/types.go, apiextensions-apiserver/pkg/apis/apiextensions/v1/types.go @ v1.36
 */
export const admissionSchema = `
MutatingWebhookConfiguration metadata+:ObjectMeta
  webhooks:[MutatingWebhook@name#name
MutatingWebhook admissionReviewVersions!:[s clientConfig!:WebhookClientConfig
  failurePolicy*=Fail matchConditions:[MatchCondition@name#name
  matchPolicy*=Equivalent name! namespaceSelector:LabelSelector={}
  objectSelector:LabelSelector={} reinvocationPolicy*=Never
  rules:[RuleWithOperations~ sideEffects! timeoutSeconds*:i=10
WebhookClientConfig caBundle:y service:ServiceReference url*
ServiceReference name! namespace! path* port*:i=443
MatchCondition expression! name!
RuleWithOperations apiGroups:[s apiVersions:[s operations:[s resources:[s
  scope*=*
ValidatingWebhookConfiguration metadata+:ObjectMeta
  webhooks:[ValidatingWebhook@name#name
ValidatingWebhook admissionReviewVersions!:[s
  clientConfig!:WebhookClientConfig failurePolicy*=Fail
  matchConditions:[MatchCondition@name#name matchPolicy*=Equivalent name!
  namespaceSelector:LabelSelector={} objectSelector:LabelSelector={}
  rules:[RuleWithOperations~ sideEffects! timeoutSeconds*:i=10
ValidatingAdmissionPolicy metadata+:ObjectMeta
  spec+:ValidatingAdmissionPolicySpec status+:ValidatingAdmissionPolicyStatus
ValidatingAdmissionPolicySpec auditAnnotations:[AuditAnnotation~
  failurePolicy*=Fail matchConditions:[MatchCondition@name#name
  matchConstraints:MatchResources paramKind:ParamKind validations:[Validation~
  variables:[Variable@name#name
AuditAnnotation key! valueExpression!
MatchResources~ excludeResourceRules:[NamedRuleWithOperations
  matchPolicy*=Equivalent namespaceSelector:LabelSelector={}
  objectSelector:LabelSelector={} resourceRules:[NamedRuleWithOperations
NamedRuleWithOperations~ apiGroups:[s apiVersions:[s operations:[s
  resourceNames:[s resources:[s scope*=*
ParamKind~ apiVersion kind
Validation expression! message messageExpression reason*
Variable~ expression! name!
ValidatingAdmissionPolicyStatus conditions:[Condition#type
  observedGeneration:l typeChecking:TypeChecking
TypeChecking expressionWarnings:[ExpressionWarning
ExpressionWarning fieldRef! warning!
ValidatingAdmissionPolicyBinding metadata+:ObjectMeta
  spec!:ValidatingAdmissionPolicyBindingSpec
ValidatingAdmissionPolicyBindingSpec matchResources:MatchResources
  paramRef:ParamRef policyName! validationActions!:[s#
ParamRef~ name namespace parameterNotFoundAction* selector:LabelSelector
MutatingAdmissionPolicy metadata+:ObjectMeta spec+:MutatingAdmissionPolicySpec
MutatingAdmissionPolicySpec failurePolicy*=Fail
  matchConditions:[MatchCondition@name#name matchConstraints:MatchResources
  mutations:[Mutation~ paramKind:ParamKind reinvocationPolicy*
  variables:[Variable~
Mutation applyConfiguration:ApplyConfiguration jsonPatch:JSONPatch patchType!
ApplyConfiguration expression
JSONPatch expression
MutatingAdmissionPolicyBinding metadata+:ObjectMeta
  spec+:MutatingAdmissionPolicyBindingSpec
MutatingAdmissionPolicyBindingSpec matchResources:MatchResources
  paramRef:ParamRef policyName
CustomResourceDefinition metadata+:ObjectMeta
  spec!:CustomResourceDefinitionSpec status+:CustomResourceDefinitionStatus
CustomResourceDefinitionSpec conversion:CustomResourceConversion group!
  names!:CustomResourceDefinitionNames preserveUnknownFields:b scope!
  versions!:[CustomResourceDefinitionVersion~
CustomResourceConversion strategy! webhook:WebhookConversion
WebhookConversion clientConfig:CRDWebhookClientConfig
  conversionReviewVersions!:[s
CRDWebhookClientConfig/WebhookClientConfig caBundle:y
  service:CRDServiceReference url*
CRDServiceReference/ServiceReference name! namespace! path* port*:i=443
CustomResourceDefinitionNames kind! categories:[s listKind plural!
  shortNames:[s singular
CustomResourceDefinitionVersion
  additionalPrinterColumns:[CustomResourceColumnDefinition deprecated:b
  deprecationWarning name! schema:CustomResourceValidation
  selectableFields:[SelectableField served!:b storage!:b
  subresources:CustomResourceSubresources
CustomResourceColumnDefinition description format jsonPath! name! priority:i
  type!
CustomResourceValidation openAPIV3Schema:JSONSchemaProps
JSONSchemaProps $ref $schema additionalItems:r additionalProperties:r
  allOf:[JSONSchemaProps anyOf:[JSONSchemaProps default:r
  definitions:{JSONSchemaProps dependencies:{r description enum:[r example:r
  exclusiveMaximum:b exclusiveMinimum:b externalDocs:ExternalDocumentation
  format id items:r maxItems*:l maxLength*:l maxProperties*:l maximum*:f
  minItems*:l minLength*:l minProperties*:l minimum*:f multipleOf*:f
  not:JSONSchemaProps nullable:b oneOf:[JSONSchemaProps pattern
  patternProperties:{JSONSchemaProps properties:{JSONSchemaProps required:[s
  title type uniqueItems:b x-kubernetes-embedded-resource:b
  x-kubernetes-int-or-string:b x-kubernetes-list-map-keys:[s
  x-kubernetes-list-type* x-kubernetes-map-type*
  x-kubernetes-preserve-unknown-fields*:b
  x-kubernetes-validations:[ValidationRule
ExternalDocumentation description url
ValidationRule fieldPath message messageExpression optionalOldSelf*:b reason
  rule!
SelectableField jsonPath!
CustomResourceSubresources status:r scale:CustomResourceSubresourceScale
CustomResourceSubresourceScale labelSelectorPath specReplicasPath!
  statusReplicasPath!
CustomResourceDefinitionStatus acceptedNames+:CustomResourceDefinitionNames
  conditions:[CustomResourceDefinitionCondition@type#type observedGeneration:l
  storedVersions:[s
CustomResourceDefinitionCondition status! lastTransitionTime:t message
  observedGeneration:l reason type!
`;

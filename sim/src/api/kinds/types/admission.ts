/**
 * Types: Webhooks, admission policies, CustomResourceDefinition.
 * Models: staging/src/k8s.io/api/admissionregistration/v1/types.go, apiextensions-apiserver/pkg/apis/apiextensions/v1/types.go @ v1.36
 * Longer because: it is one declaration a struct; none runs.
 */
import type { Condition, Json, KubeObject } from "../../types.ts";
import type { LabelSelector } from "./meta.ts";

export interface MutatingWebhookConfiguration extends KubeObject {
  readonly webhooks?: readonly MutatingWebhook[];
}

export interface MutatingWebhook {
  readonly admissionReviewVersions: readonly string[];
  readonly clientConfig: WebhookClientConfig;
  readonly failurePolicy?: string;
  readonly matchConditions?: readonly MatchCondition[];
  readonly matchPolicy?: string;
  readonly name: string;
  readonly namespaceSelector?: LabelSelector;
  readonly objectSelector?: LabelSelector;
  readonly reinvocationPolicy?: string;
  readonly rules?: readonly RuleWithOperations[];
  readonly sideEffects: string;
  readonly timeoutSeconds?: number;
}

export interface WebhookClientConfig {
  readonly caBundle?: string;
  readonly service?: ServiceReference;
  readonly url?: string;
}

export interface ServiceReference {
  readonly name: string;
  readonly namespace: string;
  readonly path?: string;
  readonly port?: number;
}

export interface MatchCondition {
  readonly expression: string;
  readonly name: string;
}

export interface RuleWithOperations {
  readonly apiGroups?: readonly string[];
  readonly apiVersions?: readonly string[];
  readonly operations?: readonly string[];
  readonly resources?: readonly string[];
  readonly scope?: string;
}

export interface ValidatingWebhookConfiguration extends KubeObject {
  readonly webhooks?: readonly ValidatingWebhook[];
}

export interface ValidatingWebhook {
  readonly admissionReviewVersions: readonly string[];
  readonly clientConfig: WebhookClientConfig;
  readonly failurePolicy?: string;
  readonly matchConditions?: readonly MatchCondition[];
  readonly matchPolicy?: string;
  readonly name: string;
  readonly namespaceSelector?: LabelSelector;
  readonly objectSelector?: LabelSelector;
  readonly rules?: readonly RuleWithOperations[];
  readonly sideEffects: string;
  readonly timeoutSeconds?: number;
}

export interface ValidatingAdmissionPolicy extends KubeObject {
  readonly spec: ValidatingAdmissionPolicySpec;
  readonly status?: ValidatingAdmissionPolicyStatus;
}

export interface ValidatingAdmissionPolicySpec {
  readonly auditAnnotations?: readonly AuditAnnotation[];
  readonly failurePolicy?: string;
  readonly matchConditions?: readonly MatchCondition[];
  readonly matchConstraints?: MatchResources;
  readonly paramKind?: ParamKind;
  readonly validations?: readonly Validation[];
  readonly variables?: readonly Variable[];
}

export interface AuditAnnotation {
  readonly key: string;
  readonly valueExpression: string;
}

export interface MatchResources {
  readonly excludeResourceRules?: readonly NamedRuleWithOperations[];
  readonly matchPolicy?: string;
  readonly namespaceSelector?: LabelSelector;
  readonly objectSelector?: LabelSelector;
  readonly resourceRules?: readonly NamedRuleWithOperations[];
}

export interface NamedRuleWithOperations {
  readonly apiGroups?: readonly string[];
  readonly apiVersions?: readonly string[];
  readonly operations?: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly resources?: readonly string[];
  readonly scope?: string;
}

export interface ParamKind {
  readonly apiVersion?: string;
  readonly kind?: string;
}

export interface Validation {
  readonly expression: string;
  readonly message?: string;
  readonly messageExpression?: string;
  readonly reason?: string;
}

export interface Variable {
  readonly expression: string;
  readonly name: string;
}

export interface ValidatingAdmissionPolicyStatus {
  readonly conditions?: readonly Condition[];
  readonly observedGeneration?: number;
  readonly typeChecking?: TypeChecking;
}

export interface TypeChecking {
  readonly expressionWarnings?: readonly ExpressionWarning[];
}

export interface ExpressionWarning {
  readonly fieldRef: string;
  readonly warning: string;
}

export interface ValidatingAdmissionPolicyBinding extends KubeObject {
  readonly spec: ValidatingAdmissionPolicyBindingSpec;
}

export interface ValidatingAdmissionPolicyBindingSpec {
  readonly matchResources?: MatchResources;
  readonly paramRef?: ParamRef;
  readonly policyName: string;
  readonly validationActions: readonly string[];
}

export interface ParamRef {
  readonly name?: string;
  readonly namespace?: string;
  readonly parameterNotFoundAction?: string;
  readonly selector?: LabelSelector;
}

export interface MutatingAdmissionPolicy extends KubeObject {
  readonly spec: MutatingAdmissionPolicySpec;
}

export interface MutatingAdmissionPolicySpec {
  readonly failurePolicy?: string;
  readonly matchConditions?: readonly MatchCondition[];
  readonly matchConstraints?: MatchResources;
  readonly mutations?: readonly Mutation[];
  readonly paramKind?: ParamKind;
  readonly reinvocationPolicy?: string;
  readonly variables?: readonly Variable[];
}

export interface Mutation {
  readonly applyConfiguration?: ApplyConfiguration;
  readonly jsonPatch?: JSONPatch;
  readonly patchType: string;
}

export interface ApplyConfiguration {
  readonly expression?: string;
}

export interface JSONPatch {
  readonly expression?: string;
}

export interface MutatingAdmissionPolicyBinding extends KubeObject {
  readonly spec: MutatingAdmissionPolicyBindingSpec;
}

export interface MutatingAdmissionPolicyBindingSpec {
  readonly matchResources?: MatchResources;
  readonly paramRef?: ParamRef;
  readonly policyName?: string;
}

export interface CustomResourceDefinition extends KubeObject {
  readonly spec: CustomResourceDefinitionSpec;
  readonly status?: CustomResourceDefinitionStatus;
}

export interface CustomResourceDefinitionSpec {
  readonly conversion?: CustomResourceConversion;
  readonly group: string;
  readonly names: CustomResourceDefinitionNames;
  readonly preserveUnknownFields?: boolean;
  readonly scope: string;
  readonly versions: readonly CustomResourceDefinitionVersion[];
}

export interface CustomResourceConversion {
  readonly strategy: string;
  readonly webhook?: WebhookConversion;
}

export interface WebhookConversion {
  readonly clientConfig?: CRDWebhookClientConfig;
  readonly conversionReviewVersions: readonly string[];
}

export interface CRDWebhookClientConfig {
  readonly caBundle?: string;
  readonly service?: CRDServiceReference;
  readonly url?: string;
}

export interface CRDServiceReference {
  readonly name: string;
  readonly namespace: string;
  readonly path?: string;
  readonly port?: number;
}

export interface CustomResourceDefinitionNames {
  readonly kind: string;
  readonly categories?: readonly string[];
  readonly listKind?: string;
  readonly plural: string;
  readonly shortNames?: readonly string[];
  readonly singular?: string;
}

export interface CustomResourceDefinitionVersion {
  readonly additionalPrinterColumns?: readonly CustomResourceColumnDefinition[];
  readonly deprecated?: boolean;
  readonly deprecationWarning?: string;
  readonly name: string;
  readonly schema?: CustomResourceValidation;
  readonly selectableFields?: readonly SelectableField[];
  readonly served: boolean;
  readonly storage: boolean;
  readonly subresources?: CustomResourceSubresources;
}

export interface CustomResourceColumnDefinition {
  readonly description?: string;
  readonly format?: string;
  readonly jsonPath: string;
  readonly name: string;
  readonly priority?: number;
  readonly type: string;
}

export interface CustomResourceValidation {
  readonly openAPIV3Schema?: JSONSchemaProps;
}

export interface JSONSchemaProps {
  readonly $ref?: string;
  readonly $schema?: string;
  readonly additionalItems?: Json;
  readonly additionalProperties?: Json;
  readonly allOf?: readonly JSONSchemaProps[];
  readonly anyOf?: readonly JSONSchemaProps[];
  readonly default?: Json;
  readonly definitions?: { readonly [key: string]: JSONSchemaProps };
  readonly dependencies?: { readonly [key: string]: Json };
  readonly description?: string;
  readonly enum?: readonly Json[];
  readonly example?: Json;
  readonly exclusiveMaximum?: boolean;
  readonly exclusiveMinimum?: boolean;
  readonly externalDocs?: ExternalDocumentation;
  readonly format?: string;
  readonly id?: string;
  readonly items?: Json;
  readonly maxItems?: number;
  readonly maxLength?: number;
  readonly maxProperties?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly minLength?: number;
  readonly minProperties?: number;
  readonly minimum?: number;
  readonly multipleOf?: number;
  readonly not?: JSONSchemaProps;
  readonly nullable?: boolean;
  readonly oneOf?: readonly JSONSchemaProps[];
  readonly pattern?: string;
  readonly patternProperties?: { readonly [key: string]: JSONSchemaProps };
  readonly properties?: { readonly [key: string]: JSONSchemaProps };
  readonly required?: readonly string[];
  readonly title?: string;
  readonly type?: string;
  readonly uniqueItems?: boolean;
  readonly "x-kubernetes-embedded-resource"?: boolean;
  readonly "x-kubernetes-int-or-string"?: boolean;
  readonly "x-kubernetes-list-map-keys"?: readonly string[];
  readonly "x-kubernetes-list-type"?: string;
  readonly "x-kubernetes-map-type"?: string;
  readonly "x-kubernetes-preserve-unknown-fields"?: boolean;
  readonly "x-kubernetes-validations"?: readonly ValidationRule[];
}

export interface ExternalDocumentation {
  readonly description?: string;
  readonly url?: string;
}

export interface ValidationRule {
  readonly fieldPath?: string;
  readonly message?: string;
  readonly messageExpression?: string;
  readonly optionalOldSelf?: boolean;
  readonly reason?: string;
  readonly rule: string;
}

export interface SelectableField {
  readonly jsonPath: string;
}

export interface CustomResourceSubresources {
  readonly status?: Json;
  readonly scale?: CustomResourceSubresourceScale;
}

export interface CustomResourceSubresourceScale {
  readonly labelSelectorPath?: string;
  readonly specReplicasPath: string;
  readonly statusReplicasPath: string;
}

export interface CustomResourceDefinitionStatus {
  readonly acceptedNames?: CustomResourceDefinitionNames;
  readonly conditions?: readonly CustomResourceDefinitionCondition[];
  readonly observedGeneration?: number;
  readonly storedVersions?: readonly string[];
}

export interface CustomResourceDefinitionCondition {
  readonly status: string;
  readonly lastTransitionTime?: string;
  readonly message?: string;
  readonly observedGeneration?: number;
  readonly reason?: string;
  readonly type: string;
}

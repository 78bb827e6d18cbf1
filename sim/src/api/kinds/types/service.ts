/**
 * Types: Service, Endpoints, claims, quotas, and what lives beside them.
 * Models: staging/src/k8s.io/api/core/v1/types.go @ v1.36
 * Longer because: it is one declaration a struct; none runs.
 */
import type { Condition, KubeObject } from "../../types.ts";
import type { EventSource } from "./core.ts";
import type { ObjectReference } from "./persistent.ts";
import type { PodTemplateSpec } from "./pod.ts";
import type { PersistentVolumeClaimSpec } from "./volumes.ts";

export interface Service extends KubeObject {
  readonly spec: ServiceSpec;
  readonly status?: ServiceStatus;
}

export interface ServiceSpec {
  readonly ports?: readonly ServicePort[];
  readonly selector?: { readonly [key: string]: string };
  readonly clusterIP?: string;
  readonly clusterIPs?: readonly string[];
  readonly type?: string;
  readonly externalIPs?: readonly string[];
  readonly sessionAffinity?: string;
  readonly loadBalancerIP?: string;
  readonly loadBalancerSourceRanges?: readonly string[];
  readonly externalName?: string;
  readonly externalTrafficPolicy?: string;
  readonly healthCheckNodePort?: number;
  readonly publishNotReadyAddresses?: boolean;
  readonly sessionAffinityConfig?: SessionAffinityConfig;
  readonly ipFamilies?: readonly string[];
  readonly ipFamilyPolicy?: string;
  readonly allocateLoadBalancerNodePorts?: boolean;
  readonly loadBalancerClass?: string;
  readonly internalTrafficPolicy?: string;
  readonly trafficDistribution?: string;
}

export interface ServicePort {
  readonly name?: string;
  readonly protocol?: string;
  readonly appProtocol?: string;
  readonly port: number;
  readonly targetPort?: number | string;
  readonly nodePort?: number;
}

export interface SessionAffinityConfig {
  readonly clientIP?: ClientIPConfig;
}

export interface ClientIPConfig {
  readonly timeoutSeconds?: number;
}

export interface ServiceStatus {
  readonly conditions?: readonly Condition[];
  readonly loadBalancer?: LoadBalancerStatus;
}

export interface LoadBalancerStatus {
  readonly ingress?: readonly LoadBalancerIngress[];
}

export interface LoadBalancerIngress {
  readonly hostname?: string;
  readonly ip?: string;
  readonly ipMode?: string;
  readonly ports?: readonly PortStatus[];
}

export interface PortStatus {
  readonly error?: string;
  readonly port: number;
  readonly protocol: string;
}

export interface Endpoints extends KubeObject {
  readonly subsets?: readonly EndpointSubset[];
}

export interface EndpointSubset {
  readonly addresses?: readonly EndpointAddress[];
  readonly notReadyAddresses?: readonly EndpointAddress[];
  readonly ports?: readonly EndpointPort[];
}

export interface EndpointAddress {
  readonly hostname?: string;
  readonly ip: string;
  readonly nodeName?: string;
  readonly targetRef?: ObjectReference;
}

export interface EndpointPort {
  readonly appProtocol?: string;
  readonly name?: string;
  readonly port: number;
  readonly protocol?: string;
}

export interface PersistentVolumeClaim extends KubeObject {
  readonly spec: PersistentVolumeClaimSpec;
  readonly status?: PersistentVolumeClaimStatus;
}

export interface PersistentVolumeClaimStatus {
  readonly accessModes?: readonly string[];
  readonly allocatedResourceStatuses?: { readonly [key: string]: string };
  readonly allocatedResources?: { readonly [key: string]: string };
  readonly capacity?: { readonly [key: string]: string };
  readonly conditions?: readonly PersistentVolumeClaimCondition[];
  readonly currentVolumeAttributesClassName?: string;
  readonly modifyVolumeStatus?: ModifyVolumeStatus;
  readonly phase?: string;
}

export interface PersistentVolumeClaimCondition {
  readonly status: string;
  readonly lastProbeTime?: string;
  readonly lastTransitionTime?: string;
  readonly message?: string;
  readonly reason?: string;
  readonly type: string;
}

export interface ModifyVolumeStatus {
  readonly status: string;
  readonly targetVolumeAttributesClassName?: string;
}

export interface ResourceQuota extends KubeObject {
  readonly spec: ResourceQuotaSpec;
  readonly status?: ResourceQuotaStatus;
}

export interface ResourceQuotaSpec {
  readonly hard?: { readonly [key: string]: string };
  readonly scopeSelector?: ScopeSelector;
  readonly scopes?: readonly string[];
}

export interface ScopeSelector {
  readonly matchExpressions?: readonly ScopedResourceSelectorRequirement[];
}

export interface ScopedResourceSelectorRequirement {
  readonly operator: string;
  readonly scopeName: string;
  readonly values?: readonly string[];
}

export interface ResourceQuotaStatus {
  readonly hard?: { readonly [key: string]: string };
  readonly used?: { readonly [key: string]: string };
}

export interface LimitRange extends KubeObject {
  readonly spec: LimitRangeSpec;
}

export interface LimitRangeSpec {
  readonly limits: readonly LimitRangeItem[];
}

export interface LimitRangeItem {
  readonly type: string;
  readonly max?: { readonly [key: string]: string };
  readonly min?: { readonly [key: string]: string };
  readonly default?: { readonly [key: string]: string };
  readonly defaultRequest?: { readonly [key: string]: string };
  readonly maxLimitRequestRatio?: { readonly [key: string]: string };
}

export interface ReplicationController extends KubeObject {
  readonly spec: ReplicationControllerSpec;
  readonly status?: ReplicationControllerStatus;
}

export interface ReplicationControllerSpec {
  readonly minReadySeconds?: number;
  readonly replicas?: number;
  readonly selector?: { readonly [key: string]: string };
  readonly template?: PodTemplateSpec;
}

export interface ReplicationControllerStatus {
  readonly availableReplicas?: number;
  readonly conditions?: readonly ReplicationControllerCondition[];
  readonly fullyLabeledReplicas?: number;
  readonly observedGeneration?: number;
  readonly readyReplicas?: number;
  readonly replicas: number;
}

export interface ReplicationControllerCondition {
  readonly status: string;
  readonly lastTransitionTime?: string;
  readonly message?: string;
  readonly reason?: string;
  readonly type: string;
}

export interface ComponentStatus extends KubeObject {
  readonly conditions?: readonly ComponentCondition[];
}

export interface ComponentCondition {
  readonly status: string;
  readonly error?: string;
  readonly message?: string;
  readonly type: string;
}

export interface EventsEvent extends KubeObject {
  readonly action?: string;
  readonly deprecatedCount?: number;
  readonly deprecatedFirstTimestamp?: string | null;
  readonly deprecatedLastTimestamp?: string | null;
  readonly deprecatedSource?: EventSource;
  readonly eventTime: string;
  readonly note?: string;
  readonly reason?: string;
  readonly regarding?: ObjectReference;
  readonly related?: ObjectReference;
  readonly reportingController?: string;
  readonly reportingInstance?: string;
  readonly series?: EventsEventSeries;
  readonly type?: string;
}

export interface EventsEventSeries {
  readonly count: number;
  readonly lastObservedTime: string;
}

export interface Lease extends KubeObject {
  readonly spec: LeaseSpec;
}

export interface LeaseSpec {
  readonly acquireTime?: string;
  readonly holderIdentity?: string;
  readonly leaseDurationSeconds?: number;
  readonly leaseTransitions?: number;
  readonly preferredHolder?: string;
  readonly renewTime?: string;
  readonly strategy?: string;
}

export interface TokenRequest extends KubeObject {
  readonly spec: TokenRequestSpec;
  readonly status?: TokenRequestStatus;
}

export interface TokenRequestSpec {
  readonly audiences?: readonly string[];
  readonly boundObjectRef?: BoundObjectReference;
  readonly expirationSeconds?: number;
}

export interface BoundObjectReference {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly name?: string;
  readonly uid?: string;
}

export interface TokenRequestStatus {
  readonly expirationTimestamp?: string;
  readonly token?: string;
}

export interface Scale extends KubeObject {
  readonly spec: ScaleSpec;
  readonly status?: ScaleStatus;
}

export interface ScaleSpec {
  readonly replicas?: number;
}

export interface ScaleStatus {
  readonly replicas: number;
  readonly selector?: string;
}

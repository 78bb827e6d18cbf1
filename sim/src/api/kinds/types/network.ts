/**
 * Types: EndpointSlice, Ingress, NetworkPolicy.
 * Models: staging/src/k8s.io/api/{discovery,networking}/v1/types.go @ v1.36
 * Longer because: it is one declaration a struct; none runs.
 */
import type { KubeObject } from "../../types.ts";
import type { LabelSelector } from "./meta.ts";
import type { ObjectReference } from "./persistent.ts";
import type { TypedLocalObjectReference } from "./volumes.ts";

export interface EndpointSlice extends KubeObject {
  readonly addressType: string;
  readonly endpoints?: readonly Endpoint[];
  readonly ports?: readonly DiscoveryEndpointPort[];
}

export interface Endpoint {
  readonly addresses: readonly string[];
  readonly conditions?: EndpointConditions;
  readonly deprecatedTopology?: { readonly [key: string]: string };
  readonly hints?: EndpointHints;
  readonly hostname?: string;
  readonly nodeName?: string;
  readonly targetRef?: ObjectReference;
  readonly zone?: string;
}

export interface EndpointConditions {
  readonly ready?: boolean;
  readonly serving?: boolean;
  readonly terminating?: boolean;
}

export interface EndpointHints {
  readonly forNodes?: readonly ForNode[];
  readonly forZones?: readonly ForZone[];
}

export interface ForNode {
  readonly name: string;
}

export interface ForZone {
  readonly name: string;
}

export interface DiscoveryEndpointPort {
  readonly appProtocol?: string;
  readonly name?: string;
  readonly port?: number;
  readonly protocol?: string;
}

export interface Ingress extends KubeObject {
  readonly spec: IngressSpec;
  readonly status?: IngressStatus;
}

export interface IngressSpec {
  readonly defaultBackend?: IngressBackend;
  readonly ingressClassName?: string;
  readonly rules?: readonly IngressRule[];
  readonly tls?: readonly IngressTLS[];
}

export interface IngressBackend {
  readonly resource?: TypedLocalObjectReference;
  readonly service?: IngressServiceBackend;
}

export interface IngressServiceBackend {
  readonly name: string;
  readonly port?: ServiceBackendPort;
}

export interface ServiceBackendPort {
  readonly name?: string;
  readonly number?: number;
}

export interface IngressRule {
  readonly host?: string;
  readonly http?: HTTPIngressRuleValue;
}

export interface HTTPIngressRuleValue {
  readonly paths: readonly HTTPIngressPath[];
}

export interface HTTPIngressPath {
  readonly backend: IngressBackend;
  readonly path?: string;
  readonly pathType: string;
}

export interface IngressTLS {
  readonly hosts?: readonly string[];
  readonly secretName?: string;
}

export interface IngressStatus {
  readonly loadBalancer?: IngressLoadBalancerStatus;
}

export interface IngressLoadBalancerStatus {
  readonly ingress?: readonly IngressLoadBalancerIngress[];
}

export interface IngressLoadBalancerIngress {
  readonly hostname?: string;
  readonly ip?: string;
  readonly ports?: readonly IngressPortStatus[];
}

export interface IngressPortStatus {
  readonly error?: string;
  readonly port: number;
  readonly protocol: string;
}

export interface IngressClass extends KubeObject {
  readonly spec: IngressClassSpec;
}

export interface IngressClassSpec {
  readonly controller?: string;
  readonly parameters?: IngressClassParametersReference;
}

export interface IngressClassParametersReference {
  readonly kind: string;
  readonly apiGroup?: string;
  readonly name: string;
  readonly namespace?: string;
  readonly scope?: string;
}

export interface NetworkPolicy extends KubeObject {
  readonly spec: NetworkPolicySpec;
}

export interface NetworkPolicySpec {
  readonly egress?: readonly NetworkPolicyEgressRule[];
  readonly ingress?: readonly NetworkPolicyIngressRule[];
  readonly podSelector?: LabelSelector;
  readonly policyTypes?: readonly string[];
}

export interface NetworkPolicyEgressRule {
  readonly ports?: readonly NetworkPolicyPort[];
  readonly to?: readonly NetworkPolicyPeer[];
}

export interface NetworkPolicyPort {
  readonly endPort?: number;
  readonly port?: number | string;
  readonly protocol?: string;
}

export interface NetworkPolicyPeer {
  readonly ipBlock?: IPBlock;
  readonly namespaceSelector?: LabelSelector;
  readonly podSelector?: LabelSelector;
}

export interface IPBlock {
  readonly cidr: string;
  readonly except?: readonly string[];
}

export interface NetworkPolicyIngressRule {
  readonly from?: readonly NetworkPolicyPeer[];
  readonly ports?: readonly NetworkPolicyPort[];
}

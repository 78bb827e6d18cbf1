/**
 * EndpointSlice, Ingress, NetworkPolicy.
 * Every field, one word each; the notation is told in ../schema.ts.
 * Models: staging/src/k8s.io/api/{discovery,networking}/v1/types.go @ v1.36
 */
export const networkSchema = `
EndpointSlice metadata+:ObjectMeta addressType! endpoints:[Endpoint~
  ports:[DiscoveryEndpointPort~
Endpoint addresses!:[s# conditions+:EndpointConditions deprecatedTopology:{s
  hints:EndpointHints hostname* nodeName* targetRef:ObjectReference zone*
EndpointConditions ready*:b serving*:b terminating*:b
EndpointHints forNodes:[ForNode forZones:[ForZone
ForNode name!
ForZone name!
DiscoveryEndpointPort/EndpointPort~ appProtocol* name*= port*:i protocol*=TCP
Ingress metadata+:ObjectMeta spec+:IngressSpec status+:IngressStatus
IngressSpec defaultBackend:IngressBackend ingressClassName*
  rules:[IngressRule~ tls:[IngressTLS~
IngressBackend resource:TypedLocalObjectReference
  service:IngressServiceBackend
IngressServiceBackend name! port:ServiceBackendPort
ServiceBackendPort~ name number:i
IngressRule host http:HTTPIngressRuleValue
HTTPIngressRuleValue paths!:[HTTPIngressPath~
HTTPIngressPath backend!:IngressBackend path pathType!
IngressTLS hosts:[s secretName
IngressStatus loadBalancer+:IngressLoadBalancerStatus
IngressLoadBalancerStatus ingress:[IngressLoadBalancerIngress~
IngressLoadBalancerIngress hostname ip ports:[IngressPortStatus
IngressPortStatus error port!:i protocol!
IngressClass metadata+:ObjectMeta spec+:IngressClassSpec
IngressClassSpec controller parameters:IngressClassParametersReference
IngressClassParametersReference kind! apiGroup* name! namespace*
  scope*=Cluster
NetworkPolicy metadata+:ObjectMeta spec+:NetworkPolicySpec
NetworkPolicySpec egress:[NetworkPolicyEgressRule~
  ingress:[NetworkPolicyIngressRule~ podSelector+:LabelSelector
  policyTypes:[s~
NetworkPolicyEgressRule ports:[NetworkPolicyPort~ to:[NetworkPolicyPeer~
NetworkPolicyPort endPort*:i port:o protocol*=TCP
NetworkPolicyPeer ipBlock:IPBlock namespaceSelector:LabelSelector
  podSelector:LabelSelector
IPBlock cidr! except:[s
NetworkPolicyIngressRule from:[NetworkPolicyPeer~ ports:[NetworkPolicyPort~
`;

/**
 * Service.
 * Every field, one word each; the notation is told in ../schema.ts.
 * Models: staging/src/k8s.io/api/core/v1/types.go @ v1.36
 */
export const serviceSchema = `
Service metadata+:ObjectMeta spec+:ServiceSpec status+:ServiceStatus
ServiceSpec ports:[ServicePort@port#port,protocol selector:{s~ clusterIP
  clusterIPs:[s~ type=ClusterIP externalIPs:[s~ sessionAffinity=None
  loadBalancerIP loadBalancerSourceRanges:[s~ externalName
  externalTrafficPolicy healthCheckNodePort:i publishNotReadyAddresses:b
  sessionAffinityConfig:SessionAffinityConfig ipFamilies:[s~ ipFamilyPolicy*
  allocateLoadBalancerNodePorts*:b loadBalancerClass* internalTrafficPolicy*
  trafficDistribution*
ServicePort name protocol=TCP appProtocol* port!:i targetPort:o nodePort:i
SessionAffinityConfig clientIP:ClientIPConfig
ClientIPConfig timeoutSeconds*:i
ServiceStatus conditions:[Condition@type#type loadBalancer+:LoadBalancerStatus
LoadBalancerStatus ingress:[LoadBalancerIngress~
LoadBalancerIngress hostname ip ipMode* ports:[PortStatus
PortStatus error* port!:i protocol!
`;

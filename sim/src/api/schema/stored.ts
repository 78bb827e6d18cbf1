/**
 * Kinds that are stored and given back, and that nothing here acts on. Where
 * a part is any JSON (`r`), it is kept as it came.
 * Models: staging/src/k8s.io/{api/networking,api/storage,api/certificates,
 *         api/resource,kube-aggregator}/…/v1/types.go @ v1.36
 */
export const storedSchema = `
IPAddress metadata+:ObjectMeta spec+:IPAddressSpec
IPAddressSpec parentRef:ParentReference
ParentReference group resource namespace name
ServiceCIDR metadata+:ObjectMeta spec+:ServiceCIDRSpec status+:ServiceCIDRStatus
ServiceCIDRSpec cidrs:[s~
ServiceCIDRStatus conditions:[Condition@type#type
VolumeAttributesClass metadata+:ObjectMeta driverName! parameters:{s
CertificateSigningRequest metadata+:ObjectMeta
  spec!:CertificateSigningRequestSpec status+:CertificateSigningRequestStatus
CertificateSigningRequestSpec request!:y signerName! expirationSeconds*:i
  usages:[s~ username uid groups:[s~ extra:{[s
CertificateSigningRequestStatus
  conditions:[CertificateSigningRequestCondition#type certificate:y
CertificateSigningRequestCondition type! status! reason message
  lastUpdateTime:t lastTransitionTime:t
APIService metadata+:ObjectMeta spec+:APIServiceSpec status+:APIServiceStatus
APIServiceSpec service:APIServiceReference group version
  insecureSkipTLSVerify:b caBundle:y groupPriorityMinimum!:i versionPriority!:i
APIServiceReference/ServiceReference namespace name port*:i
APIServiceStatus conditions:[APIServiceCondition@type#type
APIServiceCondition type! status! lastTransitionTime:t reason message
DeviceClass metadata+:ObjectMeta spec:r
DynamicResourceClaim/ResourceClaim metadata+:ObjectMeta spec:r status:r
ResourceClaimTemplate metadata+:ObjectMeta spec:r
ResourceSlice metadata+:ObjectMeta spec:r
`;

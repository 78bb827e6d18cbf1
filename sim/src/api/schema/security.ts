/**
 * Security contexts.
 * Every field, one word each; the notation is told in ../schema.ts.
 * Models: staging/src/k8s.io/api/core/v1/types.go @ v1.36
 */
export const securitySchema = `
SecurityContext capabilities:Capabilities privileged*:b
  seLinuxOptions:SELinuxOptions windowsOptions:WindowsSecurityContextOptions
  runAsUser*:l runAsGroup*:l runAsNonRoot*:b readOnlyRootFilesystem*:b
  allowPrivilegeEscalation*:b procMount* seccompProfile:SeccompProfile
  appArmorProfile:AppArmorProfile
AppArmorProfile type! localhostProfile*
Capabilities add:[s~ drop:[s~
SELinuxOptions user role type level
SeccompProfile type! localhostProfile*
WindowsSecurityContextOptions gmsaCredentialSpecName* gmsaCredentialSpec*
  runAsUserName* hostProcess*:b
Sysctl name! value!
`;

/**
 * Containers, and the security context that every Pod has.
 * Every field, one word each; the notation is told in ../schema.ts.
 * Models: staging/src/k8s.io/api/core/v1/types.go @ v1.36
 */
export const containersSchema = `
Container name! image command:[s~ args:[s~ workingDir
  ports:[ContainerPort@containerPort#containerPort,protocol
  envFrom:[EnvFromSource~ env:[EnvVar@name#name
  resources+:ResourceRequirements resizePolicy:[ContainerResizePolicy~
  restartPolicy* restartPolicyRules:[ContainerRestartRule~
  volumeMounts:[VolumeMount@mountPath#mountPath
  volumeDevices:[VolumeDevice@devicePath#devicePath livenessProbe:Probe
  readinessProbe:Probe startupProbe:Probe lifecycle:Lifecycle
  terminationMessagePath=/dev/termination-log terminationMessagePolicy=File
  imagePullPolicy securityContext:SecurityContext stdin:b stdinOnce:b tty:b
ContainerPort name hostPort:i containerPort!:i protocol=TCP hostIP
ResourceRequirements limits:{q requests:{q claims:[ResourceClaim#name
PodSecurityContext seLinuxOptions:SELinuxOptions
  windowsOptions:WindowsSecurityContextOptions runAsUser*:l runAsGroup*:l
  runAsNonRoot*:b supplementalGroups:[l~ supplementalGroupsPolicy* fsGroup*:l
  sysctls:[Sysctl~ fsGroupChangePolicy* seccompProfile:SeccompProfile
  appArmorProfile:AppArmorProfile seLinuxChangePolicy*
`;

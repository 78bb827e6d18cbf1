/**
 * Variables, probes, hooks, mounts, and ephemeral containers.
 * Every field, one word each; the notation is told in ../schema.ts.
 * Models: staging/src/k8s.io/api/core/v1/types.go @ v1.36
 */
export const containerDetailsSchema = `
EnvVar name! value valueFrom:EnvVarSource
EnvVarSource fieldRef:ObjectFieldSelector
  resourceFieldRef:ResourceFieldSelector configMapKeyRef:ConfigMapKeySelector
  secretKeyRef:SecretKeySelector fileKeyRef:FileKeySelector
ConfigMapKeySelector~ name key! optional*:b
FileKeySelector~ volumeName! path! key! optional*:b
SecretKeySelector~ name key! optional*:b
EnvFromSource prefix configMapRef:ConfigMapEnvSource secretRef:SecretEnvSource
ConfigMapEnvSource name optional*:b
SecretEnvSource name optional*:b
Lifecycle postStart:LifecycleHandler preStop:LifecycleHandler stopSignal*
LifecycleHandler exec:ExecAction httpGet:HTTPGetAction
  tcpSocket:TCPSocketAction sleep:SleepAction
ExecAction command:[s~
HTTPGetAction path=/ port!:o host scheme=HTTP httpHeaders:[HTTPHeader~
HTTPHeader name! value!
SleepAction seconds!:l
TCPSocketAction port!:o host
Probe exec:ExecAction httpGet:HTTPGetAction tcpSocket:TCPSocketAction
  grpc:GRPCAction initialDelaySeconds:i timeoutSeconds:i=1 periodSeconds:i=10
  successThreshold:i=1 failureThreshold:i=3 terminationGracePeriodSeconds*:l
GRPCAction port!:i service*=
ContainerResizePolicy resourceName! restartPolicy!
ResourceClaim name! request
ContainerRestartRule action! exitCodes:ContainerRestartRuleOnExitCodes
ContainerRestartRuleOnExitCodes operator! values:[i
VolumeDevice name! devicePath!
VolumeMount name! readOnly:b recursiveReadOnly* mountPath! subPath
  mountPropagation* subPathExpr
EphemeralContainer name! image command:[s~ args:[s~ workingDir
  ports:[ContainerPort@containerPort#containerPort,protocol
  envFrom:[EnvFromSource~ env:[EnvVar@name#name
  resources+:ResourceRequirements resizePolicy:[ContainerResizePolicy~
  restartPolicy* restartPolicyRules:[ContainerRestartRule~
  volumeMounts:[VolumeMount@mountPath#mountPath
  volumeDevices:[VolumeDevice@devicePath#devicePath livenessProbe:Probe
  readinessProbe:Probe startupProbe:Probe lifecycle:Lifecycle
  terminationMessagePath=/dev/termination-log terminationMessagePolicy=File
  imagePullPolicy securityContext:SecurityContext stdin:b stdinOnce:b tty:b
  targetContainerName
`;

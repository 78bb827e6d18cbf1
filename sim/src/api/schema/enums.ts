/**
 * Which values a field may have, for `kubectl explain` and editors: a line a
 * field, `Struct.field value value`. Validation has its own lists, with
 * upstream's order and words.
 * Models: the +enum markers in staging/src/k8s.io/api @ v1.36
 */
const text = `
PodSpec.restartPolicy Always Never OnFailure
PodSpec.dnsPolicy ClusterFirst ClusterFirstWithHostNet Default None
PodSpec.preemptionPolicy Never PreemptLowerPriority
PodStatus.phase Failed Pending Running Succeeded Unknown
PodStatus.qosClass BestEffort Burstable Guaranteed
Container.imagePullPolicy Always IfNotPresent Never
Container.terminationMessagePolicy FallbackToLogsOnError File
ContainerPort.protocol SCTP TCP UDP
HTTPGetAction.scheme HTTP HTTPS
SeccompProfile.type Localhost RuntimeDefault Unconfined
VolumeMount.mountPropagation Bidirectional HostToContainer None
HostPathVolumeSource.type "" BlockDevice CharDevice Directory DirectoryOrCreate File FileOrCreate Socket
Toleration.effect NoExecute NoSchedule PreferNoSchedule
Toleration.operator Equal Exists Gt Lt
Taint.effect NoExecute NoSchedule PreferNoSchedule
NodeSelectorRequirement.operator DoesNotExist Exists Gt In Lt NotIn
TopologySpreadConstraint.whenUnsatisfiable DoNotSchedule ScheduleAnyway
TopologySpreadConstraint.nodeAffinityPolicy Honor Ignore
TopologySpreadConstraint.nodeTaintsPolicy Honor Ignore
NamespaceStatus.phase Active Terminating
ServiceSpec.type ClusterIP ExternalName LoadBalancer NodePort
ServiceSpec.sessionAffinity ClientIP None
ServiceSpec.externalTrafficPolicy Cluster Local
ServiceSpec.internalTrafficPolicy Cluster Local
ServiceSpec.ipFamilyPolicy PreferDualStack RequireDualStack SingleStack
ServicePort.protocol SCTP TCP UDP
EndpointPort.protocol SCTP TCP UDP
DiscoveryEndpointPort.protocol SCTP TCP UDP
EndpointSlice.addressType FQDN IPv4 IPv6
PersistentVolumeSpec.persistentVolumeReclaimPolicy Delete Recycle Retain
PersistentVolumeSpec.volumeMode Block Filesystem
PersistentVolumeStatus.phase Available Bound Failed Pending Released
PersistentVolumeClaimSpec.volumeMode Block Filesystem
PersistentVolumeClaimStatus.phase Bound Lost Pending
StorageClass.reclaimPolicy Delete Recycle Retain
StorageClass.volumeBindingMode Immediate WaitForFirstConsumer
DeploymentStrategy.type Recreate RollingUpdate
DaemonSetUpdateStrategy.type OnDelete RollingUpdate
StatefulSetUpdateStrategy.type OnDelete RollingUpdate
StatefulSetSpec.podManagementPolicy OrderedReady Parallel
JobSpec.completionMode Indexed NonIndexed
JobSpec.podReplacementPolicy Failed TerminatingOrFailed
PodFailurePolicyRule.action Count FailIndex FailJob Ignore
PodFailurePolicyOnExitCodesRequirement.operator In NotIn
CronJobSpec.concurrencyPolicy Allow Forbid Replace
PodDisruptionBudgetSpec.unhealthyPodEvictionPolicy AlwaysAllow IfHealthyBudget
PriorityClass.preemptionPolicy Never PreemptLowerPriority
HTTPIngressPath.pathType Exact ImplementationSpecific Prefix
MutatingWebhook.failurePolicy Fail Ignore
MutatingWebhook.matchPolicy Equivalent Exact
MutatingWebhook.reinvocationPolicy IfNeeded Never
MutatingWebhook.sideEffects None NoneOnDryRun Some Unknown
ValidatingWebhook.failurePolicy Fail Ignore
ValidatingWebhook.matchPolicy Equivalent Exact
ValidatingWebhook.sideEffects None NoneOnDryRun Some Unknown
`;

let parsed: ReadonlyMap<string, readonly string[]> | undefined;

/** The values of `Struct.field`, sorted; undefined if it is free. */
export function enumOf(
  struct: string,
  field: string,
): readonly string[] | undefined {
  parsed ??= new Map(
    text
      .trim()
      .split("\n")
      .map((line) => {
        const [name = "", ...values] = line.split(" ");
        return [
          name,
          values.map((value) => (value === '""' ? "" : value)),
        ] as const;
      }),
  );
  return parsed.get(`${struct}.${field}`);
}

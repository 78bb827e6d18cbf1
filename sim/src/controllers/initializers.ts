/**
 * All controllers of the controller manager, as a table.
 * Models: cmd/kube-controller-manager/app/{controllermanager,core,apps,
 *         batch,policy}.go, cmd/kube-controller-manager/names @ v1.36
 * Longer because: it names every controller.
 */
import type { ResourceRef } from "../api/resource.ts";
import type { Component, ComponentContext } from "../client/component.ts";
import { startCsrApprovingController } from "./certificates/approver.ts";
import { startCsrCleanerController } from "./certificates/cleaner.ts";
import { startCsrSigningController } from "./certificates/signer.ts";
import { startCronJobController } from "./cronjob/cronjob.ts";
import { startDaemonSetController } from "./daemonset/daemonset.ts";
import { startDeploymentController } from "./deployment/deployment.ts";
import { startDisruptionController } from "./disruption/disruption.ts";
import { startEndpointsController } from "./endpoints.ts";
import { startEndpointSliceController } from "./endpointslice/endpointslice.ts";
import { startEndpointSliceMirroringController } from "./endpointslice/mirroring.ts";
import { startGarbageCollector } from "./garbage-collector/garbage-collector.ts";
import { startHpaController } from "./hpa/hpa.ts";
import { type MetricsSource, NO_METRICS } from "./hpa/metrics.ts";
import { startJobController } from "./job/job.ts";
import { startNamespaceController } from "./namespace/namespace.ts";
import { startNodeIpamController } from "./node-ipam.ts";
import { startNodeLifecycleController } from "./node-lifecycle/node-lifecycle.ts";
import { startPodGarbageCollector } from "./pod-gc.ts";
import { startReplicaSetController } from "./replicaset.ts";
import { startReplicationControllerController } from "./replicationcontroller.ts";
import { startResourceQuotaController } from "./resourcequota/resourcequota.ts";
import { startRootCaPublisher } from "./root-ca.ts";
import { startServiceAccountController } from "./serviceaccount.ts";
import { startServiceAccountTokenController } from "./serviceaccount-token.ts";
import { allKinds, allVersions } from "./shared/custom-kinds.ts";
import { startStatefulSetController } from "./statefulset/statefulset.ts";
import { startTaintEvictionController } from "./taint-eviction.ts";
import { startTtlController } from "./ttl.ts";
import { startTtlAfterFinishedController } from "./ttl-after-finished.ts";
import { startAttachDetachController } from "./volume/attach-detach.ts";
import { startVolumeBindingController } from "./volume/binding.ts";
import { startVolumeExpandController } from "./volume/expand.ts";
import {
  startClaimProtectionController,
  startVolumeProtectionController,
} from "./volume/protection.ts";

export interface ManagerOptions {
  /** Kinds that can be listed, watched and deleted: for the collectors. */
  readonly kinds: readonly ResourceRef[];
  /** Certificate of the cluster's authority, PEM. */
  readonly rootCa: string;
  /** Addresses of Pods, divided among the Nodes; absent: nobody does it. */
  readonly clusterCidr?: string;
  /** What Pods are measured at, for autoscalers; absent: nothing. */
  readonly metrics?: MetricsSource;
  /** Which run: names of the table, `*` (all, the default), `-name`. */
  readonly controllers?: readonly string[];
  /** With it, only the copy that holds the Lease works. */
  readonly leaderElection?: { readonly identity: string };
}

/** How one controller is started. */
export interface Initializer {
  /** As in `--controllers`. */
  readonly name: string;
  /** Who it is in the trace. */
  readonly actor: string;
  /** `source.component` of its Events, if it differs. */
  readonly eventSource?: string;
  start(context: ComponentContext, options: ManagerOptions): Component;
}

// region: table
export const INITIALIZERS: readonly Initializer[] = [
  {
    name: "serviceaccount-controller",
    actor: "serviceaccount-controller",
    start: startServiceAccountController,
  },
  {
    name: "root-ca-certificate-publisher-controller",
    actor: "root-ca-publisher",
    start: (context, { rootCa }) => startRootCaPublisher(context, rootCa),
  },
  {
    name: "namespace-controller",
    actor: "namespace-controller",
    start: (context, { kinds }) =>
      startNamespaceController(context, allKinds(context, kinds)),
  },
  {
    name: "garbage-collector-controller",
    actor: "garbage-collector",
    start: (context, { kinds }) => startGarbageCollector(context, kinds),
  },
  {
    name: "deployment-controller",
    actor: "deployment-controller",
    start: startDeploymentController,
  },
  {
    name: "replicaset-controller",
    actor: "replicaset-controller",
    start: startReplicaSetController,
  },
  {
    name: "statefulset-controller",
    actor: "statefulset-controller",
    start: startStatefulSetController,
  },
  {
    name: "daemonset-controller",
    actor: "daemonset-controller",
    start: startDaemonSetController,
  },
  {
    name: "job-controller",
    actor: "job-controller",
    start: startJobController,
  },
  {
    name: "cronjob-controller",
    actor: "cronjob-controller",
    start: startCronJobController,
  },
  {
    name: "disruption-controller",
    actor: "disruption-controller",
    eventSource: "controllermanager",
    start: (context, { kinds }) =>
      startDisruptionController(context, allVersions(context, kinds)),
  },
  {
    name: "certificatesigningrequest-signing-controller",
    actor: "csrsigning-controller",
    eventSource: "certificate-controller",
    start: startCsrSigningController,
  },
  {
    name: "certificatesigningrequest-approving-controller",
    actor: "csrapproving-controller",
    eventSource: "certificate-controller",
    start: startCsrApprovingController,
  },
  {
    name: "certificatesigningrequest-cleaner-controller",
    actor: "csrcleaner-controller",
    eventSource: "certificate-controller",
    start: startCsrCleanerController,
  },
  {
    name: "ttl-controller",
    actor: "ttl-controller",
    start: startTtlController,
  },
  {
    name: "ttl-after-finished-controller",
    actor: "ttl-after-finished-controller",
    start: startTtlAfterFinishedController,
  },
  {
    name: "endpoints-controller",
    actor: "endpoints-controller",
    eventSource: "endpoint-controller",
    start: startEndpointsController,
  },
  {
    name: "endpointslice-controller",
    actor: "endpointslice-controller",
    eventSource: "endpoint-slice-controller",
    start: (context) => startEndpointSliceController(context),
  },
  {
    name: "endpointslice-mirroring-controller",
    actor: "endpointslice-mirroring-controller",
    start: startEndpointSliceMirroringController,
  },
  {
    name: "node-lifecycle-controller",
    actor: "node-lifecycle-controller",
    eventSource: "node-controller",
    start: startNodeLifecycleController,
  },
  {
    name: "taint-eviction-controller",
    actor: "taint-eviction-controller",
    start: startTaintEvictionController,
  },
  {
    name: "pod-garbage-collector-controller",
    actor: "pod-garbage-collector",
    start: startPodGarbageCollector,
  },
  {
    name: "serviceaccount-token-controller",
    actor: "serviceaccount-token-controller",
    start: (context, { rootCa }) =>
      startServiceAccountTokenController(context, rootCa),
  },
  {
    name: "replicationcontroller-controller",
    actor: "replicationcontroller-controller",
    eventSource: "replication-controller",
    start: startReplicationControllerController,
  },
  {
    name: "horizontal-pod-autoscaler-controller",
    actor: "horizontal-pod-autoscaler",
    start: (context, { kinds, metrics = NO_METRICS }) =>
      startHpaController(context, allVersions(context, kinds), metrics),
  },
  {
    name: "resourcequota-controller",
    actor: "resourcequota-controller",
    start: (context, { kinds }) => startResourceQuotaController(context, kinds),
  },
  {
    name: "node-ipam-controller",
    actor: "node-ipam-controller",
    eventSource: "cidrAllocator",
    start: (context, { clusterCidr }) =>
      clusterCidr
        ? startNodeIpamController(context, clusterCidr)
        : { stop() {} },
  },
  {
    name: "persistentvolume-binder-controller",
    actor: "persistentvolume-controller",
    start: startVolumeBindingController,
  },
  {
    name: "persistentvolume-attach-detach-controller",
    actor: "attachdetach-controller",
    start: startAttachDetachController,
  },
  {
    name: "persistentvolume-expander-controller",
    actor: "expand-controller",
    eventSource: "volume_expand",
    start: startVolumeExpandController,
  },
  {
    name: "persistentvolumeclaim-protection-controller",
    actor: "pvc-protection-controller",
    start: startClaimProtectionController,
  },
  {
    name: "persistentvolume-protection-controller",
    actor: "pv-protection-controller",
    start: startVolumeProtectionController,
  },
];
// endregion: table

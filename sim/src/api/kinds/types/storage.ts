/**
 * Types: storage.k8s.io.
 * Models: staging/src/k8s.io/api/storage/v1/types.go @ v1.36
 * Longer because: it is one declaration a struct; none runs.
 */
import type { KubeObject } from "../../types.ts";
import type { LabelSelector } from "./meta.ts";
import type { PersistentVolumeSpec } from "./persistent.ts";

export interface StorageClass extends KubeObject {
  readonly allowVolumeExpansion?: boolean;
  readonly allowedTopologies?: readonly TopologySelectorTerm[];
  readonly mountOptions?: readonly string[];
  readonly parameters?: { readonly [key: string]: string };
  readonly provisioner: string;
  readonly reclaimPolicy?: string;
  readonly volumeBindingMode?: string;
}

export interface TopologySelectorTerm {
  readonly matchLabelExpressions?: readonly TopologySelectorLabelRequirement[];
}

export interface TopologySelectorLabelRequirement {
  readonly key: string;
  readonly values: readonly string[];
}

export interface VolumeAttachment extends KubeObject {
  readonly spec: VolumeAttachmentSpec;
  readonly status?: VolumeAttachmentStatus;
}

export interface VolumeAttachmentSpec {
  readonly attacher: string;
  readonly nodeName: string;
  readonly source: VolumeAttachmentSource;
}

export interface VolumeAttachmentSource {
  readonly inlineVolumeSpec?: PersistentVolumeSpec;
  readonly persistentVolumeName?: string;
}

export interface VolumeAttachmentStatus {
  readonly attachError?: VolumeError;
  readonly attached: boolean;
  readonly attachmentMetadata?: { readonly [key: string]: string };
  readonly detachError?: VolumeError;
}

export interface VolumeError {
  readonly errorCode?: number;
  readonly message?: string;
  readonly time?: string;
}

export interface CSIDriver extends KubeObject {
  readonly spec: CSIDriverSpec;
}

export interface CSIDriverSpec {
  readonly attachRequired?: boolean;
  readonly fsGroupPolicy?: string;
  readonly nodeAllocatableUpdatePeriodSeconds?: number;
  readonly podInfoOnMount?: boolean;
  readonly preventPodSchedulingIfMissing?: boolean;
  readonly requiresRepublish?: boolean;
  readonly seLinuxMount?: boolean;
  readonly serviceAccountTokenInSecrets?: boolean;
  readonly storageCapacity?: boolean;
  readonly tokenRequests?: readonly CSITokenRequest[];
  readonly volumeLifecycleModes?: readonly string[];
}

export interface CSITokenRequest {
  readonly audience: string;
  readonly expirationSeconds?: number;
}

export interface CSINode extends KubeObject {
  readonly spec: CSINodeSpec;
}

export interface CSINodeSpec {
  readonly drivers: readonly CSINodeDriver[];
}

export interface CSINodeDriver {
  readonly allocatable?: VolumeNodeResources;
  readonly name: string;
  readonly nodeID: string;
  readonly topologyKeys?: readonly string[];
}

export interface VolumeNodeResources {
  readonly count?: number;
}

export interface CSIStorageCapacity extends KubeObject {
  readonly capacity?: string;
  readonly maximumVolumeSize?: string;
  readonly nodeTopology?: LabelSelector;
  readonly storageClassName: string;
}

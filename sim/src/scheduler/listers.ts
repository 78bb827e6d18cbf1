/**
 * What plugins read of the cluster besides Nodes and Pods. The scheduler
 * makes it of informers; a test gives its own objects.
 * Models: client-go/listers as the scheduler's plugins use them @ v1.36
 */

import type { CSINode } from "../api/kinds/csinode.ts";
import type { PersistentVolume } from "../api/kinds/persistentvolume.ts";
import type { PersistentVolumeClaim } from "../api/kinds/persistentvolumeclaim.ts";
import type { Pod } from "../api/kinds/pod.ts";
import type { PodDisruptionBudget } from "../api/kinds/poddisruptionbudget.ts";
import type { StorageClass } from "../api/kinds/storageclass.ts";
import type { LabelSelectorObject } from "../api/selector.ts";
import type { Labels } from "../api/types.ts";

export interface Listers {
  /** The newest state of a Pod. */
  pod(key: string): Pod | undefined;
  /** Names and labels of all namespaces. */
  namespaces(): Iterable<NamespaceLabels>;
  namespaceLabels(name: string): Labels | undefined;
  /** `spec.selector` of each Service of the namespace. */
  serviceSelectors(namespace: string): Iterable<Labels>;
  /** `spec.selector` of a workload; undefined if it is not known. */
  workloadSelector(kind: string, key: string): LabelSelectorObject | undefined;
  budgets(): Iterable<PodDisruptionBudget>;
  claim(key: string): PersistentVolumeClaim | undefined;
  volume(name: string): PersistentVolume | undefined;
  volumes(): Iterable<PersistentVolume>;
  storageClass(name: string): StorageClass | undefined;
  csiNode(name: string): CSINode | undefined;
}

export interface NamespaceLabels {
  readonly name: string;
  readonly labels: Labels;
}

/** A cluster that has none of all this. */
export const noListers: Listers = {
  pod: () => undefined,
  namespaces: () => [],
  namespaceLabels: () => undefined,
  serviceSelectors: () => [],
  workloadSelector: () => undefined,
  budgets: () => [],
  claim: () => undefined,
  volume: () => undefined,
  volumes: () => [],
  storageClass: () => undefined,
  csiNode: () => undefined,
};

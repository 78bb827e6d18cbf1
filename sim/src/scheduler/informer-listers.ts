/**
 * The plugins' listers over informers, and the events of the kinds behind
 * them. Each kind is watched by the scheduler as a whole.
 * Models: pkg/scheduler/eventhandlers.go (the kinds that plugins register)
 *         @ v1.36
 */
import { CSINode } from "../api/kinds/csinode.ts";
import { Namespace } from "../api/kinds/namespace.ts";
import { PersistentVolume } from "../api/kinds/persistentvolume.ts";
import { PersistentVolumeClaim } from "../api/kinds/persistentvolumeclaim.ts";
import { Pod } from "../api/kinds/pod.ts";
import { PodDisruptionBudget } from "../api/kinds/poddisruptionbudget.ts";
import { ReplicaSet } from "../api/kinds/replicaset.ts";
import { ReplicationController } from "../api/kinds/replicationcontroller.ts";
import { Service } from "../api/kinds/service.ts";
import { StatefulSet } from "../api/kinds/statefulset.ts";
import { StorageClass } from "../api/kinds/storageclass.ts";
import type { LabelSelectorObject } from "../api/selector.ts";
import type { KubeObject, Labels } from "../api/types.ts";
import type { Informer, InformerFactory } from "../client/informer.ts";
import {
  Action,
  type ClusterEvent,
  clusterEvent,
  type EventResource,
} from "./cluster-events.ts";
import type { Listers } from "./listers.ts";

type OnEvent = (
  event: ClusterEvent,
  old: KubeObject | undefined,
  now: KubeObject | undefined,
) => void;

const noLabels: Labels = Object.freeze({});

export function informerListers(informers: InformerFactory) {
  const pods = informers.informer(Pod);
  const namespaces = informers.informer(Namespace);
  const services = informers.informer(Service);
  const replicaSets = informers.informer(ReplicaSet);
  const statefulSets = informers.informer(StatefulSet);
  const controllers = informers.informer(ReplicationController);
  const budgets = informers.informer(PodDisruptionBudget);
  const claims = informers.informer(PersistentVolumeClaim);
  const volumes = informers.informer(PersistentVolume);
  const classes = informers.informer(StorageClass);
  const csiNodes = informers.informer(CSINode);

  const workloadSelector = (
    kind: string,
    key: string,
  ): LabelSelectorObject | undefined => {
    if (kind === "ReplicaSet") return replicaSets.get(key)?.spec.selector;
    if (kind === "StatefulSet") return statefulSets.get(key)?.spec.selector;
    if (kind !== "ReplicationController") return undefined;
    const matchLabels = controllers.get(key)?.spec?.selector;
    return matchLabels && { matchLabels };
  };
  const listers: Listers = {
    pod: (key) => pods.get(key),
    *namespaces() {
      for (const { metadata } of namespaces.values()) {
        yield { name: metadata.name, labels: metadata.labels ?? noLabels };
      }
    },
    namespaceLabels: (name) => namespaces.get(name)?.metadata.labels,
    *serviceSelectors(namespace) {
      for (const { spec } of services.list(namespace)) {
        if (spec?.selector) yield spec.selector;
      }
    },
    workloadSelector,
    budgets: () => budgets.values(),
    claim: (key) => claims.get(key),
    volume: (name) => volumes.get(name),
    volumes: () => volumes.values(),
    storageClass: (name) => classes.get(name),
    csiNode: (name) => csiNodes.get(name),
  };

  const all: readonly { whenSynced(): Promise<void> }[] = [
    ...[namespaces, services, replicaSets, statefulSets, controllers],
    ...[budgets, claims, volumes, classes, csiNodes],
  ];
  return {
    listers,
    /** Waits for the first list of every kind. */
    async synced(): Promise<void> {
      for (const informer of all) await informer.whenSynced();
    },
    /** Tells of changes that may help a waiting Pod; returns the undo. */
    watch(onEvent: OnEvent): () => void {
      const undo = [
        tell(claims, "PersistentVolumeClaim", onEvent),
        tell(volumes, "PersistentVolume", onEvent),
        tell(classes, "StorageClass", onEvent),
        tell(csiNodes, "CSINode", onEvent),
        tell(namespaces, "Namespace", onEvent),
      ];
      return () => {
        for (const off of undo) off();
      };
    },
  };
}

function tell<T extends KubeObject>(
  informer: Informer<T>,
  resource: EventResource,
  onEvent: OnEvent,
): () => void {
  const added = clusterEvent(resource, Action.Add);
  const updated = clusterEvent(resource, Action.UpdateOther);
  const deleted = clusterEvent(resource, Action.Delete);
  return informer.onChange({
    added: (object) => onEvent(added, undefined, object),
    updated: (object, old) => onEvent(updated, old, object),
    deleted: (object) => onEvent(deleted, object, undefined),
  });
}

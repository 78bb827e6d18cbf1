/**
 * VolumeZone: a bound volume with zone or region labels can only be used on
 * Nodes of the same zone and region.
 * Models:     pkg/scheduler/framework/plugins/volumezone @ v1.36
 * Leaves out: the beta label names on volumes of before 1.17.
 */
import type { Labels } from "../../api/types.ts";
import type { PodInfo } from "../cache/pod-info.ts";
import { Action, clusterEvent } from "../cluster-events.ts";
import type { Plugin } from "../framework.ts";
import type { Handle } from "../handle.ts";
import type { Listers } from "../listers.ts";
import { SKIP, type Status, status } from "../status.ts";

const name = "VolumeZone";

const REFUSED = status(
  name,
  "UnschedulableAndUnresolvable",
  "node(s) had no available volume zone",
);

const KEYS = ["topology.kubernetes.io/zone", "topology.kubernetes.io/region"];

/** A label's key and the values of which the Node must have one. */
interface Place {
  readonly key: string;
  readonly values: ReadonlySet<string>;
}

export function volumeZone({ listers }: Handle): Plugin<readonly Place[]> {
  return {
    name,
    events: [
      { event: clusterEvent("StorageClass", Action.Add) },
      { event: clusterEvent("Node", Action.Add | Action.UpdateNodeLabel) },
      {
        event: clusterEvent(
          "PersistentVolumeClaim",
          Action.Add | Action.Update,
        ),
      },
      { event: clusterEvent("PersistentVolume", Action.Add | Action.Update) },
    ],

    preFilter({ pod }) {
      const places = placesOf(pod, listers);
      if ("code" in places) return places;
      return places.length === 0 ? SKIP : { state: places };
    },

    filter({ labels }, _, places) {
      if (!KEYS.some((key) => labels[key] !== undefined)) return null;
      for (const { key, values } of places) {
        const value = labels[key];
        if (value === undefined || !values.has(value)) return REFUSED;
      }
      return null;
    },
  };
}

function placesOf(pod: PodInfo, listers: Listers): Place[] | Status {
  const places: Place[] = [];
  for (const key of pod.claims) {
    const volumeName = listers.claim(key)?.spec.volumeName;
    if (!volumeName) continue;
    const volume = listers.volume(volumeName);
    if (!volume) {
      const text = `persistentvolume "${volumeName}" not found`;
      return status(name, "UnschedulableAndUnresolvable", text);
    }
    places.push(...zonesOf(volume.metadata.labels ?? {}));
  }
  return places;
}

/** A volume in several zones joins them: `a__b`. */
function zonesOf(labels: Labels): Place[] {
  return KEYS.flatMap((key) => {
    const value = labels[key];
    return value ? [{ key, values: new Set(value.split("__")) }] : [];
  });
}

/**
 * What is accepted in the kinds of storage, and is on its way out.
 * Models: pkg/api/{persistentvolume,persistentvolumeclaim,storage}/util.go @ v1.36
 */
import { OLD_CLASS } from "../helpers/storage-class.ts";
import { at, list, obj, str } from "../kinds/access.ts";
import type { Obj } from "../kinds/definition.ts";
import type { JsonObject } from "../types.ts";
import { fractionWarnings } from "./fractions.ts";
import { keyWarnings, mapWarnings, termWarnings } from "./node-labels.ts";

function classWarnings({ metadata }: Obj): string[] {
  if (metadata.annotations?.[OLD_CLASS] === undefined) return [];
  const why = 'deprecated since v1.8; use "storageClassName" attribute instead';
  return [`metadata.annotations[${OLD_CLASS}]: ${why}`];
}

export function claimWarnings(claim: Obj): string[] {
  return [
    ...classWarnings(claim),
    ...claimSpecWarnings(obj(claim.spec), "spec"),
  ];
}

export function claimSpecWarnings(spec: JsonObject, path: string): string[] {
  return ["requests", "limits"].flatMap((field) =>
    fractionWarnings(
      obj(at(spec, "resources", field)),
      `${path}.resources.${field}`,
      ["storage"],
    ),
  );
}

const gone = [
  ["cephfs", "cephfs", "1.28", "1.31"],
  ["photonPersistentDisk", "photonPersistentDisk", "1.11", "1.16"],
  ["scaleIO", "scaleIO", "1.16", "1.22"],
  ["storageos", "storageOS", "1.22", "1.25"],
  ["glusterfs", "glusterfs", "1.25", "1.26"],
  ["rbd", "rbd", "1.28", "1.31"],
] as const;

export function volumeWarnings(volume: Obj): string[] {
  const spec = obj(volume.spec);
  const recycles = spec.persistentVolumeReclaimPolicy === "Recycle";
  const terms = at(spec, "nodeAffinity", "required", "nodeSelectorTerms");
  return [
    ...classWarnings(volume),
    ...(recycles
      ? [
          "spec.persistentVolumeReclaimPolicy: The Recycle reclaim policy is deprecated. " +
            "Instead, the recommended approach is to use dynamic provisioning.",
        ]
      : []),
    ...list(terms).flatMap((term, i) => {
      const path = `spec.nodeAffinity.required.nodeSelectorTerms[${i}]`;
      return termWarnings(term, path, true);
    }),
    ...gone.flatMap(([field, shown, since, until]) =>
      spec[field] === undefined
        ? []
        : [
            `spec.${shown}: deprecated in v${since}, non-functional in v${until}+`,
          ],
    ),
  ];
}

export function storageClassWarnings(storageClass: Obj): string[] {
  return list(storageClass.allowedTopologies).flatMap((term, i) =>
    list(term.matchLabelExpressions).flatMap(({ key }, j) => {
      const path = `allowedTopologies[${i}].matchLabelExpressions[${j}]`;
      return mapWarnings({ [str(key)]: "" }, () => path);
    }),
  );
}

export function capacityWarnings({ nodeTopology }: Obj): string[] {
  const { matchExpressions, matchLabels } = obj(nodeTopology);
  return [
    ...list(matchExpressions).flatMap(({ key }, i) =>
      keyWarnings(str(key), `nodeTopology.matchExpressions[${i}].key`),
    ),
    ...mapWarnings(matchLabels, (key) => `nodeTopology.matchLabels.${key}`),
  ];
}

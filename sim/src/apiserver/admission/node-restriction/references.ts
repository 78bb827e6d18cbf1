/**
 * What a Pod needs of the API server: a mirror of a static Pod needs nothing.
 * Models: HasAPIObjectReference, VisitPodSecretNames of pkg/api/pod/util.go
 *         @ v1.36
 */
import { at, list, obj, str } from "../../../api/kinds/access.ts";
import type { JsonObject } from "../../../api/types.ts";

/** The first kind of object that is mentioned, as refusals call it. */
export function referenceOf(spec: JsonObject): string | undefined {
  if (str(spec.serviceAccountName)) return "serviceaccounts";
  const volumes = list(spec.volumes);
  const pulls = list(spec.imagePullSecrets).length > 0;
  const hidden = pulls || volumes.some(hasSecret);
  if (hidden || inContainers(spec, "secretKeyRef", "secretRef")) {
    return "secrets";
  }
  const told = [...volumes, ...volumes.flatMap(projected)];
  const shown = told.some(({ configMap }) => configMap !== undefined);
  if (shown || inContainers(spec, "configMapKeyRef", "configMapRef")) {
    return "configmaps";
  }
  if (list(spec.resourceClaims).length > 0) return "resourceclaims";
  for (const volume of volumes) {
    const found = ofVolume(volume);
    if (found) return found;
  }
  return undefined;
}

function ofVolume(volume: JsonObject): string | undefined {
  if (volume.csi) return "csidrivers (via CSI volumes)";
  if (volume.glusterfs) return "endpoints (via glusterFS volumes)";
  if (volume.persistentVolumeClaim) return "persistentvolumeclaims";
  if (volume.ephemeral) return "persistentvolumeclaims (via ephemeral volumes)";
  for (const source of projected(volume)) {
    if (source.serviceAccountToken)
      return "serviceaccounts (via projected volumes)";
    if (source.clusterTrustBundle) return "clustertrustbundles";
    if (source.podCertificate) return "podcertificates";
  }
  return undefined;
}

function projected(volume: JsonObject): readonly JsonObject[] {
  return list(at(volume, "projected", "sources"));
}

/** Of its own, or of what is projected, or to get at the disk. */
function hasSecret(volume: JsonObject): boolean {
  if (projected(volume).some(({ secret }) => secret !== undefined)) return true;
  return Object.values(volume).some((source) => {
    const { secretName, secretRef, nodePublishSecretRef } = obj(source);
    return secretName ?? secretRef ?? nodePublishSecretRef;
  });
}

function inContainers(spec: JsonObject, key: string, from: string): boolean {
  const all = [...list(spec.initContainers), ...list(spec.containers)];
  return all.some(
    (one) =>
      list(one.env).some((v) => at(v, "valueFrom", key)) ||
      list(one.envFrom).some((source) => source[from]),
  );
}

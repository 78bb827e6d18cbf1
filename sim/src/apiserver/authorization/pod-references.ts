/** Which Secrets, ConfigMaps, claims and accounts a Pod mentions. */
import { at, list, obj, str } from "../../api/kinds/access.ts";
import type { JsonObject, KubeObject } from "../../api/types.ts";
import type { Attributes } from "./rule.ts";

/** The kinds of objects that a Pod mentions: the first of them, in words. */
export function mentionsAny(pod: KubeObject): string | undefined {
  const spec = obj((pod as KubeObject & { spec?: JsonObject }).spec);
  const volumes = list(spec.volumes);
  const sources = volumes.flatMap((one) =>
    list(at(one, "projected", "sources")),
  );
  const containers = [...list(spec.initContainers), ...list(spec.containers)];
  const from = (key: string, ref: string) =>
    containers.some(
      (one) =>
        list(one.env).some((v) => at(v, "valueFrom", key)) ||
        list(one.envFrom).some((source) => source[ref]),
    );
  const inside = (field: string) =>
    [...volumes, ...sources].some((one) => one[field]);
  const pulls = list(spec.imagePullSecrets).length > 0;
  if (pulls || inside("secret") || from("secretKeyRef", "secretRef")) {
    return "secrets";
  }
  if (inside("configMap") || from("configMapKeyRef", "configMapRef")) {
    return "configmaps";
  }
  if (inside("clusterTrustBundle")) return "clustertrustbundles";
  return inside("persistentVolumeClaim") ? "persistentvolumeclaims" : undefined;
}

/** True if the Pod needs the object that `a` names. */
export function mentions(pod: KubeObject, a: Attributes): boolean {
  if (pod.metadata.namespace !== a.namespace) return false;
  const spec = obj((pod as KubeObject & { spec?: JsonObject }).spec);
  const name = a.name ?? "";
  if (a.resource === "serviceaccounts") return spec.serviceAccountName === name;
  const volumes = list(spec.volumes);
  if (a.resource === "persistentvolumeclaims") {
    return volumes.some((volume) => claimOf(pod, volume) === name);
  }
  const secret = a.resource === "secrets";
  if (volumes.some((volume) => volumeMentions(volume, secret, name))) {
    return true;
  }
  const pull = secret ? list(spec.imagePullSecrets) : [];
  if (pull.some((reference) => reference.name === name)) return true;
  const containers = [...list(spec.initContainers), ...list(spec.containers)];
  return containers.some((one) => containerMentions(one, secret, name));
}

/** A claim by name, or the one that is made for the Pod alone. */
function claimOf({ metadata }: KubeObject, volume: JsonObject): string {
  if (volume.ephemeral) return `${metadata.name}-${volume.name}`;
  return str(at(volume, "persistentVolumeClaim", "claimName"));
}

function volumeMentions(volume: JsonObject, secret: boolean, name: string) {
  if (secret && at(volume, "secret", "secretName") === name) return true;
  if (!secret && at(volume, "configMap", "name") === name) return true;
  const field = secret ? "secret" : "configMap";
  const sources = list(at(volume, "projected", "sources"));
  return sources.some((source) => at(source, field, "name") === name);
}

function containerMentions(one: JsonObject, secret: boolean, name: string) {
  const [key, from] = secret
    ? ["secretKeyRef", "secretRef"]
    : ["configMapKeyRef", "configMapRef"];
  return (
    list(one.env).some((v) => str(at(v, "valueFrom", key, "name")) === name) ||
    list(one.envFrom).some((source) => str(at(source, from, "name")) === name)
  );
}

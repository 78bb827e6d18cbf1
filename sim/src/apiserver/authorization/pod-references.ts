/** Which Secrets, ConfigMaps, claims and accounts a Pod mentions. */
import { at, list, obj, str } from "../../api/kinds/access.ts";
import type { JsonObject, KubeObject } from "../../api/types.ts";
import type { Attributes } from "./rule.ts";

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

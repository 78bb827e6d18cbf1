/**
 * Volumes, as Pods and templates show them.
 * Models:     kubectl/pkg/describe/describe.go (describeVolumes) @ v1.36
 */
import { at, list, map, obj, str } from "../../api/kinds/access.ts";
import type { Json, JsonObject } from "../../api/types.ts";
import { classText, writeDataSource } from "./storage.ts";
import { writeAttributes, writeSource } from "./volume-sources.ts";
import type { Writer } from "./writer.ts";

export function writeVolumes(
  w: Writer,
  volumes: readonly JsonObject[],
  space: string,
): void {
  const none = volumes.length === 0 ? "\t<none>" : "";
  w.line(0, `${space}Volumes:${none}`);
  for (const volume of volumes) {
    w.line(1, `${space ? " " : ""}${volume.name}:`);
    const type = Object.keys(TYPES).find((one) => volume[one]);
    if (type !== undefined) TYPES[type]!(w, obj(volume[type]));
    else if (!writeSource(w, volume)) w.line(1, "<unknown>");
  }
}

/** The value of a field that may be absent, as Go prints it. */
const yes = (value: Json) => value === true;

const TYPES: {
  readonly [field: string]: (w: Writer, volume: JsonObject) => void;
} = {
  hostPath(w, { path, type }) {
    w.line(2, "Type:\tHostPath (bare host directory volume)");
    w.line(2, `Path:\t${path}`);
    w.line(2, `HostPathType:\t${type ?? "<none>"}`);
  },
  emptyDir(w, { medium, sizeLimit }) {
    w.line(
      2,
      "Type:\tEmptyDir (a temporary directory that shares a pod's lifetime)",
    );
    w.line(2, `Medium:\t${medium ?? ""}`);
    w.line(2, `SizeLimit:\t${sizeLimit ?? "<unset>"}`);
  },
  secret(w, { secretName, optional }) {
    w.line(2, "Type:\tSecret (a volume populated by a Secret)");
    w.line(2, `SecretName:\t${secretName}`);
    w.line(2, `Optional:\t${yes(optional)}`);
  },
  configMap(w, { name, optional }) {
    w.line(2, "Type:\tConfigMap (a volume populated by a ConfigMap)");
    w.line(2, `Name:\t${name}`);
    w.line(2, `Optional:\t${yes(optional)}`);
  },
  persistentVolumeClaim(w, { claimName, readOnly }) {
    w.line(
      2,
      "Type:\tPersistentVolumeClaim (a reference to a PersistentVolumeClaim in the same namespace)",
    );
    w.line(2, `ClaimName:\t${claimName}`);
    w.line(2, `ReadOnly:\t${yes(readOnly)}`);
  },
  projected(w, { sources }) {
    w.line(
      2,
      "Type:\tProjected (a volume that contains injected data from multiple sources)",
    );
    for (const source of list(sources)) writeProjected(w, source);
  },
  downwardAPI(w, { items }) {
    w.line(
      2,
      "Type:\tDownwardAPI (a volume populated by information about the pod)",
    );
    w.line(2, "Items:");
    writeItems(w, items);
  },
  csi(w, { driver, fsType, readOnly, volumeAttributes }) {
    w.line(2, "Type:\tCSI (a Container Storage Interface (CSI) volume source)");
    w.line(2, `Driver:\t${driver}`);
    w.line(2, `FSType:\t${fsType ?? ""}`);
    w.line(2, `ReadOnly:\t${yes(readOnly)}`);
    writeAttributes(w, { volumeAttributes });
  },
  ephemeral(w, { volumeClaimTemplate }) {
    const spec = obj(at(volumeClaimTemplate, "spec"));
    const metadata = at(volumeClaimTemplate, "metadata");
    w.line(
      2,
      "Type:\tEphemeralVolume (an inline specification for a volume that gets created and deleted with the pod)",
    );
    w.line(2, `StorageClass:\t${classText(metadata, spec)}`);
    w.line(2, `Volume:\t${str(spec.volumeName)}`);
    const { labels, annotations } = obj(metadata);
    writeNested(w, "Labels", map(labels), "=", "        ");
    writeNested(w, "Annotations", map(annotations), ": ", "    ");
    w.line(2, "Capacity:\t");
    w.line(2, "Access Modes:\t");
    if (spec.volumeMode) w.line(2, `VolumeMode:\t${spec.volumeMode}`);
    writeDataSource(w, spec, 2);
  },
};

/** Upstream indents each part of these lines, the value as well. */
function writeNested(
  w: Writer,
  title: string,
  pairs: { readonly [key: string]: string },
  sign: string,
  indent: string,
): void {
  const keys = Object.keys(pairs).toSorted();
  const texts = keys.map((key) => `${key}${sign}${pairs[key]}`);
  for (const [i, text] of (texts.length > 0 ? texts : ["<none>"]).entries())
    w.line(0, `${i === 0 ? `    ${title}:` : indent}\t    ${text}`);
}

function writeProjected(w: Writer, source: JsonObject): void {
  const { secret, downwardAPI, configMap, serviceAccountToken } = source;
  if (secret) {
    w.line(2, `SecretName:\t${at(secret, "name")}`);
    w.line(2, `Optional:\t${yes(at(secret, "optional"))}`);
  } else if (downwardAPI) w.line(2, "DownwardAPI:\ttrue");
  else if (configMap) {
    w.line(2, `ConfigMapName:\t${at(configMap, "name")}`);
    w.line(2, `Optional:\t${yes(at(configMap, "optional"))}`);
  } else if (serviceAccountToken) {
    const seconds = at(serviceAccountToken, "expirationSeconds");
    w.line(2, `TokenExpirationSeconds:\t${seconds}`);
  }
}

function writeItems(w: Writer, items: Json): void {
  for (const { path, fieldRef, resourceFieldRef } of list(items)) {
    if (fieldRef) w.line(3, `${at(fieldRef, "fieldPath")} -> ${path}`);
    if (resourceFieldRef)
      w.line(3, `${at(resourceFieldRef, "resource")} -> ${path}`);
  }
}

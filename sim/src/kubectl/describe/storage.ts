/**
 * kubectl describe of storage: PersistentVolumeClaim and PersistentVolume.
 * Models:     kubectl/pkg/describe/describe.go @ v1.36
 * Leaves out: volumes of single cloud providers.
 */
import { at, list, obj, str, strings } from "../../api/kinds/access.ts";
import { accessModesText } from "../../api/kinds/cells.ts";
import { Pod } from "../../api/kinds/pod.ts";
import { itemsOf } from "../objects.ts";
import { ago } from "../time.ts";
import {
  type Describer,
  type Subject,
  writeEventsOf,
  writeLabelsOf,
  writeName,
} from "./subject.ts";

export const describeClaim: Describer = async (subject) => {
  const { w, spec, status, object } = subject;
  writeName(subject);
  w.field(0, "StorageClass", str(spec.storageClassName));
  writeState(subject);
  w.field(0, "Volume", str(spec.volumeName));
  writeLabelsOf(subject);
  w.field(0, "Finalizers", `[${(object.metadata.finalizers ?? []).join(" ")}]`);
  const bound = Boolean(spec.volumeName);
  const capacity = bound ? str(at(status.capacity, "storage")) : "";
  w.field(0, "Capacity", capacity);
  w.field(0, "Access Modes", bound ? accessModesText(status.accessModes) : "");
  if (spec.volumeMode) w.field(0, "VolumeMode", spec.volumeMode);
  await writeUsers(subject);
  await writeEventsOf(subject);
};

function writeState({ w, object, status, env }: Subject): void {
  const { deletionTimestamp } = object.metadata;
  const text = deletionTimestamp
    ? `Terminating (lasts ${ago(deletionTimestamp, env)})`
    : str(status.phase);
  w.field(0, "Status", text);
}

async function writeUsers({ w, env, object }: Subject): Promise<void> {
  const { name, namespace = "" } = object.metadata;
  const pods = await env.client.list(Pod, namespace);
  const users = itemsOf(pods).filter(({ spec }) =>
    list(at(spec as never, "volumes")).some(
      (volume) => at(volume.persistentVolumeClaim, "claimName") === name,
    ),
  );
  if (users.length === 0) return w.field(0, "Used By", "<none>");
  for (const [i, pod] of users.entries())
    w.line(0, `${i === 0 ? "Used By:" : ""}\t${pod.metadata.name}`);
}

export const describeVolume: Describer = async (subject) => {
  const { w, spec, object } = subject;
  w.field(0, "Name", object.metadata.name);
  writeLabelsOf(subject);
  w.field(0, "Finalizers", `[${(object.metadata.finalizers ?? []).join(" ")}]`);
  w.field(0, "StorageClass", str(spec.storageClassName));
  writeState(subject);
  const claim = obj(spec.claimRef);
  w.field(0, "Claim", claim.name ? `${claim.namespace}/${claim.name}` : "");
  w.field(0, "Reclaim Policy", str(spec.persistentVolumeReclaimPolicy));
  w.field(0, "Access Modes", accessModesText(spec.accessModes));
  if (spec.volumeMode) w.field(0, "VolumeMode", spec.volumeMode);
  w.field(0, "Capacity", str(at(spec.capacity, "storage")));
  writeAffinity(subject);
  w.line(0, "Message:\t");
  w.line(0, "Source:");
  writeSource(subject);
  await writeEventsOf(subject);
};

function writeAffinity({ w, spec }: Subject): void {
  const required = at(spec.nodeAffinity, "required");
  if (!required) return w.field(0, "Node Affinity", "<none>");
  w.line(0, "Node Affinity:");
  w.line(1, "Required Terms:");
  const terms = list(at(required, "nodeSelectorTerms"));
  for (const [i, term] of terms.entries()) {
    const texts = list(term.matchExpressions).map(
      ({ key, operator, values }) => {
        const all = strings(values).join(", ");
        return `${key} ${String(operator).toLowerCase()}${all ? ` [${all}]` : ""}`;
      },
    );
    for (const [j, text] of texts.entries())
      w.line(2, `${j === 0 ? `Term ${i}:` : ""}\t${text}`);
  }
}

function writeSource({ w, spec }: Subject): void {
  if (spec.hostPath) {
    w.line(2, "Type:\tHostPath (bare host directory volume)");
    w.line(2, `Path:\t${at(spec.hostPath, "path")}`);
    w.line(2, `HostPathType:\t${at(spec.hostPath, "type") ?? ""}`);
  } else if (spec.local) {
    w.line(
      2,
      "Type:\tLocalVolume (a persistent volume backed by local storage on a node)",
    );
    w.line(2, `Path:\t${at(spec.local, "path")}`);
  } else if (spec.csi) {
    const { driver, fsType, volumeHandle, readOnly } = obj(spec.csi);
    w.line(2, "Type:\tCSI (a Container Storage Interface (CSI) volume source)");
    w.line(2, `Driver:\t${driver}`);
    w.line(2, `FSType:\t${fsType ?? ""}`);
    w.line(2, `VolumeHandle:\t${volumeHandle}`);
    w.line(2, `ReadOnly:\t${readOnly === true}`);
    w.line(2, `VolumeAttributes:\t<none>`);
  }
}

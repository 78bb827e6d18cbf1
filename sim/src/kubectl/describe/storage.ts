/**
 * kubectl describe of storage: PersistentVolumeClaim and PersistentVolume.
 * Models:     kubectl/pkg/describe/describe.go @ v1.36
 */
import { storageClassOf } from "../../api/helpers/storage-class.ts";
import { at, list, map, obj, str, strings } from "../../api/kinds/access.ts";
import { accessModesText } from "../../api/kinds/cells.ts";
import { Pod } from "../../api/kinds/pod.ts";
import type { JsonObject } from "../../api/types.ts";
import { itemsOf } from "../objects.ts";
import { ago, longTime } from "../time.ts";
import {
  type Describer,
  type Subject,
  writeEventsOf,
  writeLabelsOf,
  writeName,
} from "./subject.ts";
import { writeVolumeSource } from "./volume-sources.ts";
import type { Writer } from "./writer.ts";

/** The class of a claim, a volume, or a template of claims. */
export function classText(metadata: unknown, spec: unknown): string {
  const annotations = map(at(metadata, "annotations"));
  const storageClassName = str(at(spec, "storageClassName"));
  const named = { name: "", annotations };
  return storageClassOf({ metadata: named, spec: { storageClassName } });
}

export const describeClaim: Describer = async (subject) => {
  const { w, spec, status, object } = subject;
  writeName(subject);
  w.field(0, "StorageClass", classText(object.metadata, spec));
  writeState(subject);
  w.field(0, "Volume", str(spec.volumeName));
  writeLabelsOf(subject);
  w.field(0, "Finalizers", `[${(object.metadata.finalizers ?? []).join(" ")}]`);
  const bound = Boolean(spec.volumeName);
  const capacity = bound ? str(at(status.capacity, "storage")) : "";
  w.field(0, "Capacity", capacity);
  w.field(0, "Access Modes", bound ? accessModesText(status.accessModes) : "");
  if (spec.volumeMode) w.field(0, "VolumeMode", spec.volumeMode);
  writeDataSource(w, spec, 0);
  await writeUsers(subject);
  writeClaimConditions(subject);
  await writeEventsOf(subject);
};

function writeState({ w, object, status, env }: Subject): void {
  const { deletionTimestamp } = object.metadata;
  const text = deletionTimestamp
    ? `Terminating (lasts ${ago(deletionTimestamp, env)})`
    : str(status.phase);
  w.field(0, "Status", text);
}

/** What a claim was filled from. */
export function writeDataSource(
  w: Writer,
  spec: JsonObject,
  level: number,
): void {
  if (!spec.dataSource) return;
  const { apiGroup, kind, name } = obj(spec.dataSource);
  w.line(level, "DataSource:");
  if (apiGroup) w.field(level + 1, "APIGroup", apiGroup);
  w.field(level + 1, "Kind", str(kind));
  w.field(level + 1, "Name", str(name));
}

function writeClaimConditions({ w, status }: Subject): void {
  const conditions = list(status.conditions);
  if (conditions.length === 0) return;
  w.line(0, "Conditions:");
  w.line(1, "Type\tStatus\tLastProbeTime\tLastTransitionTime\tReason\tMessage");
  w.line(
    1,
    "----\t------\t-----------------\t------------------\t------\t-------",
  );
  for (const one of conditions) {
    const times = [one.lastProbeTime, one.lastTransitionTime].map(longTime);
    const cells = [one.type, one.status, ...times, str(one.reason)];
    w.line(1, `${cells.join(" \t")} \t${str(one.message)}`);
  }
}

async function writeUsers({ w, env, object }: Subject): Promise<void> {
  const { name, namespace = "" } = object.metadata;
  const pods = await env.client.list(Pod, namespace);
  const users = itemsOf(pods).filter(({ spec }) =>
    list(at(spec as never, "volumes")).some(
      (volume) => at(volume.persistentVolumeClaim, "claimName") === name,
    ),
  );
  const names = users.map(({ metadata }) => metadata.name);
  w.items(0, "Used By", names);
}

export const describeVolume: Describer = async (subject) => {
  const { w, spec, status, object } = subject;
  w.field(0, "Name", object.metadata.name);
  writeLabelsOf(subject);
  w.field(0, "Finalizers", `[${(object.metadata.finalizers ?? []).join(" ")}]`);
  w.field(0, "StorageClass", classText(object.metadata, spec));
  writeState(subject);
  const claim = obj(spec.claimRef);
  w.field(0, "Claim", claim.name ? `${claim.namespace}/${claim.name}` : "");
  w.field(0, "Reclaim Policy", str(spec.persistentVolumeReclaimPolicy));
  w.field(0, "Access Modes", accessModesText(spec.accessModes));
  if (spec.volumeMode) w.field(0, "VolumeMode", spec.volumeMode);
  w.field(0, "Capacity", str(at(spec.capacity, "storage")));
  writeAffinity(subject);
  w.field(0, "Message", str(status.message));
  w.line(0, "Source:");
  writeVolumeSource(w, spec);
  await writeEventsOf(subject);
};

function writeAffinity({ w, spec }: Subject): void {
  const required = at(spec.nodeAffinity, "required");
  if (!required) return w.field(0, "Node Affinity", "<none>");
  w.line(0, "Node Affinity:\t");
  const terms = list(at(required, "nodeSelectorTerms"));
  w.line(1, `Required Terms:\t${terms.length === 0 ? "<none>" : ""}`);
  for (const [i, term] of terms.entries()) {
    const texts = list(term.matchExpressions).map(
      ({ key, operator, values }) => {
        const all = strings(values).join(", ");
        return `${key} ${String(operator).toLowerCase()}${all ? ` [${all}]` : ""}`;
      },
    );
    w.items(2, `Term ${i}`, texts);
  }
}

/**
 * kubectl describe of what runs Pods: Deployment, ReplicaSet, DaemonSet,
 * StatefulSet.
 * Models:     kubectl/pkg/describe/describe.go @ v1.36
 */
import { at, list, map, num, obj, str } from "../../api/kinds/access.ts";
import { labelsText } from "../../api/kinds/cells.ts";
import type { Obj } from "../../api/kinds/definition.ts";
import { ReplicaSet } from "../../api/kinds/replicaset.ts";
import { controllerOf } from "../../api/types.ts";
import { itemsOf } from "../objects.ts";
import { sameTemplate } from "../rollout/revisions.ts";
import { classText } from "./storage.ts";
import {
  type Describer,
  type Subject,
  selectorOf,
  writeConditions,
  writeController,
  writeCreated,
  writeEventsOf,
  writeLabelsOf,
  writeName,
  writePodsStatus,
} from "./subject.ts";
import { writeTemplate } from "./template.ts";
import { writeLabels } from "./writer.ts";

export const describeDeployment: Describer = async (subject) => {
  const { w, spec, status } = subject;
  writeName(subject);
  writeCreated(subject);
  writeLabelsOf(subject);
  w.field(0, "Selector", selectorOf(subject));
  w.line(
    0,
    `Replicas:\t${num(spec.replicas)} desired | ` +
      `${num(status.updatedReplicas)} updated | ` +
      `${num(status.replicas)} total | ` +
      `${num(status.availableReplicas)} available | ` +
      `${num(status.unavailableReplicas)} unavailable`,
  );
  w.field(0, "StrategyType", str(at(spec.strategy, "type")));
  w.field(0, "MinReadySeconds", num(spec.minReadySeconds));
  const rolling = obj(at(spec.strategy, "rollingUpdate"));
  if (at(spec.strategy, "rollingUpdate")) {
    const { maxUnavailable, maxSurge } = rolling;
    w.line(
      0,
      `RollingUpdateStrategy:\t${maxUnavailable} max unavailable, ${maxSurge} max surge`,
    );
  }
  writeTemplate(w, spec.template);
  writeConditions(subject);
  await writeReplicaSets(subject);
  await writeEventsOf(subject);
};

async function writeReplicaSets(subject: Subject): Promise<void> {
  const { env, object, spec, w } = subject;
  const { namespace = "", uid } = object.metadata;
  const labelSelector = selectorOf(subject);
  const all = await env.client.list(ReplicaSet, namespace, { labelSelector });
  const owned = itemsOf(all)
    .filter((set) => controllerOf(set)?.uid === uid)
    .toSorted((a, b) => (age(a) < age(b) ? -1 : age(a) > age(b) ? 1 : 0));
  const newest = owned.find((set) =>
    sameTemplate(at(set.spec, "template"), spec.template),
  );
  const old = owned.filter((set) => set !== newest);
  w.field(0, "OldReplicaSets", setsText(old));
  w.field(0, "NewReplicaSet", setsText(newest ? [newest] : []));
}

function age({ metadata }: Obj): string {
  return metadata.creationTimestamp ?? "";
}

function setsText(sets: readonly Obj[]): string {
  const texts = sets.map(({ metadata, spec, status }) => {
    const made = num(at(status, "replicas"));
    const wanted = num(at(spec, "replicas"));
    return `${metadata.name} (${made}/${wanted} replicas created)`;
  });
  return texts.join(", ") || "<none>";
}

export const describeReplicaSet: Describer = async (subject) => {
  const { w, spec, status, kind } = subject;
  writeName(subject);
  const plain = kind.kind === "ReplicationController";
  const selector = plain ? labelsText(spec.selector) : selectorOf(subject);
  w.field(0, "Selector", selector);
  writeLabelsOf(subject);
  writeController(subject);
  const [made, wanted] = [num(status.replicas), num(spec.replicas)];
  w.field(0, "Replicas", `${made} current / ${wanted} desired`);
  await writePodsStatus(subject);
  writeTemplate(w, spec.template);
  writeConditions(subject);
  await writeEventsOf(subject);
};

export const describeDaemonSet: Describer = async (subject) => {
  const { w, spec, status } = subject;
  writeName(subject);
  w.field(0, "Selector", selectorOf(subject));
  const selector = obj(at(spec, "template", "spec", "nodeSelector"));
  const pairs = Object.entries(selector).map(([key, one]) => `${key}=${one}`);
  w.field(0, "Node-Selector", pairs.toSorted().join(",") || "<none>");
  writeLabelsOf(subject);
  for (const [title, field] of [
    ["Desired Number of Nodes Scheduled", "desiredNumberScheduled"],
    ["Current Number of Nodes Scheduled", "currentNumberScheduled"],
    [
      "Number of Nodes Scheduled with Up-to-date Pods",
      "updatedNumberScheduled",
    ],
    ["Number of Nodes Scheduled with Available Pods", "numberAvailable"],
    ["Number of Nodes Misscheduled", "numberMisscheduled"],
  ] as const) {
    w.line(0, `${title}: ${num(status[field])}`);
  }
  await writePodsStatus(subject);
  writeTemplate(w, spec.template);
  await writeEventsOf(subject);
};

export const describeStatefulSet: Describer = async (subject) => {
  const { w, spec, status } = subject;
  writeName(subject);
  writeCreated(subject);
  w.field(0, "Selector", selectorOf(subject));
  writeLabelsOf(subject);
  const [wanted, made] = [num(spec.replicas), num(status.replicas)];
  w.field(0, "Replicas", `${wanted} desired | ${made} total`);
  w.field(0, "Update Strategy", str(at(spec.updateStrategy, "type")));
  const partition = at(spec.updateStrategy, "rollingUpdate", "partition");
  if (partition !== undefined) w.line(1, `Partition:\t${partition}`);
  await writePodsStatus(subject);
  writeTemplate(w, spec.template);
  writeClaims(subject);
  await writeEventsOf(subject);
};

function writeClaims({ w, spec }: Subject): void {
  const claims = list(spec.volumeClaimTemplates);
  if (claims.length === 0) return w.line(0, "Volume Claims:\t<none>");
  w.line(0, "Volume Claims:");
  for (const { metadata, spec: claim } of claims) {
    w.field(1, "Name", str(at(metadata, "name")));
    w.field(1, "StorageClass", classText(metadata, claim));
    const capacity = at(claim, "resources", "requests", "storage");
    const { labels, annotations } = obj(metadata);
    writeLabels(w, "  Labels", map(labels));
    writeLabels(w, "  Annotations", map(annotations));
    w.field(1, "Capacity", str(capacity));
    w.field(1, "Access Modes", `[${list(at(claim, "accessModes")).join(" ")}]`);
  }
}

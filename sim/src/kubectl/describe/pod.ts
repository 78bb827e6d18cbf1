/**
 * kubectl describe pod.
 * Models:     kubectl/pkg/describe/describe.go (PodDescriber) @ v1.36
 */
import { at, list, map, obj, str } from "../../api/kinds/access.ts";
import { humanDuration } from "../../api/table.ts";
import { jsonOf } from "../objects.ts";
import { longTime, nowOf } from "../time.ts";
import { writeContainers, writeResources } from "./container.ts";
import {
  type Describer,
  type Subject,
  writeController,
  writeEventsOf,
  writeLabelsOf,
  writeName,
} from "./subject.ts";
import { writeSpreading, writeTolerations } from "./template.ts";
import { writeVolumes } from "./volumes.ts";
import { writeLabels } from "./writer.ts";

export const describePod: Describer = async (subject) => {
  const { w, spec, status, object } = subject;
  writeName(subject);
  writePlace(subject);
  writeLabelsOf(subject);
  writePhase(subject);
  writeAddresses(subject);
  writeController(subject);
  const nominated = str(status.nominatedNodeName);
  if (nominated) w.field(0, "NominatedNodeName", nominated);
  if (spec.resources) {
    w.line(0, "Resources:");
    writeResources(w, spec.resources, 1);
  }
  const init = list(spec.initContainers);
  const pod = jsonOf(object);
  if (init.length > 0) {
    const statuses = list(status.initContainerStatuses);
    writeContainers(w, "Init Containers", init, { space: "", statuses, pod });
  }
  const statuses = list(status.containerStatuses);
  const containers = list(spec.containers);
  writeContainers(w, "Containers", containers, { space: "", statuses, pod });
  writeGates(subject);
  writePodConditions(subject);
  writeVolumes(w, list(spec.volumes), "");
  const qos = str(status.qosClass);
  if (qos) w.field(0, "QoS Class", qos);
  writeLabels(w, "Node-Selectors", map(spec.nodeSelector));
  writeTolerations(w, "Tolerations", list(spec.tolerations));
  writeSpreading(w, spec, "");
  await writeEventsOf(subject);
};

function writePlace({ w, spec, status }: Subject): void {
  if (typeof spec.priority === "number") w.field(0, "Priority", spec.priority);
  for (const [title, field] of [
    ["Priority Class Name", "priorityClassName"],
    ["Runtime Class Name", "runtimeClassName"],
    ["Service Account", "serviceAccountName"],
  ] as const) {
    const text = str(spec[field]);
    if (text) w.field(0, title, text);
  }
  const node = str(spec.nodeName);
  w.field(0, "Node", node ? `${node}/${str(status.hostIP)}` : "<none>");
  if (status.startTime) w.field(0, "Start Time", longTime(status.startTime));
}

function writePhase({ w, object, spec, status, env }: Subject): void {
  const { deletionTimestamp, deletionGracePeriodSeconds } = object.metadata;
  if (deletionTimestamp && status.reason !== "NodeLost") {
    const lasts = humanDuration(nowOf(env) - Date.parse(deletionTimestamp));
    w.field(0, "Status", `Terminating (lasts ${lasts})`);
    const grace = deletionGracePeriodSeconds ?? 0;
    w.field(0, "Termination Grace Period", `${grace}s`);
  } else w.field(0, "Status", str(status.phase));
  if (status.reason) w.field(0, "Reason", status.reason);
  if (status.message) w.field(0, "Message", status.message);
  const profile = obj(at(spec.securityContext, "seccompProfile"));
  if (!profile.type) return;
  w.field(0, "SeccompProfile", profile.type);
  if (profile.type === "Localhost")
    w.field(0, "LocalhostProfile", str(profile.localhostProfile));
}

function writeAddresses({ w, status }: Subject): void {
  w.field(0, "IP", str(status.podIP));
  const ips = list(status.podIPs);
  w.line(0, ips.length === 0 ? "IPs:\t<none>" : "IPs:");
  for (const { ip } of ips) w.field(1, "IP", str(ip));
}

function writeGates({ w, spec, status }: Subject): void {
  const gates = list(spec.readinessGates);
  if (gates.length === 0) return;
  w.line(0, "Readiness Gates:");
  w.line(1, "Type\tStatus");
  for (const { conditionType } of gates) {
    const met = list(status.conditions).find(
      ({ type }) => type === conditionType,
    );
    w.line(1, `${conditionType} \t${met?.status ?? "<none>"} `);
  }
}

function writePodConditions({ w, status }: Subject): void {
  const conditions = list(status.conditions);
  if (conditions.length === 0) return;
  w.line(0, "Conditions:");
  w.line(1, "Type\tStatus");
  for (const { type, status: is } of conditions) w.line(1, `${type} \t${is} `);
}

/**
 * kubectl describe node.
 * Models:     kubectl/pkg/describe/describe.go (NodeDescriber) @ v1.36
 */
import { list, map, obj, str, strings } from "../../api/kinds/access.ts";
import { Lease } from "../../api/kinds/lease.ts";
import { isNotFound } from "../../api/status.ts";
import type { JsonObject } from "../../api/types.ts";
import { longTime } from "../time.ts";
import { eventsOf, writeEvents } from "./events.ts";
import { writeNodePods } from "./node-pods.ts";
import {
  type Describer,
  type Subject,
  writeCreated,
  writeLabelsOf,
  writeName,
} from "./subject.ts";

export const describeNode: Describer = async (subject) => {
  const { w, spec, status, object, kind, env, showEvents } = subject;
  writeName(subject);
  w.field(0, "Roles", rolesOf(map(object.metadata.labels)));
  writeLabelsOf(subject);
  writeCreated(subject);
  writeTaints(subject);
  w.field(0, "Unschedulable", spec.unschedulable === true);
  await writeLease(subject);
  writeNodeConditions(subject);
  w.line(0, "Addresses:");
  for (const { type, address } of list(status.addresses))
    w.field(1, str(type), address);
  writeAmounts(subject, "Capacity", obj(status.capacity));
  writeAmounts(subject, "Allocatable", obj(status.allocatable));
  writeSystemInfo(subject);
  if (spec.podCIDR) w.field(0, "PodCIDR", spec.podCIDR);
  const ranges = strings(spec.podCIDRs);
  if (ranges.length > 0) w.field(0, "PodCIDRs", ranges.join(","));
  if (spec.providerID) w.field(0, "ProviderID", spec.providerID);
  await writeNodePods(subject);
  if (!showEvents) return;
  // Controllers name the Node by its uid, the kubelet by its name.
  const events = [
    ...(await eventsOf(env, kind, object)),
    ...(await eventsOf(env, kind, object, object.metadata.name)),
  ];
  writeEvents(w, events, env);
};

function rolesOf(labels: { readonly [key: string]: string }): string {
  const prefix = "node-role.kubernetes.io/";
  const roles = new Set<string>();
  for (const [key, value] of Object.entries(labels)) {
    if (key.startsWith(prefix)) roles.add(key.slice(prefix.length));
    else if (key === "kubernetes.io/role" && value) roles.add(value);
  }
  roles.delete("");
  return [...roles].toSorted().join(",") || "<none>";
}

function writeTaints({ w, spec }: Subject): void {
  const taints = list(spec.taints).map(({ key, value, effect }) => {
    return `${key}${value ? `=${value}` : ""}:${effect}`;
  });
  // Those that drive Pods away come first, by effect, then by key.
  const effect = (text: string) => text.split(":").at(-1)!;
  taints.sort((a, b) => {
    const [x, y] = [effect(a), effect(b)];
    return x === y ? (a < b ? -1 : 1) : x < y ? -1 : 1;
  });
  w.items(0, "Taints", taints);
}

async function writeLease({ w, env, object }: Subject): Promise<void> {
  let spec: JsonObject = {};
  try {
    const { name } = object.metadata;
    const lease = await env.client.get(Lease, "kube-node-lease", name);
    spec = obj(lease.spec);
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
  const time = (value: unknown) => (value ? longTime(value) : "<unset>");
  w.line(0, "Lease:");
  w.field(1, "HolderIdentity", spec.holderIdentity ?? "<unset>");
  w.field(1, "AcquireTime", time(spec.acquireTime));
  w.field(1, "RenewTime", time(spec.renewTime));
}

function writeNodeConditions({ w, status }: Subject): void {
  const conditions = list(status.conditions);
  if (conditions.length === 0) return;
  w.line(0, "Conditions:");
  w.line(
    1,
    "Type\tStatus\tLastHeartbeatTime\tLastTransitionTime\tReason\tMessage",
  );
  w.line(
    1,
    "----\t------\t-----------------\t------------------\t------\t-------",
  );
  for (const condition of conditions) {
    const { type, status: is, reason, message } = condition;
    const [beat, turn] = [
      longTime(condition.lastHeartbeatTime),
      longTime(condition.lastTransitionTime),
    ];
    w.line(
      1,
      `${type} \t${is} \t${beat} \t${turn} \t${reason ?? ""} \t${message ?? ""}`,
    );
  }
}

function writeAmounts({ w }: Subject, title: string, all: JsonObject): void {
  const names = Object.keys(all).toSorted();
  if (names.length === 0) return;
  w.line(0, `${title}:`);
  for (const name of names) w.field(1, name, all[name]);
}

const SYSTEM_INFO = [
  ["Machine ID", "machineID"],
  ["System UUID", "systemUUID"],
  ["Boot ID", "bootID"],
  ["Kernel Version", "kernelVersion"],
  ["OS Image", "osImage"],
  ["Operating System", "operatingSystem"],
  ["Architecture", "architecture"],
  ["Container Runtime Version", "containerRuntimeVersion"],
  ["Kubelet Version", "kubeletVersion"],
  ["Kube-Proxy Version", "kubeProxyVersion"],
] as const;

function writeSystemInfo({ w, status }: Subject): void {
  const info = obj(status.nodeInfo);
  w.line(0, "System Info:");
  for (const [title, field] of SYSTEM_INFO) w.field(1, title, str(info[field]));
}

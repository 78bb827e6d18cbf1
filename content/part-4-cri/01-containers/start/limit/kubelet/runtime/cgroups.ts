/**
 * Where a Pod's processes are accounted: its cgroup by QoS class, and the
 * numbers that the container's cgroup gets.
 * Models: pkg/kubelet/cm/{cgroup_manager_linux,helpers_linux}.go @ v1.36
 */
import type { Container, Pod } from "../../api/kinds/pod.ts";
import { milliCpu } from "../../api/quantity.ts";
import type { LinuxContainerResources } from "../../cri/api.ts";
import { oomScoreAdj, type QosClass, qosOf } from "../qos.ts";

const FOLDER: Readonly<Record<QosClass, string>> = {
  Guaranteed: "",
  Burstable: "burstable",
  BestEffort: "besteffort",
};

/** `/kubepods/burstable/pod<uid>`, or systemd's slices of the same. */
export function podCgroup(pod: Pod, driver: "cgroupfs" | "systemd"): string {
  const { uid = "" } = pod.metadata;
  const folder = FOLDER[qosOf(pod)];
  if (driver === "cgroupfs") {
    return folder ? `/kubepods/${folder}/pod${uid}` : `/kubepods/pod${uid}`;
  }
  const escaped = uid.replaceAll("-", "_");
  const parents = ["kubepods", ...(folder ? [`kubepods-${folder}`] : [])];
  const slices = [...parents, `${parents.at(-1)}-pod${escaped}`];
  return slices.map((slice) => `/${slice}.slice`).join("");
}

const SHARES_MIN = 2;
const SHARES_MAX = 262_144;
const PERIOD_US = 100_000;
const QUOTA_US_MIN = 1000;

export function containerResources(
  pod: Pod,
  container: Container,
  nodeMemoryBytes: number,
): LinuxContainerResources {
  const { requests, limits } = container.resources ?? {};
  // Without a request the limit is the request.
  const wanted = milliCpu(requests?.cpu ?? limits?.cpu);
  const quota = milliCpu(limits?.cpu);
  return {
    cpu_shares: sharesOf(wanted),
    oom_score_adj: oomScoreAdj(pod, container, nodeMemoryBytes),
    ...(quota > 0 ? { cpu_period: PERIOD_US, cpu_quota: quotaOf(quota) } : {}),
  };
}

/** 1024 a CPU. */
function sharesOf(milli: number): number {
  const shares = Math.trunc((milli * 1024) / 1000);
  return Math.min(Math.max(shares, SHARES_MIN), SHARES_MAX);
}

/** Microseconds of CPU in each period. */
function quotaOf(milli: number): number {
  return Math.max((milli * PERIOD_US) / 1000, QUOTA_US_MIN);
}

/** What plans are made of: moments, names of machines and members, inputs. */
import type { Input, Scenario } from "../../sim/src/index.ts";

/** Inputs begin once the cluster stands, in ms. */
export const BEGIN_MS = 10_000;
/** Unless some fault is long, all have ended by now, in ms. */
export const CALM_MS = 70_000;

/** What a seed does to a cluster. */
export interface Draft {
  readonly scenario: Scenario;
  readonly inputs: readonly Input[];
  readonly calmMs: number;
}

export function machinesOf({ controlPlanes = 1 }: Scenario): string[] {
  return controlPlanes === 1 ? [""] : ["/cp-1", "/cp-2", "/cp-3"];
}

export function membersOf({ etcdMembers = 1, etcd, controlPlanes = 1 }: Scenario): string[] {
  if (etcdMembers === 1 && controlPlanes === 1) return [];
  const place = etcd === "external" ? "m" : "cp-";
  return Array.from({ length: etcdMembers }, (_, i) => `etcd/${place}${i + 1}`);
}

export const nodesOf = ({ nodes }: Scenario) =>
  Array.from({ length: Number(nodes) }, (_, i) => `node-${i + 1}`);

export function apply(atMs: number, yaml: string): Input {
  return { atMs, do: "apply", yaml };
}

export function kubectl(atMs: number, line: string): Input {
  return { atMs, do: "kubectl", line };
}

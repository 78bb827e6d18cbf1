/**
 * When a Node was last heard of. A Node speaks by renewing its Lease or by
 * posting its status; the moment counts at which this controller saw it, by
 * its own clock, so clocks need not agree.
 * Models: pkg/controller/nodelifecycle/node_lifecycle_controller.go
 *         (tryUpdateNodeHealth) @ v1.36
 */
import type { Lease } from "../../api/kinds/lease.ts";
import type { Node } from "../../api/kinds/node.ts";
import type { NodeCondition } from "../../api/kinds/types/core.ts";
import type { Kernel } from "../../kernel/index.ts";
import { findCondition } from "../shared/conditions.ts";

/** What is remembered of a Node between two looks. */
export interface NodeHealth {
  /** When it was last heard of, simulated ms. */
  heardAtMs: number;
  ready: NodeCondition | undefined;
  lease: Lease | undefined;
}

const GRACE_MS = 30_000;
const STARTUP_GRACE_MS = 60_000;
/** Seconds that a Node may be silent, if it is to be more or less. */
const PATIENCE = "example.com/patience";

export function readyCondition(node: Node): NodeCondition | undefined {
  return findCondition(node.status?.conditions, "Ready");
}

// region: health
/** Takes in what the Node says now. */
export function hear(
  known: NodeHealth | undefined,
  node: Node,
  lease: Lease | undefined,
  kernel: Pick<Kernel, "now" | "msOf">,
): NodeHealth {
  const now = kernel.now();
  const ready = readyCondition(node);
  const created = kernel.msOf(node.metadata.creationTimestamp ?? "");
  const health = known ?? {
    heardAtMs: ready ? now : created,
    ready,
    lease: undefined,
  };
  if (known?.ready?.lastHeartbeatTime !== ready?.lastHeartbeatTime && known) {
    health.heardAtMs = now;
  }
  const renewed = lease?.spec.renewTime;
  const before = health.lease?.spec.renewTime;
  if (renewed && (!health.lease || (before ?? "") < renewed)) {
    health.lease = lease;
    health.heardAtMs = now;
  }
  health.ready = ready;
  return health;
}

/** True if the Node has been silent for longer than its grace period. */
export function isSilent(
  health: NodeHealth,
  node: Node,
  kernel: Pick<Kernel, "now">,
): boolean {
  const patience = Number(node.metadata.labels?.[PATIENCE]);
  const usualMs = patience > 0 ? patience * 1000 : GRACE_MS;
  const graceMs = health.ready ? usualMs : STARTUP_GRACE_MS;
  return kernel.now() > health.heardAtMs + graceMs;
}
// endregion: health

const TYPES = ["Ready", "MemoryPressure", "DiskPressure", "PIDPressure"];

/** The conditions of a silent Node: nobody knows. */
export function unknownConditions(
  node: Node,
  now: string,
): readonly NodeCondition[] {
  const conditions = [...(node.status?.conditions ?? [])];
  for (const type of TYPES) {
    const at = conditions.findIndex((condition) => condition.type === type);
    const old = conditions[at];
    if (!old) {
      conditions.push({
        ...{ type, status: "Unknown", reason: "NodeStatusNeverUpdated" },
        message: "Kubelet never posted node status.",
        lastHeartbeatTime: node.metadata.creationTimestamp,
        lastTransitionTime: now,
      });
    } else if (old.status !== "Unknown") {
      conditions[at] = {
        ...old,
        ...{ status: "Unknown", reason: "NodeStatusUnknown" },
        message: "Kubelet stopped posting node status.",
        lastTransitionTime: now,
      };
    }
  }
  return conditions;
}

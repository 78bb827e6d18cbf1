/**
 * When a volume that no Pod of a Node wants any more may be taken off it: as
 * soon as the kubelet says that it is not in use. A Node that is not healthy
 * is given six minutes to say so; one that is marked out of service, none.
 * Models: pkg/controller/volume/attachdetach/reconciler/reconciler.go
 *         (reconcile), util.DetermineVolumeAction @ v1.36
 * Try:    wait for no Node at all, and start the kubelet again.
 */
import type { Node } from "../../api/kinds/node.ts";
import type { Pod } from "../../api/kinds/pod.ts";
import { isTerminated } from "../shared/pods.ts";

/** How long an unhealthy Node may keep a volume, in ms. */
const MAX_WAIT_FOR_UNMOUNT_MS = 360_000;
const OUT_OF_SERVICE = "node.kubernetes.io/out-of-service";

export class Detaching {
  /** Since when nobody wants it, in ms, by Node and volume. */
  private readonly since = new Map<string, number>();
  /** What each Node said last, even if it is gone by now. */
  private readonly inUse = new Map<string, readonly string[]>();

  heard({ metadata, status }: Node): void {
    this.inUse.set(metadata.name, status?.volumesInUse ?? []);
  }

  isWanted(node: string, volume: string): void {
    this.since.delete(`${node} ${volume}`);
  }

  // region: wait
  /** In ms; 0: now; undefined: until the Node's status changes. */
  waitMs(
    name: string,
    node: Node | undefined,
    volume: string,
    nowMs: number,
  ): number | undefined {
    const key = `${name} ${volume}`;
    const sinceMs = this.since.get(key) ?? nowMs;
    this.since.set(key, sinceMs);
    if (!this.inUse.get(name)?.includes(volume)) return 0;
    if (node && isOutOfService(node)) return 0;
    const leftMs = sinceMs + MAX_WAIT_FOR_UNMOUNT_MS - nowMs;
    if (leftMs > 0) return leftMs;
    return node && isHealthy(node) ? undefined : 0;
  }
  // endregion: wait
}

/** Does the change matter to what may be detached? */
export function matters(node: Node, old: Node): boolean {
  return (
    node.status?.volumesInUse !== old.status?.volumesInUse ||
    node.spec.taints !== old.spec.taints ||
    isHealthy(node) !== isHealthy(old)
  );
}

function isOutOfService({ spec }: Node): boolean {
  return (spec.taints ?? []).some(
    ({ key, effect }) => key === OUT_OF_SERVICE && effect === "NoExecute",
  );
}

function isHealthy({ status }: Node): boolean {
  const ready = status?.conditions?.find(({ type }) => type === "Ready");
  return ready?.status === "True";
}

/** Its containers have ended, or none was ever started and it is to go. */
export function isDone(pod: Pod): boolean {
  if (isTerminated(pod)) return true;
  if (!pod.metadata.deletionTimestamp) return false;
  const { containerStatuses = [] } = pod.status ?? {};
  return containerStatuses.every(
    ({ state }) => state?.terminated || state?.waiting,
  );
}

/**
 * The node's own word: a Pod that was bound here may still not fit, since the
 * scheduler decided on an older picture. It is rejected and fails.
 * Models: pkg/kubelet/lifecycle/predicate.go, pkg/kubelet/kubelet.go
 *         (canAdmitPod, rejectPod) @ v1.36
 */
import { amountsOf, podRequests } from "../api/helpers/pod-requests.ts";
import type { Pod } from "../api/kinds/pod.ts";

export interface Rejection {
  /** `OutOfcpu`, `OutOfmemory`, `OutOfpods`. */
  readonly reason: string;
  readonly message: string;
}

export class NodeAdmission {
  readonly allocatable: ReadonlyMap<string, number>;
  /** Requests of the Pods that were let in, by uid. */
  readonly admitted = new Map<string, ReadonlyMap<string, number>>();
  readonly used = new Map<string, number>();

  constructor(allocatable: Readonly<Record<string, string>>) {
    this.allocatable = amountsOf(allocatable);
  }

  /** Lets the Pod in and counts it, or says why not. */
  admit(pod: Pod): Rejection | undefined {
    const uid = pod.metadata.uid ?? "";
    if (this.admitted.has(uid)) return undefined;
    const pods = this.allocatable.get("pods") ?? 0;
    if (this.admitted.size + 1 > pods) {
      return short("pods", 1, this.admitted.size, pods);
    }
    const requests = podRequests(pod);
    const lacking = lackingFor(requests, this);
    if (lacking) return lacking;
    this.count(uid, requests);
    return undefined;
  }

  private count(uid: string, requests: ReadonlyMap<string, number>): void {
    this.admitted.set(uid, requests);
    for (const [name, amount] of requests) this.add(name, amount);
  }

  /** A Pod wants more or less: lets it, or says why not now or never. */
  resize(
    uid: string,
    requests: ReadonlyMap<string, number>,
  ): Rejection | undefined {
    const refusal = resizeRefusal(uid, requests, this);
    if (refusal) return refusal;
    this.release(uid);
    this.count(uid, requests);
    return undefined;
  }

  /** The Pod has ended: what it asked for is free. */
  release(uid: string): void {
    for (const [name, amount] of this.admitted.get(uid) ?? []) {
      this.add(name, -amount);
    }
    this.admitted.delete(uid);
  }

  private add(name: string, amount: number): void {
    this.used.set(name, (this.used.get(name) ?? 0) + amount);
  }
}

/** Source: pkg/kubelet/allocation/allocation_manager.go canResizePod @ v1.36 */
function resizeRefusal(
  uid: string,
  requests: ReadonlyMap<string, number>,
  admission: NodeAdmission,
): Rejection | undefined {
  for (const name of ["memory", "cpu"]) {
    const requested = requests.get(name) ?? 0;
    const capacity = admission.allocatable.get(name) ?? 0;
    if (requested <= capacity) continue;
    const message = `Node didn't have enough capacity: ${name}, requested: ${requested}, capacity: ${capacity}`;
    return { reason: "Infeasible", message };
  }
  const lacking = lackingFor(requests, admission, admission.admitted.get(uid));
  return lacking && { ...lacking, reason: "Deferred" };
}

/** `own`: what of the used is the Pod's. */
function lackingFor(
  requests: ReadonlyMap<string, number>,
  { allocatable, used }: NodeAdmission,
  own?: ReadonlyMap<string, number>,
): Rejection | undefined {
  for (const [name, requested] of requests) {
    const others = (used.get(name) ?? 0) - (own?.get(name) ?? 0);
    const capacity = allocatable.get(name) ?? 0;
    if (requested === 0 || others + requested <= capacity) continue;
    return short(name, requested, others, capacity);
  }
  return undefined;
}

function short(
  name: string,
  requested: number,
  used: number,
  capacity: number,
): Rejection {
  return {
    reason: `OutOf${name}`,
    message: `Node didn't have enough resource: ${name}, requested: ${requested}, used: ${used}, capacity: ${capacity}`,
  };
}

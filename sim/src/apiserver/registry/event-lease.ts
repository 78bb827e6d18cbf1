/**
 * Events are kept for an hour: each hangs on a lease of etcd. One lease serves
 * all Events of a minute, so that leases stay few.
 * Models: apiserver/pkg/storage/etcd3/lease_manager.go @ v1.36
 */
import { andThen, type MaybePromise } from "../maybe.ts";
import type { ApiServer } from "../server.ts";

const EVENT_TTL_SECONDS = 3600;
const REUSE_SECONDS = 60;

export class EventLeases {
  id: MaybePromise<number> = 0;
  madeAtMs = Number.NEGATIVE_INFINITY;
}

/** etcd gave none: the next Event asks again. */
function forget(leases: EventLeases): void {
  leases.madeAtMs = Number.NEGATIVE_INFINITY;
}

/** The lease for an Event made now. */
export function eventLease(server: ApiServer): MaybePromise<number> {
  const { kernel, etcd, eventLeases } = server;
  const ageMs = kernel.now() - eventLeases.madeAtMs;
  if (ageMs >= REUSE_SECONDS * 1000) {
    eventLeases.madeAtMs = kernel.now();
    const granted = etcd.leaseGrant(EVENT_TTL_SECONDS + REUSE_SECONDS);
    const made = andThen(granted, ({ id }) => {
      // What is known is there at once: nobody waits for it again.
      eventLeases.id = id;
      return id;
    });
    eventLeases.id = made;
    if (made instanceof Promise) made.catch(() => forget(eventLeases));
  }
  return eventLeases.id;
}

/**
 * How long a Pod may go on after its deletion was asked for.
 * Models: CheckGracefulDelete of pkg/registry/core/pod/strategy.go @ v1.36
 */
import { at, num, str } from "../../api/kinds/access.ts";
import type { Obj } from "../../api/kinds/definition.ts";
import type { RequestOptions } from "../../api/transport.ts";
import type { Json } from "../../api/types.ts";

const DEFAULT_GRACE_SECONDS = 30;

/** Seconds; 0: it goes at once. Kinds other than Pod have no grace. */
export function graceSecondsOf(object: Obj, options: RequestOptions): number {
  if (object.kind !== "Pod") return 0;
  const [spec, status] = [object.spec as Json, object.status as Json];
  const { gracePeriodSeconds } = options;
  const own = at(spec, "terminationGracePeriodSeconds");
  let seconds =
    gracePeriodSeconds ??
    (typeof own === "number" ? own : DEFAULT_GRACE_SECONDS);
  if (seconds < 0) seconds = 1;
  // Nothing runs yet, or no more: nobody needs the time.
  if (str(at(spec, "nodeName")) === "") return 0;
  const phase = str(at(status, "phase"));
  if (phase === "Failed" || phase === "Succeeded") return 0;
  const before = object.metadata.deletionGracePeriodSeconds;
  const shortened = object.metadata.deletionTimestamp !== undefined;
  return shortened ? Math.min(seconds, num(before)) : seconds;
}

/**
 * Requests and limits of a container or of a whole Pod, as an admission
 * plugin finds them in a request.
 * Models: podRequests, podLimits of plugin/pkg/admission/limitranger @ v1.36
 */
import {
  podQuantities,
  type Quantities,
} from "../../../api/helpers/pod-quantities.ts";
import { map, obj } from "../../../api/kinds/access.ts";
import type { Obj } from "../../../api/kinds/definition.ts";
import type { JsonObject, KubeObject } from "../../../api/types.ts";

export interface Amounts {
  readonly requests: Quantities;
  readonly limits: Quantities;
}

export function containerAmounts(container: JsonObject): Amounts {
  const { requests, limits } = obj(container.resources);
  return { requests: map(requests), limits: map(limits) };
}

/** Of the whole Pod; what its runtime needs on top is not its own. */
export function podAmounts(spec: JsonObject): Amounts {
  const of = (side: keyof Amounts) => podQuantities(spec as never, side, false);
  return { requests: of("requests"), limits: of("limits") };
}

export function specOf(object: KubeObject): JsonObject {
  return obj((object as Obj).spec);
}

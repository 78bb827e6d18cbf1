/**
 * DefaultTolerationSeconds: a Pod stays 300 seconds on a node that is gone,
 * unless it says otherwise.
 * Models: plugin/pkg/admission/defaulttolerationseconds/admission.go @ v1.36
 * Try:    make it 5 seconds, cut a node off, and watch its Pods move.
 */
import { list, obj } from "../../../api/kinds/access.ts";
import type { Json, JsonObject } from "../../../api/types.ts";
import { type AdmissionPlugin, isPodWrite } from "../plugin.ts";

const TOLERATION_SECONDS = 30;
const NOT_READY = "node.kubernetes.io/not-ready";
const UNREACHABLE = "node.kubernetes.io/unreachable";

const tolerationOf = (key: string): JsonObject =>
  Object.freeze({
    key,
    operator: "Exists",
    effect: "NoExecute",
    tolerationSeconds: TOLERATION_SECONDS,
  });
const DEFAULTS = [tolerationOf(NOT_READY), tolerationOf(UNREACHABLE)] as const;

export const defaultTolerationSeconds: AdmissionPlugin = {
  name: "DefaultTolerationSeconds",
  handles: (target) =>
    isPodWrite(target) &&
    (target.operation === "CREATE" || target.operation === "UPDATE"),
  mutate(ctx) {
    const pod = ctx.object!;
    const spec = obj(pod.spec as Json);
    const own = list(spec.tolerations);
    const missing = DEFAULTS.filter(
      ({ key }) => !tolerates(own, key as string),
    );
    if (missing.length === 0) return;
    const tolerations = own.concat(missing);
    ctx.object = { ...pod, spec: { ...spec, tolerations } };
  },
};

function tolerates(tolerations: readonly JsonObject[], wanted: string) {
  return tolerations.some(
    ({ key, effect }) =>
      (!key || key === wanted) && (!effect || effect === "NoExecute"),
  );
}

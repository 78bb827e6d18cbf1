/**
 * TaintNodesByCondition: a new Node is not ready, so that nothing is scheduled
 * onto it before it says that it is.
 * Models: plugin/pkg/admission/nodetaint/admission.go @ v1.36
 */
import { list, obj } from "../../../api/kinds/access.ts";
import type { Json } from "../../../api/types.ts";
import type { AdmissionPlugin } from "../plugin.ts";

const KEY = "node.kubernetes.io/not-ready";
const TAINT = Object.freeze({ key: KEY, effect: "NoSchedule" });

export const taintNodesByCondition: AdmissionPlugin = {
  name: "TaintNodesByCondition",
  handles: ({ operation, group, resource, subresource }) =>
    operation === "CREATE" &&
    resource === "nodes" &&
    group === "" &&
    subresource === "",
  mutate(ctx) {
    const node = ctx.object!;
    const spec = obj(node.spec as Json);
    const taints = list(spec.taints);
    const has = taints.some(
      ({ key, effect }) => key === KEY && effect === "NoSchedule",
    );
    if (has) return;
    ctx.object = { ...node, spec: { ...spec, taints: [...taints, TAINT] } };
  },
};

/**
 * DefaultIngressClass: an Ingress without a class gets the cluster's default.
 * Models: plugin/pkg/admission/network/defaultingressclass @ v1.36
 */
import { obj } from "../../../api/kinds/access.ts";
import type { Json } from "../../../api/types.ts";
import type { AdmissionPlugin } from "../plugin.ts";

const IS_DEFAULT = "ingressclass.kubernetes.io/is-default-class";

export const defaultIngressClass: AdmissionPlugin = {
  name: "DefaultIngressClass",
  handles: ({ operation, resource, subresource }) =>
    operation === "CREATE" && resource === "ingresses" && subresource === "",
  mutate(ctx) {
    const ingress = ctx.object!;
    const spec = obj(ingress.spec as Json);
    if (spec.ingressClassName !== undefined) return;
    const legacy =
      ingress.metadata.annotations?.["kubernetes.io/ingress.class"];
    if (legacy !== undefined) return;
    const classes = ctx.server.storageOf("ingressclasses").cache.list("");
    const defaults = classes
      .filter(({ metadata }) => metadata.annotations?.[IS_DEFAULT] === "true")
      .map(({ metadata }) => metadata);
    defaults.sort(
      (a, b) =>
        (b.creationTimestamp ?? "").localeCompare(a.creationTimestamp ?? "") ||
        (a.name < b.name ? -1 : 1),
    );
    const ingressClassName = defaults[0]?.name;
    if (!ingressClassName) return;
    ctx.object = { ...ingress, spec: { ...spec, ingressClassName } };
  },
};

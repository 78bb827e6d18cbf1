/**
 * PodTopologyLabels: when a Pod is bound, it learns zone and region of its
 * node as labels of its own.
 * Models: plugin/pkg/admission/podtopologylabels/admission.go @ v1.36
 */
import { at, str } from "../../../api/kinds/access.ts";
import type { Json, Labels } from "../../../api/types.ts";
import type { RequestContext } from "../../context.ts";
import type { AdmissionPlugin } from "../plugin.ts";

const COPIED = [
  "topology.kubernetes.io/zone",
  "topology.kubernetes.io/region",
] as const;

export const podTopologyLabels: AdmissionPlugin = {
  name: "PodTopologyLabels",
  handles: ({ operation, resource, subresource }) =>
    operation === "CREATE" &&
    ((resource === "pods" &&
      (subresource === "" || subresource === "binding")) ||
      (resource === "bindings" && subresource === "")),
  mutate(ctx) {
    const object = ctx.object!;
    const [spec, target] = [object.spec as Json, object.target as Json];
    const binding = object.kind === "Binding";
    const node = str(binding ? at(target, "name") : at(spec, "nodeName"));
    const labels = node ? topologyOf(ctx, node) : undefined;
    if (!labels) return;
    const metadata = {
      ...object.metadata,
      labels: { ...object.metadata.labels, ...labels },
    };
    ctx.object = { ...object, metadata };
  },
};

function topologyOf(ctx: RequestContext, name: string): Labels | undefined {
  const labels = ctx.server.storageOf("nodes").get("", name)?.metadata.labels;
  if (!labels) return undefined;
  const found: Record<string, string> = {};
  for (const key of COPIED) {
    const value = labels[key];
    if (value !== undefined) found[key] = value;
  }
  return Object.keys(found).length > 0 ? found : undefined;
}

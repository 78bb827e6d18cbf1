/**
 * PodResizeValidator: a Pod cannot be given more than its node has at all, nor
 * where the node's system cannot do it.
 * Models: plugin/pkg/admission/podresize/admission.go @ v1.36
 */
import { podQuantities } from "../../../api/helpers/pod-quantities.ts";
import { at, map, str } from "../../../api/kinds/access.ts";
import { bytes, milliCpu } from "../../../api/quantity.ts";
import type { KubeObject } from "../../../api/types.ts";
import type { RequestContext } from "../../context.ts";
import { specOf } from "../limits/amounts.ts";
import { type AdmissionPlugin, isPodResize, refuse } from "../plugin.ts";

export const podResize: AdmissionPlugin = {
  name: "PodResizeValidator",
  handles: isPodResize,
  validate: checkNode,
};

function checkNode(ctx: RequestContext): void {
  const pod = ctx.object!;
  const name = str(specOf(pod).nodeName);
  if (!name || pod.metadata.generation === ctx.old?.metadata.generation) return;
  const node = ctx.server.storageOf("nodes").get("", name);
  if (!node) throw refuse(ctx, `node "${name}" not found`);
  const lacks = lacking(pod, node);
  if (lacks.length > 0) {
    const what = lacks.join("; ");
    const why = `Node didn't have enough allocatable resources: ${what}`;
    throw refuse(ctx, why, [{ reason: "NodeCapacity" }]);
  }
  const os = node.metadata.labels?.["kubernetes.io/os"] ?? "";
  if (os === "linux") return;
  const why = `pod resize is only supported on linux nodes, node "${name}" is "${os}"`;
  throw refuse(ctx, why, [{ reason: "UnsupportedPlatform" }]);
}

function lacking(pod: KubeObject, node: KubeObject): string[] {
  const allocatable = map(at(node, "status", "allocatable"));
  const requests = podQuantities(specOf(pod) as never, "requests");
  return ["cpu", "memory"].flatMap((name) => {
    const amount = name === "cpu" ? milliCpu : bytes;
    const [asked, there] = [requests, allocatable].map((list) =>
      amount(list[name] ?? "0"),
    );
    if (asked! <= there!) return [];
    return [`${name}, requested: ${asked}, allocatable: ${there}`];
  });
}

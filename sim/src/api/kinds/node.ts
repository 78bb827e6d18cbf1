/**
 * Node: a machine that runs Pods.
 * Models: pkg/registry/core/node/strategy.go, pkg/apis/core/v1/defaults.go @ v1.36
 */
import { age, columns } from "../table.ts";
import type { JsonObject } from "../types.ts";
import { at, list, map, obj, str, strings } from "./access.ts";
import { defineKind, statusSubresource } from "./define.ts";
import type { Kind, Obj } from "./definition.ts";
import { nodeChange, nodeErrors } from "./node-validation.ts";
import type * as types from "./types/core.ts";

export type * from "./types/core.ts";
export type { NodeSelector, NodeSelectorTerm } from "./types/persistent.ts";
export type Node = types.Node;

export const Node: Kind<Node> = defineKind<Node>({
  kind: "Node",
  namespaced: false,
  shortNames: ["no"],
  subresources: [
    {
      name: "proxy",
      verbs: ["create", "delete", "get", "patch", "update"],
      kind: "NodeProxyOptions",
    },
    statusSubresource,
  ],
  hooks: { NodeStatus: allocatableDefaults, NodeSpec: oneFirstCidr },
  selectable: {
    "spec.unschedulable": (node) =>
      `${at(node, "spec", "unschedulable") === true}`,
  },
  columns: columns(
    "Name|Status|Roles|Age|Version|Internal-IP+|External-IP+|OS-Image+|Kernel-Version+|Container-Runtime+",
  ),
  row: (node, now) => {
    const info = obj(at(node, "status", "nodeInfo"));
    return {
      cells: [
        node.metadata.name,
        statusText(node),
        roles(node) || "<none>",
        age(node, now),
        str(info.kubeletVersion),
        address(node, "InternalIP"),
        address(node, "ExternalIP"),
        str(info.osImage) || "<unknown>",
        str(info.kernelVersion) || "<unknown>",
        str(info.containerRuntimeVersion) || "<unknown>",
      ],
    };
  },
  validate: nodeErrors,
  validateChange: nodeChange,
  updateOrder: ["meta", "rules", "metaChange", "change"],
  validateStatusChange: nodeChange,
  onUpdate: (object, old) => ({ ...object, status: old.status }),
});

/** What a Node has is what Pods may use, if nothing else is said. */
function allocatableDefaults(status: JsonObject): JsonObject {
  const { capacity, allocatable } = status;
  if (capacity === undefined || allocatable !== undefined) return status;
  return { ...status, allocatable: capacity };
}

/** A network in the old field is the first of the list, and the other way round. */
function oneFirstCidr(spec: JsonObject): JsonObject {
  const { podCIDR, podCIDRs } = spec;
  const first = strings(podCIDRs)[0] || undefined;
  if ((podCIDR || undefined) === first) return spec;
  return podCIDR
    ? { ...spec, podCIDRs: [podCIDR] }
    : { ...spec, podCIDR: first };
}

function statusText(node: Obj): string {
  const ready = list(at(node, "status", "conditions")).findLast(
    (c) => c.type === "Ready",
  );
  const words = [
    ready ? (ready.status === "True" ? "Ready" : "NotReady") : "Unknown",
  ];
  if (at(node, "spec", "unschedulable")) words.push("SchedulingDisabled");
  return words.join(",");
}

function roles(node: Obj): string {
  const prefix = "node-role.kubernetes.io/";
  const found = new Set<string>();
  for (const [key, value] of Object.entries(map(node.metadata.labels))) {
    if (key.startsWith(prefix) && key.length > prefix.length)
      found.add(key.slice(prefix.length));
    else if (key === "kubernetes.io/role" && value) found.add(value);
  }
  return [...found].toSorted().join(",");
}

function address(node: Obj, type: string): string {
  const found = list(at(node, "status", "addresses")).find(
    (item) => item.type === type,
  );
  return found ? str(found.address) : "<none>";
}

/**
 * Order in which Nodes are tried: one of each zone in turn, so that Nodes
 * tried one after another do not fail together.
 * Models: pkg/scheduler/backend/cache/node_tree.go @ v1.36
 */
import type { Node } from "../../api/kinds/node.ts";
import type { NodeInfo } from "./node-info.ts";

/** Region and zone in one text; empty if the Node has neither. */
export function zoneOf({ metadata }: Node): string {
  const { labels } = metadata;
  const region = labels?.["topology.kubernetes.io/region"] ?? "";
  const zone = labels?.["topology.kubernetes.io/zone"] ?? "";
  return region || zone ? `${region}:\u0000:${zone}` : "";
}

/** `infos` in the order of their coming; the result takes zones in turn. */
export function byZoneInTurn(infos: Iterable<NodeInfo>): NodeInfo[] {
  const zones = new Map<string, NodeInfo[]>();
  let left = 0;
  for (const info of infos) {
    if (!info.node) continue;
    const zone = zoneOf(info.node);
    const members = zones.get(zone);
    if (members) members.push(info);
    else zones.set(zone, [info]);
    left++;
  }
  const order: NodeInfo[] = [];
  for (let turn = 0; order.length < left; turn++) {
    for (const members of zones.values()) {
      const next = members[turn];
      if (next) order.push(next);
    }
  }
  return order;
}

/** What the parts of the node lifecycle controller share. */
import type { Lease } from "../../api/kinds/lease.ts";
import type { Node } from "../../api/kinds/node.ts";
import type { Pod } from "../../api/kinds/pod.ts";
import type { ComponentContext } from "../../client/component.ts";
import type { Informer } from "../../client/informer.ts";
import type { NodeHealth } from "./health.ts";
import type { TaintQueue } from "./taint-queue.ts";
import type { Zones } from "./zones.ts";

export interface Context extends ComponentContext {
  readonly nodes: Informer<Node>;
  readonly pods: Informer<Pod>;
  readonly leases: Informer<Lease>;
  /** By name, of the Nodes that were seen. */
  readonly health: Map<string, NodeHealth & { uid: string }>;
  readonly zones: Zones;
  /** By zone. */
  readonly taintQueues: Map<string, TaintQueue>;
  /** Nodes of which some Pod could not be marked. */
  readonly podsToRetry: Set<string>;
}

/** Region and zone of a Node, as one text; "" if it has neither. */
export function zoneOf(node: Node): string {
  const labels = node.metadata.labels ?? {};
  const region = labels["topology.kubernetes.io/region"] ?? "";
  const zone = labels["topology.kubernetes.io/zone"] ?? "";
  return region || zone ? `${region}:\u0000:${zone}` : "";
}

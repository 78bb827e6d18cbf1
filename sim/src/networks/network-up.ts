/**
 * An agent tells that the network of its node works: the condition that
 * would keep Pods away is False from then on.
 * Models: flannel pkg/subnet/kube (setNodeNetworkUnavailableFalse), calico
 *         node/pkg/lifecycle/utils (SetNodeNetworkUnavailableCondition)
 */
import { Node } from "../api/kinds/node.ts";
import type { ComponentContext } from "../client/component.ts";

/** `provider`: `Flannel`, `Calico`. */
export async function tellNetworkIsUp(
  { client, kernel }: ComponentContext,
  node: string,
  provider: string,
): Promise<void> {
  const now = kernel.timestamp();
  const condition = {
    ...{ type: "NetworkUnavailable", status: "False" },
    reason: `${provider}IsUp`,
    message: `${provider} is running on this node`,
    ...{ lastHeartbeatTime: now, lastTransitionTime: now },
  };
  const body = { status: { conditions: [condition] } };
  const type = "application/strategic-merge-patch+json";
  const more = { subresource: "status" };
  await client.patch(Node, "", node, type, body, more);
}

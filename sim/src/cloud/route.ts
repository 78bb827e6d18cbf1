/**
 * Cloud route controller: where the cloud's network must know which machine
 * has which Pod addresses, each Node gets a route.
 * Models: staging/src/k8s.io/cloud-provider/controllers/route @ v1.36
 */
import { Node } from "../api/kinds/node.ts";
import type { Component, ComponentContext } from "../client/component.ts";
import { every } from "../client/controller.ts";
import type { CloudProvider } from "./provider.ts";

const PERIOD_MS = 10_000;

export function startCloudRouteController(
  context: ComponentContext,
  cloud: CloudProvider,
): Component {
  const nodes = context.informers.informer(Node);

  // region: reconcile
  const look = async () => {
    if (!nodes.hasSynced) return;
    const routes = await cloud.listRoutes();
    const known = new Set(routes.map((route) => route.destination));
    const wanted = new Set<string>();
    for (const node of nodes.list()) {
      const { podCIDR } = node.spec;
      if (!podCIDR) continue;
      wanted.add(podCIDR);
      const { name } = node.metadata;
      if (!known.has(podCIDR)) {
        await cloud.createRoute({ node: name, destination: podCIDR });
      }
      await markReachable(node, context);
    }
    for (const route of routes) {
      if (!wanted.has(route.destination)) await cloud.deleteRoute(route);
    }
  };
  // endregion: reconcile

  return { stop: every(context, PERIOD_MS, look) };
}

/** The Node's network works: the condition that kept Pods away goes. */
async function markReachable(
  node: Node,
  { client, kernel }: ComponentContext,
): Promise<void> {
  const type = "NetworkUnavailable";
  const old = node.status?.conditions?.find((one) => one.type === type);
  if (old?.status === "False") return;
  const now = kernel.timestamp();
  const condition = {
    ...{ type, status: "False", reason: "RouteCreated" },
    message: "RouteController created a route",
    ...{ lastHeartbeatTime: now, lastTransitionTime: now },
  };
  const body = { status: { conditions: [condition] } };
  const patch = "application/strategic-merge-patch+json";
  const more = { subresource: "status" };
  await client.patch(Node, "", node.metadata.name, patch, body, more);
}

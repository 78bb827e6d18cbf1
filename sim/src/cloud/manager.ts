/**
 * cloud-controller-manager: the controllers that talk to a cloud, in a
 * process of their own so that Kubernetes need not know any cloud.
 * Models: staging/src/k8s.io/cloud-provider/app @ v1.36
 */
import type { Component, ComponentContext } from "../client/component.ts";
import {
  startCloudNodeController,
  startCloudNodeLifecycleController,
} from "./node.ts";
import type { CloudProvider } from "./provider.ts";
import { startCloudRouteController } from "./route.ts";
import { startCloudServiceController } from "./service.ts";

type Start = (context: ComponentContext, cloud: CloudProvider) => Component;

/** Actor and source of Events, by controller. */
const CONTROLLERS: readonly (readonly [string, string, Start])[] = [
  ["cloud-node-controller", "cloud-node-controller", startCloudNodeController],
  [
    ...([
      "cloud-node-lifecycle-controller",
      "cloud-node-lifecycle-controller",
    ] as const),
    startCloudNodeLifecycleController,
  ],
  ["service-lb-controller", "service-controller", startCloudServiceController],
  ["node-route-controller", "route_controller", startCloudRouteController],
];

export function startCloudControllerManager(
  contextFor: (actor?: string, eventSource?: string) => ComponentContext,
  cloud: CloudProvider,
): Component {
  const running = CONTROLLERS.map(([actor, eventSource, start]) => {
    const context = contextFor(actor, eventSource);
    return { context, component: start(context, cloud) };
  });
  return {
    stop() {
      for (const { context, component } of running) {
        component.stop();
        context.client.close();
      }
    },
  };
}

/** A node's kube-proxy, which writes into the node's own network namespace. */
import type { Component, ComponentContext } from "../client/component.ts";
import type { NodeHost } from "../cri/node-host.ts";
import { startKubeProxy } from "../kube-proxy/kube-proxy.ts";
import type { NodeSetup } from "./node.ts";

export function startProxy(
  context: ComponentContext,
  { name, address, labels, podNetwork, ipvsScheduler }: NodeSetup,
  { network }: NodeHost,
  mode: string,
): Component {
  return startKubeProxy(context, {
    mode,
    namespace: network.root,
    config: {
      nodeName: name,
      nodeIPs: [address],
      zone: labels?.["topology.kubernetes.io/zone"] ?? "",
      clusterCIDR: podNetwork,
      serviceCIDR: "10.96.0.0/12",
      ipvsScheduler,
    },
  });
}

/** Opening the namespace that CNI_NETNS names. Models: plugins pkg/ns */
import type { NetworkNamespace } from "../../network/namespace.ts";
import type { CniArgs } from "../spec.ts";

/** Throws if there is no such namespace. */
export function openNetns({ host, netns }: CniArgs): NetworkNamespace {
  const namespace = netns ? host.network.namespace(netns) : undefined;
  if (namespace) return namespace;
  const reason = `failed to Statfs "${netns}": no such file or directory`;
  throw new Error(`failed to open netns "${netns}": ${reason}`);
}

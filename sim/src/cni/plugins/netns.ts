/** Opening the namespace that CNI_NETNS names. Models: plugins pkg/ns */
import type { NetworkNamespace } from "../../network/namespace.ts";
import type { CniArgs } from "../spec.ts";

/** Throws if there is no such namespace. */
export function openNetns(args: CniArgs): NetworkNamespace {
  return enterNetns(args, `failed to open netns "${args.netns}": `);
}

/** The same in the words of plugins that do not say what they were at. */
export function enterNetns(
  { host, netns }: CniArgs,
  prefix = "",
): NetworkNamespace {
  const namespace = netns ? host.network.namespace(netns) : undefined;
  if (namespace) return namespace;
  const reason = `failed to Statfs "${netns}": no such file or directory`;
  throw new Error(`${prefix}${reason}`);
}

/**
 * An attachment of a container to a network: what the runtime hands to every
 * plugin of the list, and what it remembers.
 * Models: containernetworking/cni libcni/api.go
 */

import { messageOf } from "./exec.ts";
import type { NetworkList } from "./network-list.ts";
import { CniError, type CniResult, type NetConf } from "./types.ts";

/** One attachment of a container to a network. */
export interface RuntimeConf {
  readonly containerId: string;
  /** Path of the namespace; "" if it is gone. */
  readonly netns: string;
  readonly ifname: string;
  /** CNI_ARGS, in order. */
  readonly args: readonly (readonly [string, string])[];
  /** For plugins that declare the capability: portMappings, ips, … */
  readonly capabilityArgs: Readonly<Record<string, unknown>>;
}

/** An attachment that is still wanted, for GC. */
export interface Attachment {
  readonly containerID: string;
  readonly ifname: string;
}

/** What the cache keeps of an ADD until its DEL. */
export interface CachedAttachment {
  readonly kind: "cniCacheV1";
  readonly containerId: string;
  readonly config: NetworkList;
  readonly ifName: string;
  readonly networkName: string;
  readonly netns: string;
  readonly cniArgs: RuntimeConf["args"];
  readonly capabilityArgs?: RuntimeConf["capabilityArgs"];
  readonly result: CniResult;
}

/** STATUS and GC are about no container. */
export const NOBODY: RuntimeConf = {
  containerId: "",
  netns: "",
  ifname: "",
  args: [],
  capabilityArgs: {},
};

/** The plugin's own object, the result before it, and what it asked for. */
export function stdinOf(
  conf: NetConf,
  rt: RuntimeConf,
  prevResult: CniResult | undefined,
): NetConf {
  const { capabilityArgs } = rt;
  let runtimeConfig: Record<string, unknown> | undefined;
  for (const name in capabilityArgs) {
    if (!conf.capabilities?.[name]) continue;
    (runtimeConfig ??= {})[name] = capabilityArgs[name];
  }
  if (!runtimeConfig) return prevResult ? { ...conf, prevResult } : conf;
  return { ...conf, runtimeConfig, ...(prevResult ? { prevResult } : {}) };
}

export function failed(conf: NetConf, what: string, error: unknown): Error {
  const message = `plugin type="${conf.type}" failed (${what}): ${messageOf(error)}`;
  if (!(error instanceof CniError)) return new Error(message);
  return new CniError(error.code, message);
}

export function isOf(
  attachment: Attachment,
  cached: CachedAttachment,
): boolean {
  return (
    attachment.containerID === cached.containerId &&
    attachment.ifname === cached.ifName
  );
}

export function runtimeConfOf(cached: CachedAttachment): RuntimeConf {
  const { containerId, netns, ifName, cniArgs, capabilityArgs = {} } = cached;
  return { containerId, netns, ifname: ifName, args: cniArgs, capabilityArgs };
}

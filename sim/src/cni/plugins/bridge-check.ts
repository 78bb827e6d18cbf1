/**
 * The bridge plugin's configuration, and its CHECK: is the node still as the
 * ADD left it?
 * Models: containernetworking/plugins plugins/main/bridge cmdCheck, pkg/ip
 */
import type { Link } from "../../network/link.ts";
import { execPlugin } from "../exec.ts";
import { parseResult } from "../result.ts";
import type { CniArgs } from "../spec.ts";
import type { CniResult, NetConf } from "../types.ts";

export interface BridgeConf extends NetConf {
  readonly bridge?: string;
  readonly isGateway?: boolean;
  readonly isDefaultGateway?: boolean;
  readonly ipMasq?: boolean;
  readonly hairpinMode?: boolean;
  readonly promiscMode?: boolean;
  /** Bytes. */
  readonly mtu?: number;
}

export function readBridgeConf({ conf }: CniArgs<BridgeConf>): BridgeConf {
  if (conf.hairpinMode && conf.promiscMode) {
    throw new Error(
      "cannot set hairpin mode and promiscuous mode at the same time.",
    );
  }
  return conf.isDefaultGateway ? { ...conf, isGateway: true } : conf;
}

export function checkBridge(args: CniArgs<BridgeConf>): void {
  const { conf, host, ifname, netns } = args;
  if (conf.ipam?.type) execPlugin(host, conf.ipam.type, args.env, conf);
  const result = parseResult(conf.prevResult);
  if (!result) throw new Error("Required prevResult missing");
  const name = conf.bridge ?? "cni0";
  const inside = result.interfaces?.find(
    (each) => each.name === ifname && each.sandbox === netns,
  );
  if (!inside) {
    const sandbox = inside ?? "";
    throw new Error(
      `Sandbox in prevResult ${sandbox} doesn't match configured netns: ${netns}`,
    );
  }
  const br = host.network.root.links.get(name);
  if (!br) throw new Error(`Error: Interface ${name} not found`);
  const link = host.network.namespace(netns)?.links.get(ifname);
  if (!link) {
    throw new Error(`CNI created interface in container ${ifname} not found`);
  }
  if (!link.peer || link.peer.master !== br) {
    throw new Error(`CNI veth created for bridge ${name} was not found`);
  }
  checkAddresses(link, result);
}

function checkAddresses(link: Link, result: CniResult): void {
  for (const { address } of result.ips ?? []) {
    const has = link.addresses.some(
      ({ ip, length }) => `${ip}/${length}` === address,
    );
    if (has) continue;
    throw new Error(
      `Failed to match addr ${address} on interface ${link.name}`,
    );
  }
  for (const { dst } of result.routes ?? []) {
    const routes = link.namespace.routes;
    if (routes.some((route) => route.destination === dst)) continue;
    throw new Error(`Expected Route ${dst} not found in routing table`);
  }
}

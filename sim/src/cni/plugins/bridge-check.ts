/**
 * The bridge plugin's configuration, and its CHECK: is the node still as the
 * ADD left it?
 * Models: containernetworking/plugins plugins/main/bridge loadNetConf, cmdCheck
 */
import type { Link } from "../../network/link.ts";
import type { NetworkNamespace } from "../../network/namespace.ts";
import { loadArgs } from "../args.ts";
import { execPlugin } from "../exec.ts";
import { parseResult } from "../result.ts";
import type { CniArgs } from "../spec.ts";
import type { CniInterface, NetConf } from "../types.ts";
import { checkExpected } from "./expected.ts";
import { openNetns } from "./netns.ts";

export interface BridgeConf extends NetConf {
  readonly bridge?: string;
  readonly isGateway?: boolean;
  readonly isDefaultGateway?: boolean;
  /** Replaces an address that the bridge has instead of the gateway's. */
  readonly forceAddress?: boolean;
  readonly ipMasq?: boolean;
  readonly hairpinMode?: boolean;
  readonly promiscMode?: boolean;
  /** Bytes. */
  readonly mtu?: number;
  readonly vlan?: number;
  readonly disableContainerInterface?: boolean;
  readonly args?: { readonly cni?: { readonly mac?: string } };
  readonly dns?: object;
}

/** With the MAC address that the Pod's interface shall have, if any. */
export function readBridgeConf({ conf, env }: CniArgs<BridgeConf>) {
  const { vlan = 0, isDefaultGateway, isGateway } = conf;
  if (vlan < 0 || vlan > 4094) {
    throw new Error(`invalid VLAN ID ${vlan} (must be between 0 and 4094)`);
  }
  const { MAC } = loadArgs(env.CNI_ARGS, ["MAC"]);
  const asked = conf.runtimeConfig?.mac || conf.args?.cni?.mac || MAC;
  const mac = (asked || undefined) as string | undefined;
  return { ...conf, isGateway: isDefaultGateway || isGateway, mac };
}

export function checkBridge(args: CniArgs<BridgeConf>): void {
  const { conf, host, ifname, netns: path } = args;
  readBridgeConf(args);
  const netns = openNetns(args);
  if (conf.ipam?.type) execPlugin(host, conf.ipam.type, args.env, conf);
  const result = parseResult(conf.prevResult);
  if (!result) throw new Error("Required prevResult missing");
  const name = conf.bridge ?? "cni0";
  const { interfaces = [] } = result;
  const br = checkBridgeLink(
    host.network.root,
    interfaces.findLast((each) => each.name === name),
  );
  const inside = interfaces.findLast(
    (each) => each.name === ifname && each.sandbox === path,
  );
  if (!inside) {
    throw new Error(
      `Sandbox in prevResult  doesn't match configured netns: ${path}`,
    );
  }
  const link = checkInside(netns, inside);
  const others = interfaces.filter(
    (each) => ![name, ifname].includes(each.name),
  );
  const isOurs = (each: CniInterface) =>
    isVeth(host.network.root, each, link, br);
  if (!others.some(isOurs)) {
    throw new Error(`CNI veth created for bridge ${name} was not found`);
  }
  checkExpected(netns, ifname, result);
}

function linkFor(
  where: NetworkNamespace,
  { name, sandbox }: CniInterface,
  inSandbox: boolean,
): Link {
  if (!name) throw new Error("Interface name missing ");
  const link = where.links.get(name);
  if (!link) throw new Error(`Interface name ${name} not found`);
  if (inSandbox === !!sandbox) return link;
  const problem = inSandbox
    ? "is expected to be in a sandbox"
    : "should not be in sandbox";
  throw new Error(`Interface ${name} ${problem}`);
}

function checkBridgeLink(
  root: NetworkNamespace,
  known: CniInterface = { name: "" },
): Link {
  const { name, mac } = known;
  const link = linkFor(root, known, false);
  if (link.kind !== "bridge") {
    throw new Error(`Interface ${name} does not have link type of bridge`);
  }
  if (!mac || mac === link.mac) return link;
  throw new Error(`Bridge interface ${name} Mac doesn't match: ${mac}`);
}

function checkInside(netns: NetworkNamespace, known: CniInterface): Link {
  const { name, mac } = known;
  const link = linkFor(netns, known, true);
  if (link.kind !== "veth") {
    throw new Error(`Error: Container interface ${name} not of type veth`);
  }
  if (!mac || mac === link.mac) return link;
  throw new Error(
    `Interface ${name} Mac ${mac} doesn't match container Mac: ${link.mac}`,
  );
}

/** Is it the other end of the Pod's interface, and a port of the bridge? */
function isVeth(
  root: NetworkNamespace,
  known: CniInterface,
  inside: Link,
  br: Link,
): boolean {
  const link = linkFor(root, known, false);
  if (link.peer !== inside || link.master !== br) return false;
  const { name, mac } = known;
  if (!mac || mac === link.mac) return true;
  throw new Error(`Interface ${name} Mac doesn't match: ${mac} not found`);
}

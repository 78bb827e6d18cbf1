/** A node with plugins, and one call of a plugin. */
import { STANDARD_PLUGINS } from "../../../sim/src/cni/index.ts";
import type { CniHost } from "../../../sim/src/cni/types.ts";
import { Disk } from "../../../sim/src/kernel/disk.ts";
import { Random } from "../../../sim/src/kernel/index.ts";
import { NodeNetwork } from "../../../sim/src/network/node-network.ts";

export const NETNS = "/var/run/netns/c1";

/** With the namespace of a container c1. */
export function newNode(): CniHost {
  const network = new NodeNetwork(new Random(1));
  network.addNamespace(NETNS);
  return { disk: new Disk(), network, binaries: STANDARD_PLUGINS };
}

interface Answer {
  code?: number;
  msg?: string;
  details?: string;
  ips?: { address: string; gateway?: string; interface?: number }[];
  interfaces?: { name: string; mac?: string; sandbox?: string }[];
  routes?: { dst: string; gw?: string }[];
}

/** `stdin` over `{ cniVersion, name, type }`, or a text as it is. */
export function call(
  node: CniHost,
  plugin: string,
  command: string,
  stdin: object | string = {},
  env: Record<string, string> = {},
): Answer {
  const given = typeof stdin === "string" ? stdin : JSON.stringify({ ...of(plugin), ...stdin });
  const { stdout } = STANDARD_PLUGINS.get(`/opt/cni/bin/${plugin}`)!(
    { ...envOf(command), ...env },
    given,
    node,
  );
  return stdout === "" ? {} : (stdout as Answer);
}

function of(type: string) {
  return { cniVersion: "1.1.0", name: "net", type };
}

function envOf(command: string) {
  return {
    ...{ CNI_COMMAND: command, CNI_CONTAINERID: "c1", CNI_NETNS: NETNS },
    ...{ CNI_IFNAME: "eth0", CNI_PATH: "/opt/cni/bin" },
  };
}

/** Its message alone; "" if all went well. */
export function complaint(...args: Parameters<typeof call>): string {
  return call(...args).msg ?? "";
}

/** A node for the CNI replayers: network, disk, plugins, and what they did. */
import { type Plugin, STANDARD_PLUGINS } from "../../sim/src/cni/index.ts";
import type { CniEnv, CniHost, NetConf, PluginExit } from "../../sim/src/cni/types.ts";
import { Disk } from "../../sim/src/kernel/disk.ts";
import { Random } from "../../sim/src/kernel/index.ts";
import { NodeNetwork } from "../../sim/src/network/node-network.ts";

export interface SeenCall {
  readonly plugin: string;
  readonly env: CniEnv;
  readonly stdin: string | NetConf;
  exit?: PluginExit;
}

export interface TestNode extends CniHost {
  readonly calls: SeenCall[];
}

export function testNode(binaries: ReadonlyMap<string, Plugin> = STANDARD_PLUGINS): TestNode {
  const calls: SeenCall[] = [];
  const network = new NodeNetwork(new Random("vectors"));
  return {
    network,
    disk: new Disk(),
    binaries,
    calls,
    observe(plugin, env, stdin) {
      const call: SeenCall = { plugin, env, stdin };
      calls.push(call);
      return (exit) => {
        call.exit = exit;
      };
    },
  };
}

/** `K=V` lines as an environment. */
export function envOf(lines: readonly string[] | null | undefined): CniEnv {
  const pairs = (lines ?? []).map((line) => {
    const at = line.indexOf("=");
    return [line.slice(0, at), line.slice(at + 1)] as const;
  });
  return { CNI_PATH: "/opt/cni/bin", ...Object.fromEntries(pairs) };
}

/** Replaces what differs from run to run. Works on any JSON value. */
export function masked<T>(value: T): T {
  if (typeof value === "string") return maskText(value) as T;
  if (Array.isArray(value)) return value.map(masked) as T;
  if (typeof value !== "object" || value === null) return value;
  const pairs = Object.entries(value).map(([key, child]) => [maskText(key), masked(child)]);
  return Object.fromEntries(pairs) as T;
}

export function maskText(text: string): string {
  return text
    .replace(/\b[0-9a-f]{2}(:[0-9a-f]{2}){5}\b/g, "<mac>")
    .replace(/\bveth[0-9a-f]{8}\b/g, "<veth>")
    .replace(/\b[0-9a-f]{64}\b/g, "<id>")
    .replace(/\b(CNI|CNI-[A-Z]+)-[0-9a-zA-Z]{16,}\b/g, "$1-<hash>");
}

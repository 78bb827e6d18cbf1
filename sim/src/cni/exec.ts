/**
 * Finding and executing a plugin, as the runtime does and as a plugin does
 * that delegates to another (bridge to host-local, flannel to bridge).
 * Models: containernetworking/cni pkg/invoke
 */
import { parseResult } from "./result.ts";
import {
  type CniEnv,
  CniError,
  type CniHost,
  type CniResult,
  type NetConf,
  type Plugin,
  type PluginExit,
} from "./types.ts";

/** Executes the plugin `type` found on CNI_PATH. Throws what it answered. */
export function execPlugin(
  host: CniHost,
  type: string,
  env: CniEnv,
  stdin: NetConf,
): CniResult | undefined {
  if (!type) throw new Error("no plugin name provided");
  if (type.includes("/")) throw new Error(`invalid plugin name: ${type}`);
  const plugin = find(host, type, env.CNI_PATH || "/opt/cni/bin");
  const told = host.observe?.(type, env, stdin);
  const exit = plugin(env, stdin, host);
  told?.(exit);
  if (exit.exit !== 0) throw errorOf(exit);
  return parseResult(exit.stdout);
}

function find({ binaries }: CniHost, type: string, path: string): Plugin {
  const folders = path.split(":");
  for (const folder of folders) {
    const plugin = binaries.get(`${folder}/${type}`);
    if (plugin) return plugin;
  }
  const message = `failed to find plugin "${type}" in path [${folders.join(" ")}]`;
  throw new Error(message);
}

function errorOf({ stdout, exit, stderr }: PluginExit): Error {
  const answer = stdout as { code?: number; msg?: string; details?: string };
  if (typeof stdout !== "object" || answer.msg === undefined) {
    return new Error(
      `netplugin failed with no error message: exit ${exit} ${stderr}`,
    );
  }
  return new CniError(answer.code ?? 999, answer.msg, answer.details ?? "");
}

/** How an error of a plugin reads in the message of whoever called it. */
export function messageOf(error: unknown): string {
  if (error instanceof CniError && error.details) {
    return `${error.message}; ${error.details}`;
  }
  return error instanceof Error ? error.message : String(error);
}

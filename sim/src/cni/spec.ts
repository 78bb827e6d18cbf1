/**
 * The main function of a plugin: reads the environment and standard input,
 * checks what the specification demands, calls the right function of the
 * plugin and prints its answer. Every plugin of this folder is made with it.
 * Models: containernetworking/cni pkg/skel
 * Try:    run a plugin without CNI_COMMAND, or with an interface name that
 *         is too long.
 */
import { printResult } from "./result.ts";
import { checkCommand, checkEnvironment, parseConf } from "./spec-checks.ts";
import {
  type CniEnv,
  CniError,
  type CniHost,
  type CniResult,
  ErrorCode,
  type NetConf,
  type Plugin,
  type PluginExit,
} from "./types.ts";

/** What a plugin's function is given. */
export interface CniArgs<Conf extends NetConf = NetConf> {
  readonly containerId: string;
  /** Path of the network namespace. */
  readonly netns: string;
  /** Name that the interface shall have inside. */
  readonly ifname: string;
  readonly env: CniEnv;
  readonly conf: Conf;
  readonly host: CniHost;
}

export interface PluginFunctions<Conf extends NetConf> {
  /** The name in messages: `CNI bridge plugin …`. */
  readonly name: string;
  readonly versions: readonly string[];
  add(args: CniArgs<Conf>): CniResult;
  del(args: CniArgs<Conf>): void;
  check?(args: CniArgs<Conf>): void;
  status?(args: CniArgs<Conf>): void;
  gc?(args: CniArgs<Conf>): void;
}

/** Makes the executable from the plugin's functions. */
export function plugin<Conf extends NetConf>(
  functions: PluginFunctions<Conf>,
): Plugin {
  return (env, stdin, host) => {
    if (!env.CNI_COMMAND) return about(functions);
    try {
      return success(run(functions, env, stdin, host));
    } catch (error) {
      return failure(error);
    }
  };
}

/** Runs one command; returns what goes to standard output. */
function run<Conf extends NetConf>(
  functions: PluginFunctions<Conf>,
  env: CniEnv,
  stdin: string | NetConf,
  host: CniHost,
): object | string {
  const command = env.CNI_COMMAND!;
  checkEnvironment(command, env);
  if (command === "VERSION") {
    return { cniVersion: "1.1.0", supportedVersions: functions.versions };
  }
  // The plugin's own fields are its own matter; we know the common ones.
  const conf = parseConf(stdin) as Conf;
  const args: CniArgs<Conf> = {
    containerId: env.CNI_CONTAINERID ?? "",
    netns: env.CNI_NETNS ?? "",
    ifname: env.CNI_IFNAME ?? "",
    env,
    conf,
    host,
  };
  checkCommand(command, conf, functions);
  switch (command) {
    case "ADD":
      return printResult(functions.add(args), conf.cniVersion ?? "0.1.0");
    case "DEL":
      functions.del(args);
      return "";
    case "CHECK":
      functions.check?.(args);
      return "";
    case "STATUS":
      functions.status?.(args);
      return "";
    default:
      functions.gc?.(args);
      return "";
  }
}

function about(functions: { name: string; versions: readonly string[] }) {
  const { name, versions } = functions;
  const stderr =
    `CNI ${name} plugin version unknown\n` +
    `CNI protocol versions supported: ${versions.join(", ")}\n`;
  return { exit: 0, stdout: "", stderr };
}

function success(stdout: object | string): PluginExit {
  return { exit: 0, stdout, stderr: "" };
}

/** Errors that are not the specification's get code 999. */
function failure(error: unknown): PluginExit {
  const message = error instanceof Error ? error.message : String(error);
  const known = error instanceof CniError ? error : undefined;
  const stdout = {
    code: known?.code ?? ErrorCode.internal,
    msg: message,
    ...(known?.details ? { details: known.details } : {}),
  };
  return { exit: 1, stdout, stderr: "" };
}

/**
 * The main function of a plugin: reads the environment and standard input,
 * checks what the specification demands, calls the right function of the
 * plugin and prints its answer. Every plugin of this folder is made with it.
 * Models: containernetworking/cni pkg/skel
 * Try:    run a plugin without CNI_COMMAND, or with an interface name that
 *         is too long.
 */
import { goJsonError } from "./go-json.ts";
import { printResult } from "./result.ts";
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
import { atLeast } from "./version.ts";

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

/** The variables that each command needs, in the order of the messages. */
const NEEDED: readonly [variable: string, commands: readonly string[]][] = [
  ["CNI_CONTAINERID", ["ADD", "CHECK", "DEL"]],
  ["CNI_NETNS", ["ADD", "CHECK"]],
  ["CNI_IFNAME", ["ADD", "CHECK", "DEL"]],
  ["CNI_PATH", ["GC"]],
];

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
  if (command !== "STATUS" && command !== "GC") checkNames(env);
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

function checkEnvironment(command: string, env: CniEnv): void {
  const missing = NEEDED.filter(
    ([name, commands]) => commands.includes(command) && !env[name],
  ).map(([name]) => name);
  if (missing.length === 0) return;
  const message = `required env variables [${missing.join(",")}] missing`;
  throw new CniError(ErrorCode.invalidEnvironment, message);
}

function parseConf(stdin: string | NetConf): NetConf {
  const conf = typeof stdin === "string" ? parseText(stdin) : stdin;
  const code = ErrorCode.invalidNetworkConfig;
  if (!conf.name) throw new CniError(code, "missing network name");
  if (!NAME.test(conf.name)) {
    const message = "invalid characters found in network name";
    throw new CniError(code, message, conf.name);
  }
  return conf;
}

function parseText(stdin: string): NetConf {
  const problem = goJsonError(stdin);
  if (problem) {
    const message = `error unmarshall network config: ${problem}`;
    throw new CniError(ErrorCode.decodingFailure, message);
  }
  return (JSON.parse(stdin) as NetConf | null) ?? {};
}

const NAME = /^[a-zA-Z0-9][a-zA-Z0-9_.-]*$/;

function checkNames(env: CniEnv): void {
  const code = ErrorCode.invalidEnvironment;
  const id = env.CNI_CONTAINERID ?? "";
  if (id === "") throw new CniError(code, "missing containerID");
  if (!NAME.test(id)) {
    throw new CniError(code, "invalid characters in containerID", id);
  }
  const ifname = env.CNI_IFNAME ?? "";
  if (ifname === "") throw new CniError(code, "interface name is empty");
  if (ifname.length > 15) {
    const details = "interface name should be less than 16 characters";
    throw new CniError(code, "interface name is too long", details);
  }
  if (ifname === "." || ifname === "..") {
    throw new CniError(code, "interface name is . or ..");
  }
  if (/[/:\s]/.test(ifname)) {
    const message = "interface name contains / or : or whitespace characters";
    throw new CniError(code, message);
  }
}

/** CHECK came with 0.4.0; GC and STATUS with 1.1.0. */
const SINCE: Readonly<Record<string, string>> = {
  CHECK: "0.4.0",
  GC: "1.1.0",
  STATUS: "1.1.0",
};

function checkCommand(
  command: string,
  conf: NetConf,
  { versions }: { versions: readonly string[] },
): void {
  if (command !== "ADD" && command !== "DEL" && !SINCE[command]) {
    const message = `unknown CNI_COMMAND: ${command}`;
    throw new CniError(ErrorCode.invalidEnvironment, message);
  }
  const version = conf.cniVersion || "0.1.0";
  const since = SINCE[command];
  if (since && !atLeast(version, since)) {
    const message = `config version does not allow ${command}`;
    throw new CniError(ErrorCode.incompatibleVersion, message);
  }
  if (versions.includes(version)) return;
  const known = versions.map((each) => `"${each}"`).join(" ");
  const details = `config is "${version}", plugin supports [${known}]`;
  const code = ErrorCode.incompatibleVersion;
  throw new CniError(code, "incompatible CNI versions", details);
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

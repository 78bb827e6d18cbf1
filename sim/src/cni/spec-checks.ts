/**
 * What every plugin checks before its own work: the environment, standard
 * input, and whether both sides speak the same version.
 * Models: containernetworking/cni pkg/skel, pkg/utils, pkg/version
 */
import { goJsonError, goTypeError } from "./go-json.ts";
import { type CniEnv, CniError, ErrorCode, type NetConf } from "./types.ts";
import { atLeast } from "./version.ts";

interface Variable {
  readonly name: string;
  readonly commands: readonly string[];
  readonly check?: (value: string) => void;
}

/** What each command needs, in the order of the messages. */
const NEEDED: readonly Variable[] = [
  {
    name: "CNI_CONTAINERID",
    commands: ["ADD", "CHECK", "DEL"],
    check: checkContainerId,
  },
  { name: "CNI_NETNS", commands: ["ADD", "CHECK"] },
  { name: "CNI_IFNAME", commands: ["ADD", "CHECK", "DEL"], check: checkIfname },
  { name: "CNI_PATH", commands: ["ADD", "CHECK", "DEL", "GC", "STATUS"] },
];

export function checkEnvironment(command: string, env: CniEnv): void {
  const missing: string[] = [];
  for (const { name, commands, check } of NEEDED) {
    if (!commands.includes(command)) continue;
    const value = env[name];
    if (value) check?.(value);
    else missing.push(name);
  }
  if (missing.length === 0) return;
  const message = `required env variables [${missing.join(",")}] missing`;
  throw new CniError(ErrorCode.invalidEnvironment, message);
}

export function parseConf(stdin: string | NetConf): NetConf {
  const conf = typeof stdin === "string" ? parseText(stdin) : stdin;
  const problem = goTypeError(conf, "name", NAMED);
  if (problem) throw badConf(problem);
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
  if (problem) throw badConf(problem);
  return (JSON.parse(stdin) as NetConf | null) ?? {};
}

function badConf(problem: string): CniError {
  const message = `error unmarshall network config: ${problem}`;
  return new CniError(ErrorCode.decodingFailure, message);
}

/** The type that upstream reads the name into, as Go shows it. */
const NAMED = 'struct { Name string "json:\\"name\\"" }';
const NAME = /^[a-zA-Z0-9][a-zA-Z0-9_.-]*$/;

function checkContainerId(id: string): void {
  if (NAME.test(id)) return;
  const code = ErrorCode.invalidEnvironment;
  throw new CniError(code, "invalid characters in containerID", id);
}

function checkIfname(ifname: string): void {
  const code = ErrorCode.invalidEnvironment;
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

export function checkCommand(
  command: string,
  conf: NetConf,
  { versions }: { versions: readonly string[] },
): void {
  if (command !== "ADD" && command !== "DEL" && !SINCE[command]) {
    const message = `unknown CNI_COMMAND: ${command}`;
    throw new CniError(ErrorCode.invalidEnvironment, message);
  }
  const problem = goTypeError(conf, "cniVersion", "");
  if (problem)
    throw badVersion(`decoding version from network config: ${problem}`);
  const version = conf.cniVersion || "0.1.0";
  const since = SINCE[command];
  if (since) checkSince(command, version, since, versions);
  if (versions.includes(version)) return;
  const known = versions.map((each) => `"${each}"`).join(" ");
  const details = `config is "${version}", plugin supports [${known}]`;
  const code = ErrorCode.incompatibleVersion;
  throw new CniError(code, "incompatible CNI versions", details);
}

function checkSince(
  command: string,
  version: string,
  since: string,
  versions: readonly string[],
): void {
  const is = (a: string, least: string) => {
    try {
      return atLeast(a, least);
    } catch (error) {
      throw badVersion((error as Error).message);
    }
  };
  const whose = !is(version, since)
    ? "config"
    : versions.some((known) => is(known, version))
      ? ""
      : "plugin";
  if (!whose) return;
  const message = `${whose} version does not allow ${command}`;
  throw new CniError(ErrorCode.incompatibleVersion, message);
}

function badVersion(problem: string): CniError {
  return new CniError(ErrorCode.decodingFailure, problem);
}

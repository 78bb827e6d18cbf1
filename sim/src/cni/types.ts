/**
 * What passes between a runtime and a CNI plugin: a few environment variables
 * and one JSON object on standard input; a result or an error, as JSON on
 * standard output, and an exit code. No socket, no gRPC, no daemon.
 * Models: containernetworking/cni SPEC.md 1.1.0, pkg/types
 */
import type { Disk } from "../kernel/disk.ts";
import type { NodeNetwork } from "../network/node-network.ts";

export type CniCommand = "ADD" | "DEL" | "CHECK" | "GC" | "STATUS" | "VERSION";

/** The environment: CNI_COMMAND, CNI_CONTAINERID, CNI_NETNS, … */
export type CniEnv = Readonly<Record<string, string>>;

/** One plugin's configuration, as it stands on its standard input. */
export interface NetConf {
  readonly cniVersion?: string;
  readonly name?: string;
  readonly type?: string;
  readonly capabilities?: Readonly<Record<string, boolean>>;
  readonly ipam?: { readonly type?: string };
  readonly prevResult?: unknown;
  readonly runtimeConfig?: RuntimeConfig;
}

/** Arguments of the runtime for plugins that declare the capability. */
export interface RuntimeConfig {
  readonly portMappings?: readonly PortMapping[];
  readonly ips?: readonly string[];
  readonly [capability: string]: unknown;
}

export interface PortMapping {
  readonly hostPort: number;
  readonly containerPort: number;
  readonly protocol: string;
  readonly hostIP?: string;
}

/** A result in the form of version 1.x; version.ts turns it into older ones. */
export interface CniResult {
  readonly cniVersion?: string;
  readonly interfaces?: readonly CniInterface[];
  readonly ips?: readonly CniIp[];
  readonly routes?: readonly CniRoute[];
  readonly dns?: object;
}

export interface CniInterface {
  readonly name: string;
  readonly mac?: string;
  readonly mtu?: number;
  /** Path of the namespace it is in; absent on the node itself. */
  readonly sandbox?: string;
}

export interface CniIp {
  /** With its prefix length: `10.244.1.2/24`. */
  readonly address: string;
  readonly gateway?: string;
  /** Index into `interfaces`. */
  readonly interface?: number;
}

export interface CniRoute {
  readonly dst: string;
  readonly gw?: string;
}

/** How a plugin's process ended. */
export interface PluginExit {
  readonly exit: number;
  readonly stdout: string | object;
  readonly stderr: string;
}

/** A plugin's executable. `stdin` may be given as the object itself. */
export type Plugin = (
  env: CniEnv,
  stdin: string | NetConf,
  host: CniHost,
) => PluginExit;

/** What a plugin's process finds on the node that it runs on. */
export interface CniHost {
  readonly network: NodeNetwork;
  readonly disk: Disk;
  /** Executables by path: `/opt/cni/bin/bridge`. */
  readonly binaries: ReadonlyMap<string, Plugin>;
  /** Told of every execution; what it returns is told of its end. */
  readonly observe?: (
    plugin: string,
    env: CniEnv,
    stdin: string | NetConf,
  ) => (exit: PluginExit) => void;
}

/** An error of the specification: printed as JSON, exit code 1. */
export class CniError extends Error {
  readonly code: number;
  readonly details: string;

  constructor(code: number, message: string, details = "") {
    super(message);
    this.name = "CniError";
    this.code = code;
    this.details = details;
  }
}

/** Codes of the specification; 999 is what plugins use for their own. */
export const ErrorCode = {
  incompatibleVersion: 1,
  unsupportedField: 2,
  unknownContainer: 3,
  invalidEnvironment: 4,
  ioFailure: 5,
  decodingFailure: 6,
  invalidNetworkConfig: 7,
  tryAgainLater: 11,
  internal: 999,
} as const;

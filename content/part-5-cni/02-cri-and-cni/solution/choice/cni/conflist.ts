/**
 * Choosing and reading the network configuration: of all files in
 * /etc/cni/net.d the first by name is the network, and it alone.
 * Models: containerd/go-cni opts.go, containernetworking/cni libcni/conf.go
 * Try:    add a file whose name sorts before the present one.
 */
import type { Disk } from "../kernel/disk.ts";
import { goJsonError } from "./go-json.ts";
import type { NetConf } from "./types.ts";

/** A network: a list of plugins that run one after another. */
export interface NetworkList {
  readonly name: string;
  readonly cniVersion: string;
  readonly disableCheck: boolean;
  readonly disableGC: boolean;
  /** Each with the network's name and version put in. */
  readonly plugins: readonly NetConf[];
}

const ENDINGS = [".conf", ".conflist", ".json"];

/** The runtime's message ends with this when there is no good network. */
const FAILED = "failed to load cni config";

// region: load-network
/** Loads the folder's network. Throws as containerd's `Load` does. */
export function loadNetwork(disk: Disk, folder: string): NetworkList {
  const files = disk
    .list(folder)
    .filter((name) => ENDINGS.some((ending) => name.endsWith(ending)));
  if (files.length === 0) {
    const none = `no network config found in ${folder}: cni plugin not initialized`;
    throw new Error(`cni config load failed: ${none}: ${FAILED}`);
  }
  let problem: unknown;
  for (const name of files) {
    try {
      return loadFile(disk, `${folder}/${name}`);
    } catch (error) {
      problem ??= error;
    }
  }
  throw problem;
}

function loadFile(disk: Disk, path: string): NetworkList {
  const isList = path.endsWith(".conflist");
  try {
    const text = disk.read(path) ?? "";
    return isList ? parseList(text) : listOf(parseConf(text));
  } catch (error) {
    const what = isList ? "config list file" : "config file";
    const reason = `${(error as Error).message}: invalid cni config`;
    throw new Error(
      `cni config load failed: failed to load CNI ${what} ${path}: ${reason}: ${FAILED}`,
    );
  }
}
// endregion: load-network

interface ListFile {
  readonly cniVersion?: string;
  readonly name?: string;
  readonly disableCheck?: boolean | string;
  readonly disableGC?: boolean | string;
  readonly plugins?: readonly NetConf[];
}

/** Reads a `.conflist`. */
export function parseList(text: string): NetworkList {
  const what = "error parsing configuration list";
  const problem = goJsonError(text);
  if (problem) throw new Error(`${what}: ${problem}`);
  const file = JSON.parse(text) as ListFile;
  if (file.name === undefined) throw new Error(`${what}: no name`);
  if (!file.plugins) throw new Error(`${what}: no 'plugins' key`);
  if (file.plugins.length === 0) throw new Error(`${what}: no plugins in list`);
  for (const [index, conf] of file.plugins.entries()) {
    if (conf.type) continue;
    throw new Error(
      `failed to parse plugin config ${index}: error parsing configuration: missing 'type'`,
    );
  }
  return networkList(file);
}

/** Reads a file of a single plugin. */
function parseConf(text: string): NetConf {
  const what = "error parsing configuration";
  const problem = goJsonError(text);
  if (problem) throw new Error(`${what}: ${problem}`);
  const conf = JSON.parse(text) as NetConf;
  if (!conf.type) throw new Error(`${what}: missing 'type'`);
  return conf;
}

function listOf(conf: NetConf): NetworkList {
  const { name, cniVersion } = conf;
  return networkList({ name, cniVersion, plugins: [conf] });
}

function networkList(file: ListFile): NetworkList {
  const { name = "", cniVersion = "0.1.0", plugins = [] } = file;
  return {
    name,
    cniVersion,
    disableCheck: String(file.disableCheck) === "true",
    disableGC: String(file.disableGC) === "true",
    plugins: plugins.map((conf) => ({ ...conf, name, cniVersion })),
  };
}

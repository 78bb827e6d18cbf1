/**
 * Choosing and reading the network configuration: of all files in
 * /etc/cni/net.d the first by name is the network, and it alone.
 * Models: containerd/go-cni opts.go
 * Try:    add a file whose name sorts before the present one.
 */
import type { Disk } from "../kernel/disk.ts";
import {
  isListFile,
  type NetworkList,
  readNetwork,
} from "./network-list.ts";

export type { NetworkList } from "./network-list.ts";

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
      return loadFile(disk, folder, name);
    } catch (error) {
      problem ??= error;
    }
  }
  throw problem;
}

function loadFile(disk: Disk, folder: string, name: string): NetworkList {
  try {
    return readNetwork(disk, folder, name);
  } catch (error) {
    const what = isListFile(name) ? "config list file" : "config file";
    const reason = `${(error as Error).message}: invalid cni config`;
    throw new Error(
      `cni config load failed: failed to load CNI ${what} ${folder}/${name}: ${reason}: ${FAILED}`,
    );
  }
}
// endregion: load-network

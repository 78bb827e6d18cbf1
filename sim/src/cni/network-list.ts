/**
 * Reading a network from its file: a list of plugins, or a single one.
 * Models:     containernetworking/cni libcni/conf.go
 * Leaves out: `cniVersions`.
 */
import type { Disk } from "../kernel/disk.ts";
import { goJsonError, goType, goTypeError } from "./go-json.ts";
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

export function isListFile(name: string): boolean {
  return name.endsWith(".conflist");
}

/** Throws what libcni says of a file that it cannot read. */
export function readNetwork(
  disk: Disk,
  folder: string,
  file: string,
): NetworkList {
  const text = disk.read(`${folder}/${file}`) ?? "";
  if (!isListFile(file)) return listOf(parseConf(text));
  return withFolder(parseList(text), disk, folder);
}

type Json = Readonly<Record<string, unknown>>;

const BAD_LIST = "error parsing configuration list";
const BAD_CONF = "error parsing configuration";

/** Reads a `.conflist`; its plugins may stand in files of their own, too. */
function parseList(text: string): NetworkList & { inlined: boolean } {
  const file = readJson(text, BAD_LIST, "map[string]interface {}");
  if (file.name === undefined) throw new Error(`${BAD_LIST}: no name`);
  const name = textOf(file, "name");
  const cniVersion =
    file.cniVersion === undefined ? "" : textOf(file, "cniVersion");
  const [disableCheck, disableGC, inlined] = [
    ...["disableCheck", "disableGC", "loadOnlyInlinedPlugins"],
  ].map((key) => readBool(file, key)) as [boolean, boolean, boolean];
  const plugins = pluginsOf(file, inlined);
  const list = networkList(name, cniVersion, plugins);
  return { ...list, disableCheck, disableGC, inlined };
}

function pluginsOf({ plugins }: Json, inlined: boolean): NetConf[] {
  if (plugins === undefined && !inlined) return [];
  if (plugins === undefined) {
    const key = "`loadOnlyInlinedPlugins` is true, and no 'plugins' key";
    throw new Error(`${BAD_LIST}: ${key}`);
  }
  if (!Array.isArray(plugins)) {
    throw new Error(`${BAD_LIST}: invalid 'plugins' type ${goType(plugins)}`);
  }
  if (plugins.length === 0) throw new Error(`${BAD_LIST}: no plugins in list`);
  return plugins.map((conf, index) => {
    try {
      return checkConf(conf);
    } catch (error) {
      const reason = (error as Error).message;
      throw new Error(`failed to parse plugin config ${index}: ${reason}`);
    }
  });
}

/** Plugins of the network from a folder of its name, beside its file. */
function withFolder(
  { inlined, ...list }: NetworkList & { inlined: boolean },
  disk: Disk,
  folder: string,
): NetworkList {
  const own = `${folder}/${list.name}`;
  const names = inlined || !list.name ? [] : disk.list(own);
  const more = names
    .filter((name) => name.endsWith(".conf"))
    .map((name) => parseConf(disk.read(`${own}/${name}`) ?? ""));
  const { name, cniVersion } = list;
  const added = more.map((conf) => ({ ...conf, name, cniVersion }));
  const plugins = [...list.plugins, ...added];
  if (plugins.length === 0) throw new Error("no plugin configs found");
  return { ...list, plugins };
}

/** Reads a file of a single plugin. */
function parseConf(text: string): NetConf {
  return checkConf(readJson(text, BAD_CONF, "types.PluginConf"));
}

function checkConf(conf: unknown): NetConf {
  for (const field of ["cniVersion", "name", "type"]) {
    const problem = goTypeError(conf, field, "types.PluginConf", "PluginConf");
    if (problem) throw new Error(`${BAD_CONF}: ${problem}`);
  }
  const checked = conf as NetConf;
  if (!checked.type) throw new Error(`${BAD_CONF}: missing 'type'`);
  return checked;
}

function readJson(text: string, what: string, type: string): Json {
  const syntax = goJsonError(text);
  const json = syntax ? {} : ((JSON.parse(text) as Json | null) ?? {});
  const problem = syntax || goTypeError(json, "", type);
  if (problem) throw new Error(`${what}: ${problem}`);
  return json;
}

function textOf(file: Json, key: string): string {
  const value = file[key];
  if (typeof value === "string") return value;
  throw new Error(`${BAD_LIST}: invalid ${key} type ${goType(value)}`);
}

function readBool(file: Json, key: string): boolean {
  const value = file[key] ?? (key in file ? null : false);
  if (typeof value === "boolean") return value;
  if (typeof value !== "string") {
    throw new Error(`${BAD_LIST}: invalid type ${goType(value)} for ${key}`);
  }
  const lower = value.toLowerCase();
  if (lower === "true" || lower === "false") return lower === "true";
  throw new Error(`${BAD_LIST}: invalid value "${lower}" for ${key}`);
}

function listOf(conf: NetConf): NetworkList {
  return networkList(conf.name ?? "", conf.cniVersion ?? "", [conf]);
}

function networkList(
  name: string,
  given: string,
  plugins: readonly NetConf[],
): NetworkList {
  const cniVersion = given || "0.1.0";
  return {
    name,
    cniVersion,
    disableCheck: false,
    disableGC: false,
    plugins: plugins.map((conf) => ({ ...conf, name, cniVersion })),
  };
}

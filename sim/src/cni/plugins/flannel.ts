/**
 * flannel: makes no interface itself. It reads what flanneld has written into
 * subnet.env, turns it into a configuration of bridge and host-local, and has
 * bridge do the work.
 * Models:     flannel-io/cni-plugin @ v1.9
 * Leaves out: IPv6 networks, other delegates' own defaults.
 */
import { formatNetwork, parseCidr } from "../../network/ip.ts";
import { execPlugin } from "../exec.ts";
import { type CniArgs, plugin } from "../spec.ts";
import type { NetConf } from "../types.ts";
import { ALL_VERSIONS } from "../version.ts";

interface FlannelConf extends NetConf {
  readonly subnetFile?: string;
  /** Where the delegate's configuration waits for the DEL. */
  readonly dataDir?: string;
  readonly delegate?: Readonly<Record<string, unknown>>;
  readonly ipam?: Readonly<Record<string, unknown>> & {
    readonly type?: string;
  };
}

type Json = Record<string, unknown>;

const SUBNET_FILE = "/run/flannel/subnet.env";
const DATA_DIR = "/var/lib/cni/flannel";

export const flannel = plugin<FlannelConf>({
  name: "flannel",
  versions: ALL_VERSIONS,
  add(args) {
    const { conf, host, containerId } = args;
    const delegate = delegateOf(args);
    host.disk.write(savedPath(args), sorted(delegate));
    const result = execPlugin(host, String(delegate.type), args.env, {
      ...delegate,
      name: conf.name,
    });
    if (!result) throw new Error(`no result for ${containerId}`);
    return result;
  },
  /** Uses what the ADD has saved; nothing saved, nothing to do. */
  del(args) {
    const { disk } = args.host;
    const saved = disk.readJson(savedPath(args)) as NetConf | undefined;
    if (!saved) return;
    execPlugin(args.host, saved.type ?? "", args.env, saved);
    disk.remove(savedPath(args));
  },
  check() {},
});

function savedPath({ conf, containerId }: CniArgs<FlannelConf>): string {
  return `${conf.dataDir ?? DATA_DIR}/${containerId}`;
}

/** What flanneld says about this node. */
interface SubnetEnv {
  readonly networks: readonly string[];
  readonly subnet: string;
  /** Bytes. */
  readonly mtu: number;
  readonly ipMasq: boolean;
}

function readSubnetEnv({ conf, host }: CniArgs<FlannelConf>): SubnetEnv {
  const path = conf.subnetFile ?? SUBNET_FILE;
  const text = host.disk.read(path);
  const failed = "failed to load flannel 'subnet.env' file";
  const hint = "Check the flannel pod log for this node.";
  if (text === undefined) {
    throw new Error(
      `${failed}: open ${path}: no such file or directory. ${hint}`,
    );
  }
  const pairs = text.split("\n").map((line) => line.trim().split("="));
  const values = new Map(pairs.map(([name = "", value = ""]) => [name, value]));
  const needed = [
    "FLANNEL_NETWORK",
    "FLANNEL_SUBNET",
    "FLANNEL_MTU",
    "FLANNEL_IPMASQ",
  ];
  const missing = needed.filter((name) => !values.get(name));
  if (missing.length > 0) {
    throw new Error(
      `${failed}: ${path} is missing ${missing.join(", ")}. ${hint}`,
    );
  }
  return {
    networks: (values.get("FLANNEL_NETWORK") ?? "").split(","),
    subnet: values.get("FLANNEL_SUBNET") ?? "",
    mtu: Number(values.get("FLANNEL_MTU")),
    ipMasq: values.get("FLANNEL_IPMASQ") === "true",
  };
}

// region: delegate
/** The delegate's configuration: what is given, and what is missing. */
function delegateOf(args: CniArgs<FlannelConf>): Json {
  const { conf } = args;
  const env = readSubnetEnv(args);
  const given = conf.delegate ?? {};
  for (const name of ["name", "ipam"]) {
    if (!(name in given)) continue;
    throw new Error(
      `'delegate' dictionary must not have '${name}' field, it'll be set by flannel`,
    );
  }
  const delegate: Json = { type: "bridge", ...given, name: conf.name };
  // flanneld masquerades, or else the bridge does.
  delegate.ipMasq ??= !env.ipMasq;
  delegate.mtu ??= env.mtu;
  if (delegate.type === "bridge") delegate.isGateway ??= true;
  if (conf.cniVersion) delegate.cniVersion = conf.cniVersion;
  if (conf.runtimeConfig) delegate.runtimeConfig = conf.runtimeConfig;
  const subnet = formatNetwork(parseCidr(env.subnet)!);
  const routes = env.networks.map((dst) => ({ dst }));
  delegate.ipam = {
    ...conf.ipam,
    type: conf.ipam?.type ?? "host-local",
    ranges: [[{ subnet }]],
    routes: [...((conf.ipam?.routes as object[] | undefined) ?? []), ...routes],
  };
  return delegate;
}
// endregion: delegate

/** Keys in order, as Go writes a map. */
function sorted(value: unknown): object {
  const walk = (each: unknown): unknown => {
    if (Array.isArray(each)) return each.map(walk);
    if (typeof each !== "object" || each === null) return each;
    const entries = Object.entries(each).map(([key, child]) => [
      key,
      walk(child),
    ]);
    return Object.fromEntries(
      entries.sort(([a], [b]) => (String(a) < String(b) ? -1 : 1)),
    );
  };
  return walk(value) as object;
}

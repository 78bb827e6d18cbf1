/**
 * flannel: makes no interface itself. It reads what flanneld has written into
 * subnet.env, turns it into a configuration of bridge and host-local, and has
 * bridge do the work.
 * Models:     flannel-io/cni-plugin @ v1.9
 * Leaves out: other delegates' own defaults.
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

/** What flanneld says about this node; IPv4 first. */
interface SubnetEnv {
  readonly networks: readonly string[];
  readonly subnets: readonly string[];
  /** Bytes. */
  readonly mtu: number;
  readonly ipMasq: boolean;
}

/** Variables, of which one each is needed. */
const NETWORK = ["FLANNEL_NETWORK", "FLANNEL_IPV6_NETWORK"];
const SUBNET = ["FLANNEL_SUBNET", "FLANNEL_IPV6_SUBNET"];
const MTU = "FLANNEL_MTU";
const IPMASQ = "FLANNEL_IPMASQ";

function readSubnetEnv({ conf, host }: CniArgs<FlannelConf>): SubnetEnv {
  const path = conf.subnetFile ?? SUBNET_FILE;
  try {
    const text = host.disk.read(path);
    if (text !== undefined) return parseSubnetEnv(text, path);
    throw new Error(`open ${path}: no such file or directory`);
  } catch (error) {
    const failed = "failed to load flannel 'subnet.env' file";
    const hint = "Check the flannel pod log for this node.";
    throw new Error(`${failed}: ${(error as Error).message}. ${hint}`);
  }
}

function parseSubnetEnv(text: string, path: string): SubnetEnv {
  const values = new Map<string, string>();
  for (const line of text.split("\n")) {
    const at = line.indexOf("=");
    if (at > 0) values.set(line.slice(0, at), line.slice(at + 1));
  }
  const prefixes = (names: readonly string[]) =>
    names.flatMap((name) => values.get(name)?.split(",") ?? []).map(networkOf);
  const networks = prefixes(NETWORK);
  const subnets = prefixes(SUBNET);
  const mtu = values.get(MTU);
  if (mtu !== undefined && !/^\d+$/.test(mtu)) {
    throw new Error(`strconv.ParseUint: parsing "${mtu}": invalid syntax`);
  }
  const missing = [
    ...(networks.length > 0 ? [] : NETWORK),
    ...(subnets.length > 0 ? [] : SUBNET),
    ...[MTU, IPMASQ].filter((name) => !values.has(name)),
  ];
  if (missing.length > 0) {
    throw new Error(`${path} is missing ${missing.join(", ")}`);
  }
  const ipMasq = values.get(IPMASQ) === "true";
  return { networks, subnets, mtu: Number(mtu), ipMasq };
}

function networkOf(text: string): string {
  const cidr = parseCidr(text);
  if (!cidr) throw new Error(`invalid CIDR address: ${text}`);
  return formatNetwork(cidr);
}

// region: delegate
/** The delegate's configuration: what is given, and what is missing. */
function delegateOf(args: CniArgs<FlannelConf>): Json {
  const { conf } = args;
  const env = readSubnetEnv(args);
  const given = conf.delegate ?? {};
  if ("type" in given && typeof given.type !== "string") {
    throw new Error(
      "'delegate' dictionary, if present, must have (string) 'type' field",
    );
  }
  for (const name of ["name", "ipam"]) {
    if (!(name in given)) continue;
    throw new Error(
      `'delegate' dictionary must not have '${name}' field, it'll be set by flannel`,
    );
  }
  const delegate: Json = {
    // flanneld masquerades, or else the bridge does.
    ...{ type: "bridge", ipMasq: !env.ipMasq, mtu: env.mtu },
    ...given,
    name: conf.name,
  };
  if (delegate.type === "bridge" && !("isGateway" in given)) {
    delegate.isGateway = true;
  }
  if (conf.cniVersion) delegate.cniVersion = conf.cniVersion;
  if (conf.runtimeConfig) delegate.runtimeConfig = conf.runtimeConfig;
  const routes = env.networks.map((dst) => ({ dst }));
  delegate.ipam = {
    ...conf.ipam,
    type: conf.ipam?.type ?? "host-local",
    ranges: env.subnets.map((subnet) => [{ subnet }]),
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

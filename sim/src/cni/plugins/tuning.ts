/**
 * tuning: sets sysctls, MTU and MAC of the Pod's interface. A chained plugin.
 * Models:     containernetworking/plugins plugins/meta/tuning @ v1.9
 * Leaves out: promiscuous and allmulti mode, queue length, an allow-list.
 */
import { quote } from "../../api/go-text.ts";
import type { Link } from "../../network/link.ts";
import type { NetworkNamespace } from "../../network/namespace.ts";
import { loadArgs } from "../args.ts";
import { parseResult } from "../result.ts";
import { type CniArgs, plugin } from "../spec.ts";
import type { NetConf } from "../types.ts";
import { ALL_VERSIONS } from "../version.ts";
import { parseMac } from "./addresses.ts";
import { enterNetns } from "./netns.ts";

interface Wishes {
  readonly sysctl?: Readonly<Record<string, string>>;
  readonly mac?: string;
  /** Bytes. */
  readonly mtu?: number;
}

interface TuningConf extends NetConf, Wishes {
  /** Where what was before waits for the DEL. */
  readonly dataDir?: string;
  readonly args?: { readonly cni?: Wishes };
}

export const tuning = plugin<TuningConf>({
  name: "tuning",
  versions: ALL_VERSIONS,
  add(args) {
    const wishes = wishesOf(args);
    const result = parseResult(args.conf.prevResult);
    if (!result) throw new Error("Required prevResult missing");
    const netns = enterNetns(args);
    setSysctls(args, netns, wishes.sysctl);
    tune(args, netns, wishes);
    const { mac } = wishes;
    if (!mac) return result;
    const interfaces = result.interfaces?.map((each) =>
      each.name === args.ifname ? { ...each, mac } : each,
    );
    return { ...result, interfaces };
  },
  del(args) {
    wishesOf(args);
    const { disk, network } = args.host;
    const before = disk.readJson(backupOf(args)) as Wishes | undefined;
    const netns = args.netns ? network.namespace(args.netns) : undefined;
    const link = netns?.links.get(args.ifname);
    if (!before || !link) return;
    setLink(link, before);
    disk.remove(backupOf(args));
  },
  check(args) {
    const wishes = wishesOf(args);
    if (!args.conf.prevResult) throw new Error("Required prevResult missing");
    checkState(args, enterNetns(args), wishes);
  },
});

/** Whoever is closest to the Pod has the last word. */
function wishesOf({ conf, env }: CniArgs<TuningConf>): Wishes {
  const { MAC } = loadArgs(env.CNI_ARGS, ["MAC"]);
  const { sysctl, mac, mtu } = conf;
  const { cni } = conf.args ?? {};
  const told = conf.runtimeConfig?.mac as string | undefined;
  return {
    sysctl: { ...sysctl, ...cni?.sysctl },
    mac: cni?.mac ?? (told || MAC || mac),
    mtu: cni?.mtu ?? mtu,
  };
}

function setSysctls(
  { ifname }: CniArgs,
  netns: NetworkNamespace,
  sysctl: Wishes["sysctl"] = {},
): void {
  for (const [name, value] of Object.entries(sysctl)) {
    const key = name.replaceAll(".", "/").replace("IFNAME", ifname);
    if (!key.startsWith("net/")) {
      throw new Error(`invalid net sysctl key: ${quote(key)}`);
    }
    netns.sysctl.set(key.replaceAll("/", "."), value);
  }
}

function tune(
  args: CniArgs<TuningConf>,
  netns: NetworkNamespace,
  wishes: Wishes,
): void {
  const { mac, mtu } = wishes;
  if (!mac && !mtu) return;
  const link = netns.links.get(args.ifname);
  if (!link) {
    throw new Error(`failed to get "${args.ifname}": Link not found`);
  }
  const before = {
    ...(mac && { mac: link.mac }),
    ...(mtu && { mtu: link.mtu }),
  };
  args.host.disk.write(backupOf(args), before);
  const wanted = mac && parseMac(mac);
  if (mac && !wanted) {
    const reason = `address ${mac}: invalid MAC address`;
    throw new Error(`invalid args ${mac} for MAC addr: ${reason}`);
  }
  setLink(link, { mac: wanted, mtu });
}

function setLink(link: Link, { mac, mtu }: Wishes): void {
  if (mac) link.mac = mac;
  if (mtu) link.mtu = mtu;
}

function backupOf({ conf, containerId, ifname }: CniArgs<TuningConf>): string {
  const folder = conf.dataDir || "/run/cni/tuning";
  return `${folder}/${containerId}_${ifname}.json`;
}

function checkState(
  { ifname }: CniArgs,
  netns: NetworkNamespace,
  { sysctl = {}, mac, mtu }: Wishes,
): void {
  const differs = (what: string, wanted: unknown, now: unknown) =>
    new Error(
      `Error: Tuning configured ${what} is ${wanted}, current value is ${now}`,
    );
  for (const [name, value] of Object.entries(sysctl)) {
    const path = `/proc/sys/${name.replaceAll(".", "/")}`;
    const now = netns.sysctl.get(name.replaceAll("/", "."));
    if (now === undefined) {
      throw new Error(`open ${path}: no such file or directory`);
    }
    if (now !== value) throw differs(`value of ${path}`, value, now);
  }
  const link = netns.links.get(ifname);
  if (!link) throw new Error(`Cannot find container link ${ifname}`);
  if (mac && mac !== link.mac) {
    throw differs(`Ethernet of ${ifname}`, mac, link.mac);
  }
  if (mtu && mtu !== link.mtu) {
    throw differs(`MTU of ${ifname}`, mtu, link.mtu);
  }
}

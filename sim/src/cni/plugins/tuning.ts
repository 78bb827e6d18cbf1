/**
 * tuning: sets sysctls, MTU and MAC of the Pod's interface. A chained plugin.
 * Models:     containernetworking/plugins plugins/meta/tuning @ v1.9
 * Leaves out: promiscuous and allmulti mode, queue length, an allow-list.
 */
import { parseResult } from "../result.ts";
import { type CniArgs, plugin } from "../spec.ts";
import type { CniResult, NetConf } from "../types.ts";
import { ALL_VERSIONS } from "../version.ts";
import { openNetns } from "./netns.ts";

interface TuningConf extends NetConf {
  readonly sysctl?: Readonly<Record<string, string>>;
  readonly mac?: string;
  /** Bytes. */
  readonly mtu?: number;
}

export const tuning = plugin<TuningConf>({
  name: "tuning",
  versions: ALL_VERSIONS,
  add(args) {
    const result = parseResult(args.conf.prevResult);
    if (!result) throw new Error("missing prevResult from earlier plugin");
    const netns = openNetns(args);
    for (const [name, value] of Object.entries(args.conf.sysctl ?? {})) {
      netns.sysctl.set(name, value);
    }
    return tune(args, result);
  },
  del() {},
  check(args) {
    if (!args.conf.prevResult) throw new Error("Required prevResult missing");
    const netns = openNetns(args);
    for (const [name, value] of Object.entries(args.conf.sysctl ?? {})) {
      const now = netns.sysctl.get(name);
      if (now === value) continue;
      throw new Error(
        `Error: Tuning configured value of ${name} is ${value}, current value is ${now ?? ""}`,
      );
    }
  },
});

function tune(args: CniArgs<TuningConf>, result: CniResult): CniResult {
  const { mac, mtu } = args.conf;
  const link = openNetns(args).links.get(args.ifname);
  if (link && mtu) link.mtu = mtu;
  if (!link || !mac) return result;
  link.mac = mac;
  const interfaces = result.interfaces?.map((each) =>
    each.name === args.ifname ? { ...each, mac } : each,
  );
  return { ...result, interfaces };
}

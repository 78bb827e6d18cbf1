/**
 * bandwidth: limits what a Pod may send and receive. A chained plugin.
 * Models:     containernetworking/plugins plugins/meta/bandwidth @ v1.9
 * Leaves out: the limiting itself: packets of this world have no volume.
 */
import { parseResult } from "../result.ts";
import { plugin } from "../spec.ts";
import type { NetConf } from "../types.ts";
import { versionsFrom } from "../version.ts";

interface BandwidthConf extends NetConf {
  /** Bits a second; bits. */
  readonly ingressRate?: number;
  readonly ingressBurst?: number;
  readonly egressRate?: number;
  readonly egressBurst?: number;
}

export const bandwidth = plugin<BandwidthConf>({
  name: "bandwidth",
  versions: versionsFrom("0.3.0"),
  add({ conf }) {
    const result = parseResult(conf.prevResult);
    if (!result) throw new Error("must be called as chained plugin");
    checkPair("ingress", conf.ingressRate, conf.ingressBurst);
    checkPair("egress", conf.egressRate, conf.egressBurst);
    return result;
  },
  del() {},
  check({ conf }) {
    if (!conf.prevResult) throw new Error("must be called as a chained plugin");
  },
});

function checkPair(
  way: string,
  rate: number | undefined,
  burst: number | undefined,
): void {
  if (rate && !burst)
    throw new Error(`if ${way} rate is set, burst must also be`);
  if (burst && !rate)
    throw new Error(`if ${way} burst is set, rate must also be`);
}

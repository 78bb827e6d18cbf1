/**
 * Felix's chains for kube-proxy's ipvs mode. A packet that IPVS forwards
 * passes INPUT and OUTPUT, not FORWARD: at INPUT a mark notes the workload
 * that it came from, at OUTPUT the policies are asked.
 * Models:     projectcalico/calico felix/rules/{static,endpoints}.go
 * Leaves out: host endpoints; what workloads may send to the node itself.
 */
import type { NetworkNamespace } from "../../network/namespace.ts";

/** kube-proxy's interface: Felix looks whether it is there. */
const DUMMY = "kube-ipvs0";
const THIS_HOST = "cali40this-host";
const MASK = "0xfff00000";
const NONE = `-m mark ! --mark 0x0/${MASK}`;
/** Not of a workload. */
const OTHER = markOf(1);
const SET = "cali-set-endpoint-mark";
const FORWARD = "cali-forward-endpoint-mark";

export function hasIpvs({ links }: NetworkNamespace): boolean {
  return links.has(DUMMY);
}

/** `-j cali-INPUT` and `-j cali-OUTPUT` go before all others. */
export const IPVS_CHAINS = ["INPUT", "OUTPUT"] as const;

export interface IpvsFilter {
  /** By chain, without `-A CHAIN`. */
  readonly filter: ReadonlyMap<string, readonly string[]>;
  readonly sets: ReadonlyMap<string, ReadonlySet<string>>;
}

/** `workloads`: the node's ends of its Pods' veths; `accepted`: a match. */
export function ipvsFilter(
  { links }: NetworkNamespace,
  workloads: readonly string[],
  accepted: string,
): IpvsFilter {
  const own = [...links.values()].filter(({ name }) => name !== DUMMY);
  const addresses = own.flatMap((link) => link.addresses.map(({ ip }) => ip));
  const marks = workloads.map((name, i) => [name, markOf(i + 2)] as const);
  const filter = new Map<string, string[]>([
    ["cali-INPUT", ["-j cali-forward-check", `${NONE} -j RETURN`]],
    ["cali-forward-check", forwardCheck()],
    [
      SET,
      [
        ...marks.map(([name]) => `-i ${name} -g cali-sm-${name}`),
        '-i cali+ -m comment --comment "Unknown endpoint" -j DROP',
        `-j MARK --set-xmark ${OTHER}/${MASK}`,
      ],
    ],
    ...marks.map(([name, mark]): [string, string[]] => {
      return [`cali-sm-${name}`, [`-j MARK --set-xmark ${mark}/${MASK}`]];
    }),
    ["cali-OUTPUT", [`${NONE} -g ${FORWARD}`]],
    [
      FORWARD,
      [
        `-m mark ! --mark ${OTHER}/${MASK} -j cali-from-endpoint-mark`,
        "-o cali+ -j cali-to-wl-dispatch",
        `-j MARK --set-xmark 0x0/${MASK}`,
        `${accepted} -j ACCEPT`,
      ],
    ],
    [
      "cali-from-endpoint-mark",
      [
        ...marks.map(
          ([name, mark]) => `-m mark --mark ${mark}/${MASK} -g cali-fw-${name}`,
        ),
        '-m comment --comment "Unknown interface" -j DROP',
      ],
    ],
  ]);
  return { filter, sets: new Map([[THIS_HOST, new Set(addresses)]]) };
}

function markOf(number: number): string {
  return `0x${(number * 2 ** 20).toString(16)}`;
}

function forwardCheck(): string[] {
  const nodePorts = "-m multiport --dports 30000:32767";
  const here = `-m set --match-set ${THIS_HOST} dst`;
  return [
    "-m conntrack --ctstate RELATED,ESTABLISHED -j RETURN",
    ...["tcp", "udp"].map(
      (protocol) => `-p ${protocol} ${nodePorts} ${here} -g ${SET}`,
    ),
    `-m set ! --match-set ${THIS_HOST} dst -j ${SET}`,
  ];
}

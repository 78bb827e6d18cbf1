/**
 * Felix's chains for one node: `cali-tw-…` is what may go to a workload,
 * `cali-fw-…` what may come from it, `cali-pi-…` and `cali-po-…` what one
 * policy allows. A policy that allows a packet marks it.
 * Models: projectcalico/calico felix/rules/{dispatch,endpoints,policy}.go
 */
import type { NetworkPolicy } from "../../api/kinds/networkpolicy.ts";
import type { Pod } from "../../api/kinds/pod.ts";
import { caliName } from "../../network/calico.ts";
import { sha1Hex } from "../../network/sha1.ts";
import {
  addressOf,
  type Direction,
  type PolicyPeer,
  type PolicyRule,
  type PolicyWorld,
  policiesOf,
  rulesOf,
} from "../policy.ts";

export interface FelixRules {
  /** By chain, without `-A CHAIN`. */
  readonly filter: ReadonlyMap<string, readonly string[]>;
  readonly nat: ReadonlyMap<string, readonly string[]>;
  readonly sets: ReadonlyMap<string, ReadonlySet<string>>;
  /** The node's ends of the Pods' veths, each with its two chains. */
  readonly workloads: readonly string[];
}

const ACCEPTED = "0x10000";
const ALLOW = `-j MARK --or-mark ${ACCEPTED}`;
/** A policy has allowed the packet. */
export const IF_ALLOWED = `-m mark --mark ${ACCEPTED}/${ACCEPTED}`;
const CLEAR = `-j MARK --set-xmark 0x0/${ACCEPTED}`;
const POOL = "cali40all-ipam-pools";
const MASQ = "cali40masq-ipam-pools";

export function felixRules(
  node: string,
  pool: string,
  world: PolicyWorld,
): FelixRules {
  const filter = new Map<string, string[]>();
  const sets = new Map<string, Set<string>>([
    [POOL, new Set([pool])],
    [MASQ, new Set([pool])],
  ]);
  filter.set("cali-FORWARD", [
    CLEAR,
    "-i cali+ -j cali-from-wl-dispatch",
    "-o cali+ -j cali-to-wl-dispatch",
    `${IF_ALLOWED} -j ACCEPT`,
  ]);
  const local = world.pods.filter(
    (pod) => pod.spec.nodeName === node && addressOf(pod) !== "",
  );
  const workloads: string[] = [];
  const from: string[] = [];
  const to: string[] = [];
  for (const pod of local) {
    const { namespace = "", name } = pod.metadata;
    const link = caliName(namespace, name);
    workloads.push(link);
    from.push(`-i ${link} -g cali-fw-${link}`);
    to.push(`-o ${link} -g cali-tw-${link}`);
    const out = { filter, sets, world };
    filter.set(`cali-fw-${link}`, workload(pod, "Egress", out));
    filter.set(`cali-tw-${link}`, workload(pod, "Ingress", out));
  }
  const unknown = '-m comment --comment "Unknown interface" -j DROP';
  filter.set("cali-from-wl-dispatch", [...from, unknown]);
  filter.set("cali-to-wl-dispatch", [...to, unknown]);
  return { filter, nat: masquerade(), sets, workloads };
}

interface Out {
  readonly filter: Map<string, string[]>;
  readonly sets: Map<string, Set<string>>;
  readonly world: PolicyWorld;
}

// region: workload
/** All that a Pod may get, or send. */
function workload(pod: Pod, direction: Direction, out: Out): string[] {
  const policies = policiesOf(pod, direction, out.world);
  const rules = [
    "-m conntrack --ctstate RELATED,ESTABLISHED -j ACCEPT",
    "-m conntrack --ctstate INVALID -j DROP",
    CLEAR,
  ];
  for (const policy of policies) {
    const chain = policyChain(policy, direction, pod, out);
    rules.push(`-j ${chain}`, `${IF_ALLOWED} -j RETURN`);
  }
  if (policies.length === 0) return [...rules, ALLOW];
  const comment = '-m comment --comment "Drop if no policies passed packet"';
  return [...rules, `${comment} -j DROP`];
}
// endregion: workload

/** The chain of one policy for one Pod; equal ones are shared. */
function policyChain(
  policy: NetworkPolicy,
  direction: Direction,
  pod: Pod,
  { filter, sets, world }: Out,
): string {
  const { namespace, name } = policy.metadata;
  const lines = rulesOf(policy, direction, pod, world).flatMap((rule) =>
    ruleLines(rule, direction, sets),
  );
  const kind = direction === "Ingress" ? "pi" : "po";
  const id = sha1Hex(`${namespace}/${name} ${lines.join("\n")}`).slice(0, 16);
  const chain = `cali-${kind}-_${id}`;
  filter.set(chain, lines);
  return chain;
}

/** A line for every peer and port that a rule allows. */
function ruleLines(
  { peers, ports }: PolicyRule,
  direction: Direction,
  sets: Map<string, Set<string>>,
): string[] {
  const who = peers?.map((peer) => peerMatch(peer, direction, sets)) ?? [""];
  const what = ports?.map(({ protocol, first, last }) => {
    const range = first === last ? `${first}` : `${first}:${last}`;
    const numbers = first ? ` -m multiport --dports ${range}` : "";
    return `-p ${protocol}${numbers} `;
  }) ?? [""];
  return who.flatMap((peer) => what.map((port) => `${port}${peer}${ALLOW}`));
}

function peerMatch(
  peer: PolicyPeer,
  direction: Direction,
  sets: Map<string, Set<string>>,
): string {
  const side = direction === "Ingress" ? "s" : "d";
  if ("cidr" in peer) {
    const except = peer.except.map((cidr) => `! -${side} ${cidr} `).join("");
    return `-${side} ${peer.cidr} ${except}`;
  }
  const name = `cali40s:${sha1Hex(peer.ips.join(" ")).slice(0, 20)}`;
  sets.set(name, new Set(peer.ips));
  return `-m set --match-set ${name} ${side === "s" ? "src" : "dst"} `;
}

/** What goes from the pool to outside of it takes the node's address. */
function masquerade(): Map<string, string[]> {
  return new Map([
    ["cali-POSTROUTING", ["-j cali-nat-outgoing"]],
    [
      "cali-nat-outgoing",
      [
        `-m set --match-set ${MASQ} src -m set ! --match-set ${POOL} dst -j MASQUERADE`,
      ],
    ],
  ]);
}

/**
 * The schedulers of IPVS: each chooses a real server for a new connection.
 * Servers come in the kernel's order, the one added last first; one of weight
 * 0 gets nothing.
 * Models:     Linux net/netfilter/ipvs/ip_vs_{rr,wrr,lc,wlc,lblc,lblcr,sh,dh,
 *             sed,nq}.c
 * Leaves out: servers marked as overloaded (`ipvsadm --u-threshold`); mh, fo
 *             and ovf, which kube-proxy does not offer.
 * Try:        let `sh` hash the client's port, too.
 */
import { parseIp } from "./ip.ts";
import type { Packet } from "./packet.ts";

export interface Candidate {
  readonly name: string;
  readonly weight: number;
  /** Connections: those that TCP has open, and all others. */
  readonly active: number;
  readonly inactive: number;
}

/** What a scheduler remembers of a virtual server. */
export interface Turn {
  /** rr, wrr: whose turn it was last; -1: nobody's. */
  at: number;
  /** wrr: the weight that it takes to have a turn in this round. */
  weight: number;
  /** lblc, lblcr: names of those that serve the address, the newest first. */
  serving: readonly string[];
  /** lblcr: when they changed last, in ms. */
  changedAtMs: number;
}

export const newTurn = (): Turn => ({
  ...{ at: -1, weight: 0, serving: [], changedAtMs: 0 },
});

type Choose = (
  all: readonly Candidate[],
  turn: Turn,
  packet: Pick<Packet, "src" | "dst">,
  nowMs: number,
) => Candidate | undefined;

/** Active connections cost more than those that only wait for their end. */
const overhead = ({ active, inactive }: Candidate) => active * 256 + inactive;
const delay = ({ active }: Candidate) => active + 1;

/** The first with the smallest cost for its weight, of those that have one. */
function least(
  all: readonly Candidate[],
  cost: (one: Candidate) => number,
): Candidate | undefined {
  return all
    .filter(({ weight }) => weight > 0)
    .reduce<Candidate | undefined>(
      (best, one) =>
        !best || cost(best) * one.weight > cost(one) * best.weight ? one : best,
      undefined,
    );
}

// region: rr
/** Round robin: the one after the last. */
const rr: Choose = (all, turn) => {
  const { length } = all;
  for (let i = 1; i <= length; i++) {
    const at = (turn.at + i) % length;
    if (all[at]!.weight === 0) continue;
    turn.at = at;
    return all[at];
  }
  return undefined;
};
// endregion: rr

/** Rounds: in the first only the heaviest have a turn, in the last all. */
const wrr: Choose = (all, turn) => {
  const weights = all.map(({ weight }) => weight).filter((one) => one > 0);
  if (weights.length === 0) return undefined;
  const step = weights.reduce(gcd);
  const most = Math.max(...weights) - (step - 1);
  if (turn.weight <= 0 || turn.weight > most) turn.weight = most;
  for (;;) {
    const from = turn.at + 1;
    const at = all.findIndex(
      (one, i) => i >= from && one.weight >= turn.weight,
    );
    turn.at = at;
    if (at >= 0) return all[at];
    turn.weight -= step;
    if (turn.weight <= 0) turn.weight = most;
  }
};

function gcd(a: number, b: number): number {
  return b === 0 ? a : gcd(b, a % b);
}

/** Weights do not count, but for nothing at all. */
const lc: Choose = (all) =>
  least(
    all
      .filter(({ weight }) => weight > 0)
      .map((one) => ({ ...one, weight: 1 })),
    overhead,
  );
const wlc: Choose = (all) => least(all, overhead);
const sed: Choose = (all) => least(all, delay);
const nq: Choose = (all) =>
  all.find(({ weight, active }) => weight > 0 && active === 0) ??
  least(all, delay);

// region: hash
const BUCKETS = 256;

/** Buckets are dealt out to the servers in turn, as many as each weighs. */
const sh: Choose = (all, _, { src }) => {
  const dealt = all.flatMap((one) =>
    Array.from({ length: Math.max(one.weight, 1) }, () => one),
  );
  return inBucket(dealt, src);
};
/** A virtual server has one address: all its connections go to one server. */
const dh: Choose = (all, _, { dst }) => inBucket(all, dst);

/** Nobody, if the bucket's server gets no connections: no other is asked. */
function inBucket(dealt: readonly Candidate[], ip: string) {
  const found = dealt[bucketOf(ip) % dealt.length];
  return found && found.weight > 0 ? found : undefined;
}

/** hash_32: the address times the golden ratio, its first 8 bits. */
function bucketOf(ip: string): number {
  const address = Number(parseIp(ip)?.value ?? 0);
  return (Math.imul(address | 0, 0x61c88647) >>> 24) % BUCKETS;
}
// endregion: hash

/** It has too much to do, while another has almost nothing. */
function isOverloaded(
  { active, weight }: Candidate,
  all: readonly Candidate[],
): boolean {
  return active > weight && all.some((one) => one.active * 2 < one.weight);
}

/** An address stays with its server, as long as that can bear it. */
const lblc: Choose = (all, turn) => {
  const [name] = turn.serving;
  const last = all.find((one) => one.name === name && one.weight > 0);
  if (last && !isOverloaded(last, all)) return last;
  const chosen = least(all, overhead);
  turn.serving = chosen ? [chosen.name] : [];
  return chosen;
};

const DAY_MS = 86_400_000;

/** An address has several servers if it needs them; a day later, fewer. */
const lblcr: Choose = (all, turn, _, nowMs) => {
  const named = (name: string) => all.filter((one) => one.name === name);
  const change = (serving: readonly string[]) => {
    turn.serving = serving;
    turn.changedAtMs = nowMs;
  };
  const serving = turn.serving.flatMap(named);
  const chosen = least(serving, overhead);
  if (turn.serving.length > 1 && nowMs - turn.changedAtMs > DAY_MS) {
    const most = least(serving, (one) => -overhead(one));
    change(turn.serving.filter((name) => name !== most?.name));
  }
  if (chosen && !isOverloaded(chosen, all)) return chosen;
  const another = least(all, overhead);
  if (another && !turn.serving.includes(another.name)) {
    change([another.name, ...turn.serving]);
  }
  return another;
};

/** By name, in the order of kube-proxy's `--ipvs-scheduler`. */
export const SCHEDULERS = {
  ...{ rr, wrr, lc, wlc, lblc, lblcr, sh, dh, sed, nq },
} as const satisfies Readonly<Record<string, Choose>>;

export type SchedulerName = keyof typeof SCHEDULERS;

/** What a rule set decides about a packet, and what it may ask. */
import type { Packet } from "./packet.ts";

export type Verdict =
  | { readonly kind: "accept" | "drop" | "reject" | "masquerade" }
  | { readonly kind: "dnat"; readonly ip: string; readonly port: number };

export type Hook =
  | "prerouting"
  | "input"
  | "forward"
  | "output"
  | "postrouting";

/** What rules can match on besides the packet itself. */
export interface RuleContext {
  readonly packet: Packet;
  /** True if the address is one of the namespace's own. */
  readonly isLocal: (ip: string) => boolean;
  /** 0 … bound - 1, by chance. */
  readonly random: (bound: number) => number;
  /** Interfaces that it came by and leaves by, as far as they are known. */
  readonly inLink?: string;
  readonly outLink?: string;
  /** Sets of addresses by name, for `-m set`. */
  readonly sets?: ReadonlyMap<string, ReadonlySet<string>>;
  /** When each client came last, in ms, by the list's name. */
  readonly recent?: Map<string, Map<string, number>>;
  /** Simulated time, in ms, for rules that remember. */
  readonly nowMs?: number;
  /** Called for every rule that matched, for who follows the packet. */
  readonly onRule?: (rule: string) => void;
}

/** Is it the first packet of its conversation? */
export function isNew({ tracked, way }: Packet): boolean {
  return !tracked?.reply && way === "request";
}

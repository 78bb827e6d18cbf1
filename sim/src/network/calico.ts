/** What Calico's agent and its network plugin have to agree on. */
import { sha1Hex } from "./sha1.ts";

/** The node's end of a Pod's veth: `cali` and eleven digits. */
export function caliName(namespace: string, pod: string): string {
  return `cali${sha1Hex(`${namespace}.${pod}`).slice(0, 11)}`;
}

/** Where the node's blocks lie, one file each. */
export const BLOCKS = "/var/lib/calico/blocks";

/** A range of addresses that belongs to one node. */
export interface Block {
  /** `10.244.3.64/26` */
  readonly cidr: string;
  /** Container ids by address. */
  readonly used: Readonly<Record<string, string>>;
  /** Free addresses: the next one first, given back ones last. */
  readonly free: readonly string[];
}

/**
 * Puts iptables rules into a node's kernel: each of kube-proxy's own chains
 * as a whole, and jumps to them from the built-in ones.
 * Models: iptables-restore --noflush, and EnsureRule of pkg/util/iptables
 */
import type { TableName } from "../network/iptables.ts";
import type { NetworkNamespace } from "../network/namespace.ts";

/** Rules by chain, without `-A CHAIN`. */
export type Chains = ReadonlyMap<string, readonly string[]>;

export interface Jump {
  readonly table: TableName;
  readonly from: string;
  readonly to: string;
  readonly comment: string;
  /** Asked of the first packet of a conversation alone. */
  readonly onlyNew?: boolean;
}

/** `cleans`: chains of ours that are not wanted any more go. */
export function installRules(
  { iptables }: NetworkNamespace,
  tables: Readonly<Record<"nat" | "filter", Chains>>,
  jumps: readonly Jump[],
  cleans = true,
): void {
  for (const table of ["nat", "filter"] as const) {
    const wanted = tables[table];
    for (const chain of cleans ? iptables.chains(table) : []) {
      const ours = chain.startsWith("KUBE-") && !wanted.has(chain);
      if (ours) iptables.deleteChain(table, chain);
    }
    for (const [chain, lines] of wanted) iptables.setChain(table, chain, lines);
  }
  // Each goes to the front, so the last one here is asked first.
  for (const { table, from, to, comment, onlyNew } of jumps) {
    const state = onlyNew ? "-m conntrack --ctstate NEW " : "";
    const text = comment ? `-m comment --comment "${comment}" ` : "";
    iptables.ensureRule(table, from, `${state}${text}-j ${to}`, "insert");
  }
}

/**
 * iptables: tables of chains of rules, each rule in the form in which
 * `iptables-save` prints it. What a reader sees is what the packets meet:
 * netfilter.ts reads these very lines.
 * Models:     iptables 1.8 (nf_tables), `iptables-save`
 * Leaves out: counters.
 */
import { flat } from "../kernel/flat.ts";

export type TableName = "filter" | "nat" | "mangle" | "raw";

/** Chains that every table has from the start. */
const BUILT_IN: Record<TableName, readonly string[]> = {
  filter: ["INPUT", "FORWARD", "OUTPUT"],
  nat: ["PREROUTING", "INPUT", "OUTPUT", "POSTROUTING"],
  mangle: ["PREROUTING", "INPUT", "FORWARD", "OUTPUT", "POSTROUTING"],
  raw: ["PREROUTING", "OUTPUT"],
};

export class Iptables {
  private readonly tables = new Map<TableName, Map<string, string[]>>();
  /** Changes with every change of a rule: readers may cache by it. */
  version = 0;

  /** Rules of a chain, without `-A CHAIN`; undefined if there is no chain. */
  chain(table: TableName, name: string): readonly string[] | undefined {
    return this.table(table).get(name);
  }

  chains(table: TableName): string[] {
    return [...this.table(table).keys()];
  }

  ensureChain(table: TableName, name: string): void {
    const chains = this.table(table);
    if (!chains.has(name)) chains.set(name, []);
  }

  /** Adds the rule at the end, or at the front, unless it is there. */
  ensureRule(
    table: TableName,
    chain: string,
    rule: string,
    where: "append" | "insert" = "append",
  ): void {
    const chains = this.table(table);
    let rules = chains.get(chain);
    if (!rules) chains.set(chain, (rules = []));
    else if (rules.includes(rule)) return;
    this.version++;
    if (where === "append") rules.push(flat(rule));
    else rules.unshift(flat(rule));
  }

  /** Replaces all rules of a chain. */
  setChain(table: TableName, chain: string, rules: readonly string[]): void {
    this.version++;
    this.table(table).set(chain, [...rules]);
  }

  deleteRule(table: TableName, chain: string, rule: string): void {
    const rules = this.table(table).get(chain);
    const at = rules?.indexOf(rule) ?? -1;
    if (rules && at >= 0) rules.splice(at, 1);
    this.version++;
  }

  /** Deletes every rule of the chain that `test` says yes to. */
  deleteRules(
    table: TableName,
    chain: string,
    test: (rule: string) => boolean,
  ): void {
    const rules = this.table(table).get(chain);
    if (rules)
      this.setChain(
        table,
        chain,
        rules.filter((rule) => !test(rule)),
      );
  }

  deleteChain(table: TableName, name: string): void {
    this.table(table).delete(name);
    this.version++;
  }

  /** The lines of `iptables-save -t table`. */
  save(table: TableName): string[] {
    const chains = this.table(table);
    const builtIn = BUILT_IN[table];
    const own = [...chains.keys()].filter((name) => !builtIn.includes(name));
    const names = [...builtIn, ...own.sort()];
    const policy = (name: string) => (builtIn.includes(name) ? "ACCEPT" : "-");
    return [
      `*${table}`,
      ...names.map((name) => `:${name} ${policy(name)} [0:0]`),
      ...names.flatMap((name) =>
        (chains.get(name) ?? []).map((rule) => `-A ${name} ${rule}`),
      ),
      "COMMIT",
    ];
  }

  private table(name: TableName): Map<string, string[]> {
    let chains = this.tables.get(name);
    if (!chains) {
      chains = new Map(BUILT_IN[name].map((chain) => [chain, []]));
      this.tables.set(name, chains);
    }
    return chains;
  }
}

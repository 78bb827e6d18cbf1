/**
 * Nodes by the value of one label, such as the zone: each value gets a small
 * number, so that counting by zone is adding to an array.
 * Leaves out: nothing; it only makes `node.labels[key]` cheap.
 */
import type { NodeInfo } from "./node-info.ts";

/** The domain of Nodes without the label. */
export const NO_DOMAIN = 0;

export class Topology {
  readonly key: string;
  /** Domain of each Node, by the Node's row. */
  readonly domainOf: number[] = [];
  private readonly numbers = new Map<string, number>();

  constructor(key: string, nodes: Iterable<NodeInfo>) {
    this.key = key;
    for (const node of nodes) this.place(node);
  }

  /** Domains there are, that of Nodes without the label counted in. */
  get size(): number {
    return this.numbers.size + 1;
  }

  /** A Node came, or its labels changed. */
  place({ row, labels }: NodeInfo): void {
    while (this.domainOf.length < row) this.domainOf.push(NO_DOMAIN);
    this.domainOf[row] = this.numberOf(labels[this.key]);
  }

  private numberOf(value: string | undefined): number {
    if (value === undefined) return NO_DOMAIN;
    let known = this.numbers.get(value);
    if (known === undefined) {
      known = this.numbers.size + 1;
      this.numbers.set(value, known);
    }
    return known;
  }
}

/** The topologies that were asked for, kept current. */
export class Topologies {
  private readonly known = new Map<string, Topology>();
  private readonly nodes: () => Iterable<NodeInfo>;

  constructor(nodes: () => Iterable<NodeInfo>) {
    this.nodes = nodes;
  }

  of(key: string): Topology {
    let found = this.known.get(key);
    if (!found) {
      found = new Topology(key, this.nodes());
      this.known.set(key, found);
    }
    return found;
  }

  place(node: NodeInfo): void {
    for (const topology of this.known.values()) topology.place(node);
  }
}

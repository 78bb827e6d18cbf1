/**
 * Node IPAM: gives each Node a range of Pod addresses of the cluster's, the
 * lowest that is free.
 * Models:     pkg/controller/nodeipam/ipam/{range_allocator,
 *             cidrset/cidr_set}.go @ v1.36
 * Leaves out: IPv6 and dual stack.
 */
import { Node } from "../api/kinds/node.ts";
import { keyOf } from "../api/types.ts";
import type { Component, ComponentContext } from "../client/component.ts";
import { startController } from "../client/controller.ts";

/** Length of a Node's prefix: 254 Pods. */
const NODE_PREFIX = 24;

/** `clusterCidr`: all Pod addresses, `10.244.0.0/16`. */
export function startNodeIpamController(
  context: ComponentContext,
  clusterCidr: string,
): Component {
  const { client, events, informers } = context;
  const nodes = informers.informer(Node);
  const ranges = new Ranges(clusterCidr);

  // region: reconcile
  const reconcile = async (name: string) => {
    const node = nodes.get(name);
    if (!node || node.spec.podCIDR) return;
    const podCIDR = ranges.take();
    if (podCIDR === undefined) {
      const message = `Node ${name} status is now: CIDRNotAvailable`;
      events.event(node, "Normal", "CIDRNotAvailable", message);
      throw new Error(
        "CIDR allocation failed; there are no remaining CIDRs left to allocate in the accepted range",
      );
    }
    try {
      const spec = { podCIDR, podCIDRs: [podCIDR] };
      const type = "application/strategic-merge-patch+json";
      await client.patch(Node, "", name, type, { spec });
    } catch (error) {
      ranges.giveBack(podCIDR);
      throw error;
    }
  };
  // endregion: reconcile

  const controller = startController(context, { workers: 30, reconcile });
  controller.on(nodes, {
    added(node) {
      if (node.spec.podCIDR) ranges.occupy(node.spec.podCIDR);
      else controller.queue.add(keyOf(node));
    },
    updated(node) {
      if (!node.spec.podCIDR) controller.queue.add(keyOf(node));
    },
    deleted(node) {
      if (node.spec.podCIDR) ranges.giveBack(node.spec.podCIDR);
    },
  });
  return controller;
}

/** The ranges of a prefix, each taken once; the search goes round. */
class Ranges {
  private readonly first: number;
  private readonly count: number;
  private readonly taken = new Set<number>();
  private next = 0;

  constructor(cidr: string) {
    const [address = "", length = ""] = cidr.split("/");
    this.first = numberOf(address);
    this.count = 2 ** Math.max(0, NODE_PREFIX - Number(length));
  }

  take(): string | undefined {
    for (let i = 0; i < this.count; i++) {
      const index = (this.next + i) % this.count;
      if (this.taken.has(index)) continue;
      this.taken.add(index);
      this.next = (index + 1) % this.count;
      const address = this.first + index * 2 ** (32 - NODE_PREFIX);
      return `${textOf(address)}/${NODE_PREFIX}`;
    }
    return undefined;
  }

  occupy(cidr: string): void {
    this.taken.add(this.indexOf(cidr));
  }

  giveBack(cidr: string): void {
    this.taken.delete(this.indexOf(cidr));
  }

  private indexOf(cidr: string): number {
    const address = numberOf(cidr.split("/")[0] ?? "");
    return Math.floor((address - this.first) / 2 ** (32 - NODE_PREFIX));
  }
}

function numberOf(address: string): number {
  return address.split(".").reduce((sum, part) => sum * 256 + Number(part), 0);
}

function textOf(address: number): string {
  return [24, 16, 8, 0]
    .map((shift) => Math.floor(address / 2 ** shift) % 256)
    .join(".");
}

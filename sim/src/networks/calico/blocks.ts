/**
 * Calico's address blocks: the pool is cut into blocks of 64 addresses, and a
 * node claims one by creating its object. Two nodes that want the same block
 * find out by the 409 of the second.
 * Models:     projectcalico/calico libcalico-go/lib/ipam @ v3.31
 * Leaves out: several pools, releasing of empty blocks, the handles.
 */
import { fnv1aText } from "../../api/hash.ts";
import type { ResourceRef } from "../../api/resource.ts";
import { isAlreadyExists, isNotFound } from "../../api/status.ts";
import type { JsonObject, KubeObject } from "../../api/types.ts";
import type { ComponentContext } from "../../client/component.ts";
import type { Disk } from "../../kernel/disk.ts";
import { BLOCKS, type Block } from "../../network/calico.ts";
import { formatIp, parseCidr } from "../../network/ip.ts";

export interface IPAMBlock extends KubeObject {
  readonly spec: {
    readonly cidr: string;
    /** `host:node-1` */
    readonly affinity: string;
  };
}

export const IPAMBlock: ResourceRef<IPAMBlock> = {
  group: "crd.projectcalico.org",
  version: "v1",
  kind: "IPAMBlock",
  resource: "ipamblocks",
  namespaced: false,
};

const SIZE = 64;
const LENGTH = 26;
/** How long to wait until the new kind is served, in ms. */
const AGAIN_MS = 200;

/** Part of Calico's manifest. */
export const IPAM_BLOCKS: JsonObject = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "ipamblocks.crd.projectcalico.org" },
  spec: {
    group: IPAMBlock.group,
    scope: "Cluster",
    names: {
      ...{ kind: "IPAMBlock", listKind: "IPAMBlockList" },
      ...{ plural: "ipamblocks", singular: "ipamblock" },
    },
    versions: [
      {
        ...{ name: "v1", served: true, storage: true },
        schema: {
          openAPIV3Schema: {
            ...{ type: "object", "x-kubernetes-preserve-unknown-fields": true },
          },
        },
      },
    ],
  },
};

/** A new kind is not served at once. */
export async function waitForKind({ client, kernel }: ComponentContext) {
  for (;;) {
    try {
      await client.list(IPAMBlock);
      return;
    } catch (error) {
      if (!isNotFound(error)) throw error;
      await kernel.sleep(AGAIN_MS);
    }
  }
}

// region: claim
/** Claims the first free block, from a place on that the name decides. */
export async function claimBlock(
  node: string,
  pool: string,
  { client }: ComponentContext,
): Promise<string> {
  const { base, length } = parseCidr(pool)!;
  const count = 2 ** (LENGTH - length);
  const first = fnv1aText(node) % count;
  const { items } = await client.list(IPAMBlock);
  const taken = new Set(items.map(({ spec }) => spec.cidr));
  for (let i = 0; i < count; i++) {
    const value = base + BigInt(((first + i) % count) * SIZE);
    const cidr = `${formatIp({ family: 4, value })}/${LENGTH}`;
    if (taken.has(cidr)) continue;
    try {
      await client.create(IPAMBlock, {
        apiVersion: "crd.projectcalico.org/v1",
        kind: "IPAMBlock",
        metadata: { name: cidr.replace(/[./]/g, "-") },
        spec: { cidr, affinity: `host:${node}` },
      });
      return cidr;
    } catch (error) {
      // Another node was faster.
      if (!isAlreadyExists(error)) throw error;
    }
  }
  throw new Error(`no free block in ${pool}`);
}
// endregion: claim

/** Lays the block on the disk, where calico-ipam finds it. */
export function layBlock(disk: Disk, cidr: string): void {
  const path = `${BLOCKS}/${cidr.replace(/[./]/g, "-")}`;
  if (disk.exists(path)) return;
  const { base } = parseCidr(cidr)!;
  const free = Array.from({ length: SIZE }, (_, i) =>
    formatIp({ family: 4, value: base + BigInt(i) }),
  );
  disk.write(path, { cidr, used: {}, free } satisfies Block);
}

/** The address of the node's own end of the tunnel: the block's next one. */
export function takeAddress(disk: Disk, owner: string): string {
  for (const name of disk.list(BLOCKS)) {
    const block = disk.readJson(`${BLOCKS}/${name}`) as Block;
    const known = Object.entries(block.used).find(([, id]) => id === owner);
    if (known) return known[0];
    const [ip, ...free] = block.free;
    if (!ip) continue;
    const used = { ...block.used, [ip]: owner };
    disk.write(`${BLOCKS}/${name}`, { ...block, used, free } satisfies Block);
    return ip;
  }
  throw new Error("no block with a free address");
}

/** Addresses left in the node's blocks. */
export function freeAddresses(disk: Disk): number {
  return disk
    .list(BLOCKS)
    .map((name) => disk.readJson(`${BLOCKS}/${name}`) as Block)
    .reduce((sum, { free }) => sum + free.length, 0);
}

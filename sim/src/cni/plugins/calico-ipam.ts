/**
 * calico-ipam: gives out addresses of the blocks that belong to the node. An
 * address that was given back goes to the end of the queue.
 * Models:     projectcalico/calico libcalico-go/lib/ipam @ v3.31
 * Leaves out: borrowing from other nodes' blocks; the datastore: the agent
 *             claims blocks ahead and lays them on the disk.
 * Try:        put a freed address at the front, and see who gets it next.
 */
import { BLOCKS, type Block } from "../../network/calico.ts";
import { type CniArgs, plugin } from "../spec.ts";
import { ALL_VERSIONS } from "../version.ts";

export const calicoIpam = plugin({
  name: "Calico IPAM",
  versions: ALL_VERSIONS,
  add(args) {
    const { disk } = args.host;
    for (const [path, block] of blocksOf(args)) {
      const [ip, ...free] = block.free;
      if (!ip) continue;
      const used = { ...block.used, [ip]: args.containerId };
      disk.write(path, { ...block, used, free } satisfies Block);
      return { ips: [{ address: `${ip}/32` }] };
    }
    throw new Error(
      "failed to request IPv4 addresses. Assigned 0 out of 1 requested " +
        "IPv4 addresses; No more free affine blocks and strict affinity enabled",
    );
  },
  del(args) {
    for (const [path, block] of blocksOf(args)) {
      const mine = Object.entries(block.used)
        .filter(([, id]) => id === args.containerId)
        .map(([ip]) => ip);
      if (mine.length === 0) continue;
      const kept = Object.entries(block.used).filter(
        ([ip]) => !mine.includes(ip),
      );
      const used = Object.fromEntries(kept);
      const free = [...block.free, ...mine];
      args.host.disk.write(path, { ...block, used, free } satisfies Block);
    }
  },
});

function blocksOf({ host }: CniArgs): [path: string, block: Block][] {
  return host.disk.list(BLOCKS).map((name) => {
    const path = `${BLOCKS}/${name}`;
    return [path, host.disk.readJson(path) as Block];
  });
}

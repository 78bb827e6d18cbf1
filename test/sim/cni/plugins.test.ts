import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  Libcni,
  loadNetwork,
  type RuntimeConf,
  STANDARD_PLUGINS,
} from "../../../sim/src/cni/index.ts";
import type { CniHost } from "../../../sim/src/cni/types.ts";
import { Disk } from "../../../sim/src/kernel/disk.ts";
import { Random } from "../../../sim/src/kernel/index.ts";
import { NodeNetwork } from "../../../sim/src/network/node-network.ts";
import { addressLines, linkLine, routeLines } from "../../../sim/src/network/show.ts";

const CONFLIST = JSON.stringify({
  cniVersion: "1.1.0",
  name: "podnet",
  plugins: [
    {
      ...{ type: "bridge", bridge: "cni0", isGateway: true, ipMasq: true, hairpinMode: true },
      ipam: {
        type: "host-local",
        ranges: [[{ subnet: "10.244.1.0/24" }]],
        routes: [{ dst: "0.0.0.0/0" }],
      },
    },
    { type: "portmap", capabilities: { portMappings: true } },
    { type: "firewall" },
  ],
});

function newNode(): CniHost {
  const disk = new Disk();
  disk.write("/etc/cni/net.d/10-podnet.conflist", CONFLIST);
  return { disk, network: new NodeNetwork(new Random(1)), binaries: STANDARD_PLUGINS };
}

function runtimeConf(id: string, hostPort = 0): RuntimeConf {
  const portMappings = [{ hostPort, containerPort: 80, protocol: "tcp" }];
  return {
    ...{ containerId: id, netns: `/var/run/netns/${id}`, ifname: "eth0", args: [] },
    capabilityArgs: hostPort ? { portMappings } : {},
  };
}

/** All that a plugin may leave behind, but for the address given last. */
function stateOf({ network, disk }: CniHost) {
  const { root } = network;
  const links = [...root.links.values()].map((link) => [linkLine(link), ...addressLines(link)]);
  const ipam = disk
    .list("/var/lib/cni/networks/podnet")
    .filter((file) => !file.startsWith("last_"));
  const rules = [...root.iptables.save("nat"), ...root.iptables.save("filter")];
  return { links, routes: routeLines(root), ipam, rules, cache: disk.list("/var/lib/cni/results") };
}

describe("a chain of network plugins", () => {
  it("gives no two living Pods the same address, whatever the order", () => {
    const operations = fc.array(fc.tuple(fc.boolean(), fc.integer({ min: 0, max: 9 })), {
      maxLength: 60,
    });
    fc.assert(
      fc.property(operations, (all) => {
        const node = newNode();
        const cni = new Libcni(node);
        const list = loadNetwork(node.disk, "/etc/cni/net.d");
        const alive = new Map<string, string>();
        for (const [add, n] of all) {
          const rt = runtimeConf(`c${n}`);
          if (!add) {
            cni.del(list, rt);
            node.network.removeNamespace(rt.netns);
            alive.delete(rt.containerId);
          } else if (!alive.has(rt.containerId)) {
            node.network.addNamespace(rt.netns);
            alive.set(rt.containerId, cni.add(list, rt).ips![0]!.address);
          }
          expect(new Set(alive.values()).size).toBe(alive.size);
        }
      }),
      { numRuns: 40 },
    );
  });

  it("leaves the node as it was after ADD and DEL, and DEL twice is harmless", () => {
    const node = newNode();
    const cni = new Libcni(node);
    const list = loadNetwork(node.disk, "/etc/cni/net.d");
    // The first Pod of all leaves the bridge and the shared chains.
    node.network.addNamespace("/var/run/netns/first");
    cni.add(list, runtimeConf("first", 8080));
    const before = stateOf(node);
    const rt = runtimeConf("second", 9090);
    node.network.addNamespace(rt.netns);
    cni.add(list, rt);
    expect(stateOf(node)).not.toEqual(before);
    cni.del(list, rt);
    node.network.removeNamespace(rt.netns);
    expect(stateOf(node)).toEqual(before);
    cni.del(list, rt);
    expect(stateOf(node)).toEqual(before);
  });

  it("runs in order on ADD, in reverse on DEL", () => {
    const calls: string[] = [];
    const node = {
      ...newNode(),
      observe: (plugin: string, env: Readonly<Record<string, string>>) => {
        calls.push(`${env.CNI_COMMAND} ${plugin}`);
        return () => {};
      },
    };
    const cni = new Libcni(node);
    const list = loadNetwork(node.disk, "/etc/cni/net.d");
    const rt = runtimeConf("c1");
    node.network.addNamespace(rt.netns);
    cni.add(list, rt);
    cni.del(list, rt);
    expect(calls).toEqual([
      ...["ADD bridge", "ADD host-local", "ADD portmap", "ADD firewall"],
      ...["DEL firewall", "DEL portmap", "DEL bridge", "DEL host-local"],
    ]);
  });

  it("says the real error if a plugin's binary is missing", () => {
    const node = { ...newNode(), binaries: new Map() };
    const cni = new Libcni(node);
    const list = loadNetwork(node.disk, "/etc/cni/net.d");
    expect(() => cni.add(list, runtimeConf("c1"))).toThrow(
      'plugin type="bridge" failed (add): failed to find plugin "bridge" in path [/opt/cni/bin]',
    );
  });
});

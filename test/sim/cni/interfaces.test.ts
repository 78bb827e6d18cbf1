/** bridge, ptp and loopback: what they make, refuse and find missing. */
import { describe, expect, it } from "vitest";
import type { CniHost } from "../../../sim/src/cni/types.ts";
import { addressLines, routeLines } from "../../../sim/src/network/show.ts";
import { call, complaint, NETNS, newNode } from "./world.ts";

const ipam = (subnet = "10.9.0.0/24") => ({
  ...{ type: "host-local", ranges: [[{ subnet }]], routes: [{ dst: "0.0.0.0/0" }] },
});
const files = ({ disk }: CniHost) =>
  disk.list("/var/lib/cni/networks/net").filter((name) => /^\d/.test(name));

describe("bridge", () => {
  it("has one IPv4 address, and gives the Pod's back when it is another", () => {
    const node = newNode();
    const conf = { isGateway: true, ipam: ipam() };
    call(node, "bridge", "ADD", conf);
    node.network.addNamespace("/c2");
    const env = { CNI_CONTAINERID: "c2", CNI_NETNS: "/c2" };
    const other = { ...conf, ipam: ipam("10.8.0.0/24") };
    expect(complaint(node, "bridge", "ADD", other, env)).toBe(
      'failed to set bridge addr: "cni0" already has an IP address different from 10.8.0.1/24',
    );
    expect(files(node)).toEqual(["10.9.0.2"]);
    node.network.removeNamespace("/c2");
    node.network.addNamespace("/c2");
    expect(complaint(node, "bridge", "ADD", { ...other, forceAddress: true }, env)).toBe("");
    const { root } = node.network;
    expect(addressLines(root.links.get("cni0")!).map((line) => line.split(/ +/)[3])).toEqual([
      "10.8.0.1/24",
    ]);
    expect(routeLines(root)).toEqual(["10.8.0.0/24 dev cni0 proto kernel scope link src 10.8.0.1"]);
  });

  it("has several IPv6 addresses if they do not overlap", () => {
    const node = newNode();
    const add = (id: string, subnet: string) => {
      node.network.addNamespace(`/${id}`);
      const env = { CNI_CONTAINERID: id, CNI_NETNS: `/${id}` };
      return complaint(node, "bridge", "ADD", { isGateway: true, ipam: ipam(subnet) }, env);
    };
    expect(add("a", "fd00:1::/64")).toBe("");
    expect(add("b", "fd00:2::/64")).toBe("");
    expect(add("c", "fd00:1::/48")).toContain("different from fd00:1::1/48");
    expect(node.network.root.sysctl.get("net.ipv6.conf.all.forwarding")).toBe("1");
    expect(node.network.root.sysctl.has("net.ipv4.ip_forward")).toBe(false);
  });

  it.each([
    [{ vlan: 4095 }, "invalid VLAN ID 4095 (must be between 0 and 4094)"],
    [
      { hairpinMode: true, promiscMode: true },
      "cannot set hairpin mode and promiscuous mode at the same time",
    ],
    [
      { ipam: ipam(), disableContainerInterface: true },
      "cannot use IPAM when DisableContainerInterface flag is set",
    ],
    [{ runtimeConfig: { mac: "x" } }, "failed to make veth pair: address x: invalid MAC address"],
    [{ bridge: "lo" }, 'failed to create bridge "lo": "lo" already exists but is not a bridge'],
    [{ ipam: { type: "a/b" } }, "invalid plugin name: a/b"],
  ])("refuses %j", (conf, problem) => {
    expect(complaint(newNode(), "bridge", "ADD", conf)).toBe(problem);
  });

  it("gives the MAC that is asked for, the runtime's first", () => {
    const mac = (conf: object, CNI_ARGS = "") =>
      call(newNode(), "bridge", "ADD", conf, { CNI_ARGS }).interfaces?.[2]?.mac;
    const args = { cni: { mac: "02:00:00:00:00:02" } };
    const runtimeConfig = { mac: "02-00-00-00-00-0A" };
    expect(mac({ args, runtimeConfig })).toBe("02:00:00:00:00:0a");
    expect(mac({ args }, "MAC=02:00:00:00:00:03")).toBe("02:00:00:00:00:02");
    expect(mac({}, "MAC=02:00:00:00:00:03")).toBe("02:00:00:00:00:03");
  });

  describe("on CHECK", () => {
    const conf = { ipam: ipam() };
    const checkAfter = (change: (node: CniHost) => void, edit = (text: string) => text) => {
      const node = newNode();
      const prevResult = JSON.parse(edit(JSON.stringify(call(node, "bridge", "ADD", conf))));
      change(node);
      return complaint(node, "bridge", "CHECK", { ...conf, prevResult });
    };
    const pod = ({ network }: CniHost) => network.namespace(NETNS)!;
    const eth0 = (node: CniHost) => pod(node).links.get("eth0")!;

    it("finds what it has made", () => {
      expect(checkAfter(() => {})).toBe("");
      const node = newNode();
      call(node, "bridge", "ADD", conf);
      expect(complaint(node, "bridge", "CHECK", conf)).toBe("Required prevResult missing");
      node.network.removeNamespace(NETNS);
      expect(complaint(node, "bridge", "CHECK", conf)).toContain(`failed to open netns "${NETNS}"`);
    });

    it.each([
      [(node: CniHost) => node.network.root.removeLink("cni0"), "Interface name cni0 not found"],
      [(node: CniHost) => pod(node).removeLink("eth0"), "Interface name eth0 not found"],
      [
        (node: CniHost) => Object.assign(eth0(node), { mac: "02:00:00:00:00:01" }),
        / Mac .* doesn't match container Mac: 02:00:00:00:00:01$/,
      ],
      [
        (node: CniHost) => Object.assign(eth0(node).peer!, { master: undefined }),
        "CNI veth created for bridge cni0 was not found",
      ],
      [
        (node: CniHost) => Object.assign(eth0(node), { addresses: [] }),
        "Failed to match addr 10.9.0.2/24 on interface eth0",
      ],
      [
        (node: CniHost) => Object.assign(pod(node), { routes: [] }),
        "Failed to find Gateway 10.9.0.1 for interface eth0",
      ],
      [
        (node: CniHost) => pod(node).routes.splice(1),
        "Expected Route {Dst:{IP:0.0.0.0 Mask:00000000} GW:<nil> MTU:0 AdvMSS:0 Priority:0 Table:<nil> Scope:<nil>} not found in routing table",
      ],
    ])("misses what is gone: %#", (change, problem) => {
      expect(checkAfter((node) => void change(node))).toMatch(problem);
    });

    it("misses what the result does not name", () => {
      expect(
        checkAfter(
          () => {},
          (text) => text.replace('"cni0"', '"br1"'),
        ),
      ).toBe("Interface name missing ");
      expect(
        checkAfter(
          () => {},
          (text) => text.replace(NETNS, "/other"),
        ),
      ).toBe(`Sandbox in prevResult  doesn't match configured netns: ${NETNS}`);
    });
  });
});

describe("ptp", () => {
  const conf = { ipam: { ...ipam(), routes: [{ dst: "10.0.0.0/8" }] } };

  it("sends all but the gateway itself through the gateway", () => {
    const node = newNode();
    const { ips, interfaces } = call(node, "ptp", "ADD", conf);
    expect(ips).toEqual([{ address: "10.9.0.2/24", gateway: "10.9.0.1", interface: 1 }]);
    expect(routeLines(node.network.namespace(NETNS)!)).toEqual([
      ...["10.0.0.0/8 via 10.9.0.1 dev eth0", "10.9.0.1 dev eth0 scope link src 10.9.0.2"],
      "10.9.0.0/24 via 10.9.0.1 dev eth0 src 10.9.0.2",
    ]);
    const veth = interfaces![0]!.name;
    expect(routeLines(node.network.root)).toEqual([`10.9.0.2 dev ${veth} scope host`]);
    const prevResult = call(node, "ptp", "CHECK", conf);
    expect(prevResult.msg).toBe("ptp: Required prevResult missing");
  });

  it("gives the address back if it cannot go on", () => {
    const node = newNode();
    expect(complaint(node, "ptp", "ADD", conf, { CNI_NETNS: "/x" })).toBe(
      'failed to open netns "/x": failed to Statfs "/x": no such file or directory',
    );
    expect(files(node)).toEqual([]);
    expect(complaint(node, "ptp", "ADD")).toBe("no plugin name provided");
  });

  it("finds on CHECK what it has made, and what is missing", () => {
    const node = newNode();
    const prevResult = call(node, "ptp", "ADD", conf);
    const check = () => complaint(node, "ptp", "CHECK", { ...conf, prevResult });
    expect(check()).toBe("");
    node.network.namespace(NETNS)!.removeLink("eth0");
    expect(check()).toBe("ptp: Container Interface name in prevResult: eth0 not found");
  });
});

describe("loopback", () => {
  it("passes on what others have made", () => {
    const prevResult = { cniVersion: "1.1.0", interfaces: [{ name: "eth0" }] };
    expect(call(newNode(), "loopback", "ADD", { prevResult })).toEqual(prevResult);
  });
  it("says without more that there is no namespace", () => {
    expect(complaint(newNode(), "loopback", "ADD", {}, { CNI_NETNS: "/x" })).toBe(
      'failed to Statfs "/x": no such file or directory',
    );
  });
});

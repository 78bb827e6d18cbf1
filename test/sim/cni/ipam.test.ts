/** host-local and static: odd ranges, odd wishes. */
import { describe, expect, it } from "vitest";
import { call, complaint, newNode } from "./world.ts";

const set = (...ranges: object[]) => ({ ipam: { type: "host-local", ranges: [ranges] } });
const added = (conf: object, env = {}) => call(newNode(), "host-local", "ADD", conf, env);
const subnet = "10.9.0.0/24";

describe("host-local's ranges", () => {
  it.each([
    [{ ipam: undefined }, "IPAM config missing 'ipam' key"],
    [{ ipam: {} }, "no IP ranges specified"],
    [{ ipam: { ranges: [[]] } }, "invalid range set 0: empty range set"],
    [set({}), "invalid range set 0: IP <nil> not v4 nor v6"],
    [set({ subnet: "10.9.0.0" }), "invalid CIDR address: 10.9.0.0"],
    [set({ subnet, rangeStart: "x" }), "invalid IP address: x"],
    [
      set({ subnet: "10.9.0.1/24" }),
      "invalid range set 0: Network has host bits set. For a subnet mask of length 24 the network address is 10.9.0.0",
    ],
    [
      set({ subnet: "10.9.0.1/31" }),
      "invalid range set 0: Network 10.9.0.1/31 too small to allocate from",
    ],
    [
      set({ subnet, rangeStart: "10.9.1.5" }),
      "invalid range set 0: RangeStart 10.9.1.5 not in network 10.9.0.0/24",
    ],
    [
      set({ subnet, rangeStart: "10.9.0.9", rangeEnd: "10.9.0.5" }),
      "invalid range set 0: RangeStart 10.9.0.9 not in network 10.9.0.0/24",
    ],
    [
      set({ subnet, rangeEnd: "10.9.0.0" }),
      "invalid range set 0: RangeEnd 10.9.0.0 not in network 10.9.0.0/24",
    ],
    [set({ subnet }, { subnet: "fd00::/64" }, { subnet: "x/1/2" }), "invalid CIDR address: x/1/2"],
    [set({ subnet }, { subnet: "fd00::/64" }, {}), "invalid range set 0: mixed address families"],
    [
      set({ subnet }, { subnet: "10.9.0.0/25" }),
      "invalid range set 0: subnets 10.9.0.1-10.9.0.254 and 10.9.0.1-10.9.0.126 overlap",
    ],
    [{ ipam: { ranges: [[{ subnet }], [{ subnet }]] } }, "range set 0 overlaps with 1"],
    [
      { cniVersion: "", ipam: { ranges: [[{ subnet }], [{ subnet: "10.8.0.0/24" }]] } },
      "CNI version  does not support more than 1 address per family",
    ],
  ])("%j: %s", (conf, problem) => {
    expect(complaint(newNode(), "host-local", "ADD", conf as object)).toBe(problem);
  });

  it("may come from the runtime, ahead of all others", () => {
    const runtimeConfig = { ipRanges: [[{ subnet: "10.7.0.0/24" }]] };
    const ipam = { subnet, ranges: [[{ subnet: "10.8.0.0/24" }]] };
    const { ips } = added({ ipam, runtimeConfig });
    expect(ips?.map(({ address }) => address)).toEqual([
      "10.7.0.2/24",
      "10.9.0.2/24",
      "10.8.0.2/24",
    ]);
  });

  it("of one address that is the gateway have none to give", () => {
    const conf = set({ subnet, rangeStart: "10.9.0.1", rangeEnd: "10.9.0.1" });
    expect(added(conf).msg).toBe(
      "failed to allocate for range 0: no IP addresses available in range set: 10.9.0.1-10.9.0.1",
    );
  });
});

describe("host-local's wishes", () => {
  it("may have a prefix length, and are known by their usual text", () => {
    const ips = (given: string[], conf = set({ subnet })) =>
      added({ ...conf, runtimeConfig: { ips: given } });
    expect(ips(["10.9.0.7/32"]).ips?.[0]?.address).toBe("10.9.0.7/24");
    expect(ips(["10.9.0.7/33"]).msg).toBe("invalid IP address 10.9.0.7/33");
    const six = set({ subnet: "fd00::/64" });
    expect(ips(["fd00:0:0::1"], six).msg).toBe(
      "failed to allocate for range 0: requested ip fd00::1 is subnet's gateway",
    );
    expect(ips(["10.8.0.1", "10.8.0.2"]).msg).toBe(
      "failed to allocate all requested IPs: 10.8.0.1 10.8.0.2",
    );
  });

  it("that fail take along what the container had before", () => {
    const node = newNode();
    const ipam = { ranges: [[{ subnet }], [{ subnet: "10.8.0.0/24" }]] };
    const add = (ips: string[]) =>
      call(node, "host-local", "ADD", { ipam, runtimeConfig: { ips } });
    const files = () => node.disk.list("/var/lib/cni/networks/net").filter((f) => /^10/.test(f));
    add([]);
    expect(files()).toEqual(["10.8.0.2", "10.9.0.2"]);
    expect(add(["10.9.0.9"]).msg).toContain("failed to allocate for range 1: 10.8.0.2 has been");
    expect(files()).toEqual([]);
  });

  it("of an older version's files are freed only if there are no newer ones", () => {
    const node = newNode();
    const conf = set({ subnet });
    node.disk.write("/var/lib/cni/networks/net/10.9.0.200", "c1");
    call(node, "host-local", "ADD", { ...conf, runtimeConfig: { ips: ["10.9.0.5"] } });
    const files = () => node.disk.list("/var/lib/cni/networks/net").filter((f) => /^10/.test(f));
    call(node, "host-local", "DEL", conf);
    expect(files()).toEqual(["10.9.0.200"]);
    call(node, "host-local", "DEL", conf);
    expect(files()).toEqual([]);
  });
});

describe("static", () => {
  const addresses = [{ address: "10.9.0.2/24" }];
  const asked = (conf: object, CNI_ARGS = "") => {
    const ipam = { type: "static", addresses };
    const { ips, msg } = call(newNode(), "static", "ADD", { ipam, ...conf }, { CNI_ARGS });
    return msg ?? ips?.map(({ address, gateway = "" }) => `${address} ${gateway}`.trim());
  };
  it("gives what stands there, and what its arguments add", () => {
    const args = "IP=10.9.0.3/24, 10.8.0.3/24;GATEWAY=10.9.0.1";
    expect(asked({}, args)).toEqual([
      ...["10.9.0.2/24 10.9.0.1", "10.9.0.3/24 10.9.0.1", "10.8.0.3/24"],
    ]);
    expect(asked({}, "IP=x")).toBe("invalid CIDR x: invalid CIDR address: x");
    expect(asked({}, "GATEWAY=x")).toBe("invalid gateway address: x");
  });
  it("gives what is asked for instead", () => {
    const args = { cni: { ips: ["10.9.0.8/24"] } };
    expect(asked({ args })).toEqual(["10.9.0.8/24"]);
    const runtimeConfig = { ips: ["10.9.0.9/24"] };
    expect(asked({ args, runtimeConfig })).toEqual(["10.9.0.9/24"]);
    expect(asked({ runtimeConfig: { ips: ["10.9.0.9"] } })).toBe(
      "an entry in the 'ips' field is NOT in CIDR notation, got: 10.9.0.9",
    );
    expect(asked({ ipam: { addresses: [{ address: "a" }] } })).toBe(
      "the 'address' field is expected to be in CIDR notation, got: 'a'",
    );
  });
});

/** The kernel's load balancer: whose turn it is, and what its tool prints. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Ipvs, type VirtualServer } from "../../../sim/src/network/ipvs.ts";
import type { Packet } from "../../../sim/src/network/packet.ts";

const IPS = ["10.244.1.5", "10.244.2.6", "10.244.3.7"];

function server(ips: readonly string[], more: Partial<VirtualServer> = {}): VirtualServer {
  return {
    ...{ protocol: "tcp", ip: "10.96.0.10", port: 80, scheduler: "rr", persistentSeconds: 0 },
    servers: ips.map((ip) => ({ ip, port: 8080, weight: 1 })),
    ...more,
  };
}

const packet = (src = "10.244.1.9", dst = "10.96.0.10", dstPort = 80): Packet => ({
  ...{ protocol: "tcp", src, srcPort: 40_000, dst, dstPort },
  ...{ ttl: 64, bytes: 60, way: "request", mark: 0 },
});

function go(ipvs: Ipvs, src?: string, nowMs = 0): string | undefined {
  const one = packet(src);
  return ipvs.schedule(ipvs.find(one)!, one, nowMs)?.ip;
}

describe("a virtual server", () => {
  it("sends each connection to the next real server, the one added last first", () => {
    const ipvs = new Ipvs();
    ipvs.set([server(IPS)]);
    const asked = Array.from({ length: 7 }, () => go(ipvs));
    const turn = IPS.toReversed();
    expect(asked).toEqual([...turn, ...turn, turn[0]]);
  });

  it("is known by address, port and protocol together", () => {
    const ipvs = new Ipvs();
    ipvs.set([server(IPS)]);
    expect(ipvs.find(packet())).toBeDefined();
    expect(ipvs.find(packet("10.244.1.9", "10.96.0.10", 81))).toBeUndefined();
    expect(ipvs.find({ ...packet(), protocol: "udp" })).toBeUndefined();
  });

  it("has nobody for a client where no real server has a weight", () => {
    const ipvs = new Ipvs();
    ipvs.set([server([])]);
    expect(go(ipvs)).toBeUndefined();
    const drained = IPS.map((ip) => ({ ip, port: 8080, weight: 0 }));
    ipvs.set([server([], { servers: drained })]);
    expect(go(ipvs)).toBeUndefined();
  });

  it("gives each its turn, however often others come and go (law)", () => {
    const subsets = fc.array(fc.subarray(IPS, { minLength: 1 }), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(subsets, (rounds) => {
        const ipvs = new Ipvs();
        for (const ips of rounds) {
          ipvs.set([server(ips)]);
          const asked = ips.map(() => go(ipvs));
          expect(asked.toSorted()).toEqual(ips.toSorted());
        }
      }),
    );
  });

  it("brings a client back to its server until the time is over", () => {
    const ipvs = new Ipvs();
    ipvs.set([server(IPS, { persistentSeconds: 10 })]);
    const first = go(ipvs, "10.244.1.9", 0);
    for (const nowMs of [5_000, 14_000, 23_900]) {
      expect(go(ipvs, "10.244.1.9", nowMs)).toBe(first);
    }
    expect(go(ipvs, "10.244.1.10", 23_900)).not.toBe(first);
    // Ten seconds after it came last, it gets whoever's turn it is.
    expect(go(ipvs, "10.244.1.9", 33_901)).not.toBe(first);
  });

  it("takes another server for a client whose own is gone", () => {
    const ipvs = new Ipvs();
    ipvs.set([server(IPS, { persistentSeconds: 10 })]);
    const first = go(ipvs);
    ipvs.set([
      server(
        IPS.filter((ip) => ip !== first),
        { persistentSeconds: 10 },
      ),
    ]);
    const second = go(ipvs, undefined, 1000);
    expect(second).toBeDefined();
    expect(second).not.toBe(first);
  });
});

describe("ipvsadm -Ln", () => {
  it("lists the servers, sorted, with their connections", () => {
    const ipvs = new Ipvs();
    const dns = { protocol: "udp", port: 53, persistentSeconds: 10_800 } as const;
    ipvs.set([
      server(IPS.slice(0, 1), dns),
      server(IPS),
      server([], { ip: "10.96.0.1", port: 443 }),
    ]);
    for (let i = 0; i < 4; i++) go(ipvs);
    const query = { ...packet(), protocol: "udp", dstPort: 53 } as const;
    ipvs.schedule(ipvs.find(query)!, query, 0);
    expect(ipvs.lines(1000)).toEqual([
      "IP Virtual Server version 1.2.1 (size=4096)",
      "Prot LocalAddress:Port Scheduler Flags",
      "  -> RemoteAddress:Port           Forward Weight ActiveConn InActConn",
      "TCP  10.96.0.1:443 rr",
      "TCP  10.96.0.10:80 rr",
      "  -> 10.244.1.5:8080              Masq    1      1          0         ",
      "  -> 10.244.2.6:8080              Masq    1      1          0         ",
      "  -> 10.244.3.7:8080              Masq    1      2          0         ",
      "UDP  10.96.0.10:53 rr persistent 10800",
      "  -> 10.244.1.5:8080              Masq    1      0          1         ",
    ]);
    expect(ipvs.lines(900_001)[7]).toMatch(/ 1 {6}0 {10}0 {9}$/);
  });
});

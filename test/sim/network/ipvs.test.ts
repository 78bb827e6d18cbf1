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

const weighted = (...weights: number[]) =>
  server([], {
    servers: weights.map((weight, i) => ({ ip: `10.244.1.${i}`, port: 80, weight })),
  });
/** Who gets so many connections; servers by their last digit. */
function turns(ipvs: Ipvs, times: number, src = (_: number) => "10.244.9.9", nowMs = 0) {
  const ips = Array.from({ length: times }, (_, i) => go(ipvs, src(i), nowMs) ?? "-");
  return ips.map((ip) => ip.at(-1)).join("");
}
function made(scheduler: VirtualServer["scheduler"], ...weights: number[]) {
  const ipvs = new Ipvs();
  ipvs.set([{ ...weighted(...weights), scheduler }]);
  return ipvs;
}

describe("the schedulers", () => {
  it("rr and lc do not care how much a server weighs", () => {
    expect(turns(made("rr", 1, 5, 1), 6)).toBe("210210");
    expect(turns(made("lc", 1, 5, 1), 6)).toBe("210210");
  });

  it("wrr gives turns by weight, the heaviest first", () => {
    expect(turns(made("wrr", 1, 3, 2), 12)).toBe("121210121210");
    // Only their ratio counts.
    expect(turns(made("wrr", 4, 2), 6)).toBe("010010");
  });

  it("wlc and sed look at connections for their weight, sed at the one to come", () => {
    expect(turns(made("wlc", 1, 3), 8)).toBe("10111011");
    expect(turns(made("sed", 1, 3), 8)).toBe("11101110");
  });

  it("nq sends nobody to a queue while a server is idle", () => {
    expect(turns(made("nq", 1, 3, 1), 4)).toBe("2101");
  });

  it("lc comes back to whoever has the fewest, once connections are over", () => {
    const ipvs = made("lc", 1, 1);
    expect(turns(ipvs, 3)).toBe("101");
    // The time-out of those three is over.
    expect(turns(ipvs, 2, undefined, 900_001)).toBe("10");
  });

  it("sh sends a client to one server, and clients to all", () => {
    const ipvs = made("sh", 1, 1, 1);
    const clients = Array.from({ length: 30 }, (_, i) => `10.244.3.${i}`);
    const first = clients.map((src) => turns(ipvs, 1, () => src));
    expect(clients.map((src) => turns(ipvs, 1, () => src))).toEqual(first);
    expect(new Set(first)).toEqual(new Set(["0", "1", "2"]));
  });

  it("sh deals out more buckets to a heavier server", () => {
    const ipvs = made("sh", 1, 7);
    const shares = turns(ipvs, 800, (i) => `10.${i % 7}.${i % 200}.${(i * 31) % 250}`);
    const ones = shares.replaceAll("0", "").length;
    expect(ones).toBeGreaterThan(600);
    expect(ones).toBeLessThan(800);
  });

  it("dh sends a whole virtual server to one of them, lblc too until it is too much", () => {
    expect(turns(made("dh", 1, 1, 1), 6)).toMatch(/^(.)\1*$/);
    // More than its weight, and another idle: on to the next.
    expect(turns(made("lblc", 2, 2), 7)).toBe("1110000");
    expect(turns(made("lblc", 1, 1), 5)).toBe("11000");
  });

  it("lblcr gathers servers for an address, and lets go a day later", () => {
    const ipvs = made("lblcr", 1, 1, 1);
    expect(turns(ipvs, 6)).toBe("221100");
    expect(turns(ipvs, 3)).toBe("012");
    expect(turns(ipvs, 5, undefined, 86_400_001)).toBe("01212");
  });

  it("send nobody to a server of weight 0; a hash that meets one has nobody else", () => {
    for (const name of ["rr", "wrr", "lc", "wlc", "lblc", "lblcr", "sed", "nq"] as const) {
      expect(turns(made(name, 1, 0), 3), name).toBe("000");
      expect(turns(made(name, 0, 0), 1), name).toBe("-");
      expect(turns(made(name), 1), name).toBe("-");
    }
    const found = turns(made("sh", 1, 0), 60, (i) => `10.244.3.${i}`);
    expect(new Set(found)).toEqual(new Set(["0", "-"]));
    expect(turns(made("dh"), 1)).toBe("-");
  });

  it("follow weights that change, and begin anew with another scheduler", () => {
    const ipvs = made("wrr", 1, 1);
    expect(turns(ipvs, 3)).toBe("101");
    ipvs.set([{ ...weighted(3, 1), scheduler: "wrr" }]);
    expect(turns(ipvs, 4)).toBe("1000");
    ipvs.set([{ ...weighted(3, 1), scheduler: "rr" }]);
    expect(turns(ipvs, 2)).toBe("10");
  });

  it("share out evenly what weighs the same, whatever comes and goes (law)", () => {
    const names = ["rr", "wrr", "lc", "wlc", "sed", "nq"] as const;
    fc.assert(
      fc.property(fc.constantFrom(...names), fc.integer({ min: 1, max: 6 }), (name, count) => {
        const ipvs = made(name, ...Array.from({ length: count }, () => 1));
        const each = turns(ipvs, count * 3).split("");
        for (let i = 0; i < count; i++) {
          expect(each.filter((one) => one === String(i))).toHaveLength(3);
        }
      }),
    );
  });
});

describe("a real server that is taken out", () => {
  it("is known again with its connections, as the newest", () => {
    const ipvs = made("rr", 1, 1);
    expect(turns(ipvs, 4)).toBe("1010");
    const virtual = weighted(1, 1);
    ipvs.remove(virtual, virtual.servers[1]!);
    expect(ipvs.realServers(virtual, 0)).toMatchObject([{ ip: "10.244.1.0", count: 2 }]);
    ipvs.set([virtual]);
    const counts = ipvs.realServers(virtual, 0).map(({ ip, count }) => [ip, count]);
    expect(counts).toEqual([
      ["10.244.1.1", 2],
      ["10.244.1.0", 2],
    ]);
  });

  it("of weight 0 gets no client back, however persistent", () => {
    const ipvs = new Ipvs();
    ipvs.set([server(IPS, { persistentSeconds: 100 })]);
    const first = go(ipvs);
    const servers = IPS.map((ip) => ({ ip, port: 8080, weight: ip === first ? 0 : 1 }));
    ipvs.set([server([], { persistentSeconds: 100, servers })]);
    expect(go(ipvs, undefined, 1000)).not.toBe(first);
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

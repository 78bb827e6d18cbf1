/** Cilium's choice of a backend: by chance, or where the client was last. */
import { describe, expect, it } from "vitest";
import { Random } from "../../../sim/src/kernel/index.ts";
import { CiliumBalancer, letsIn } from "../../../sim/src/network/cilium-lb.ts";

const backends = [2, 3, 4].map((i) => ({ ip: `10.244.1.${i}`, port: 80 }));
const SERVICE = { backends, affinitySeconds: 10, sourceRanges: [] };

function made(seed = 1) {
  const random = new Random(seed);
  const clock = { ms: 0 };
  const balancer = new CiliumBalancer({
    random: (bound) => random.int(bound),
    now: () => clock.ms,
  });
  const ask = (client: string, service = SERVICE, frontend = "10.96.7.7:80/tcp") =>
    balancer.choose(frontend, service, client)?.ip;
  return { clock, ask };
}

/** Where so many connections of a client go. */
const all = (ask: () => string | undefined) => new Set(Array.from({ length: 40 }, ask));

describe("a Service of Cilium", () => {
  it("spreads a client's connections unless it asks for affinity", () => {
    const { ask } = made();
    expect(all(() => ask("10.244.1.9", { ...SERVICE, affinitySeconds: 0 })).size).toBe(3);
    expect(all(() => ask("10.244.1.9")).size).toBe(1);
  });

  it("keeps each client apart, and each frontend", () => {
    const { ask } = made();
    const clients = Array.from({ length: 20 }, (_, i) => `10.244.1.${i + 10}`);
    expect(new Set(clients.map((client) => ask(client))).size).toBe(3);
    const ports = Array.from({ length: 20 }, (_, i) => `0.0.0.0:${30_000 + i}/tcp`);
    expect(new Set(ports.map((port) => ask("a", SERVICE, port))).size).toBe(3);
  });

  it("forgets a client its time after it came last", () => {
    const kept = (afterMs: number) => {
      const found = Array.from({ length: 20 }, (_, seed) => {
        const { ask, clock } = made(seed);
        const first = ask("a");
        for (const ms of [9_999, 19_998, 19_998 + afterMs]) {
          clock.ms = ms;
          if (ms < 20_000) expect(ask("a")).toBe(first);
        }
        return ask("a") === first;
      });
      return found.every((same) => same);
    };
    expect(kept(9_999)).toBe(true);
    expect(kept(10_000)).toBe(false);
  });

  it("takes another backend once the client's own is gone, and stays there", () => {
    const { ask } = made();
    const first = ask("a");
    const left = { ...SERVICE, backends: backends.filter(({ ip }) => ip !== first) };
    const second = ask("a", left);
    expect(second).not.toBe(first);
    // The first is back, but the client has moved.
    expect(all(() => ask("a"))).toEqual(new Set([second]));
  });

  it("has nobody for anyone without backends", () => {
    const { ask } = made();
    const first = ask("a");
    expect(ask("a", { ...SERVICE, backends: [] })).toBeUndefined();
    expect(first).toBeDefined();
    expect(ask("a")).toBeDefined();
  });

  it("lets in its source ranges, or everybody", () => {
    expect(letsIn(SERVICE, "203.0.113.10")).toBe(true);
    const ranges = { ...SERVICE, sourceRanges: ["192.0.2.0/24", "203.0.113.8/30"] };
    expect([letsIn(ranges, "203.0.113.10"), letsIn(ranges, "203.0.113.12")]).toEqual([true, false]);
  });
});

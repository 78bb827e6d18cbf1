/** Real servers of ipvs that end: as long as a TCP connection is open. */
import { describe, expect, it } from "vitest";
import { GracefulTermination } from "../../../sim/src/kube-proxy/graceful-termination.ts";
import { Ipvs, type VirtualServer } from "../../../sim/src/network/ipvs.ts";

const virtual = (ips: readonly string[], more: Partial<VirtualServer> = {}): VirtualServer => ({
  ...{ protocol: "tcp", ip: "10.96.7.7", port: 80, scheduler: "rr", persistentSeconds: 0 },
  servers: ips.map((ip) => ({ ip, port: 8080, weight: 1 })),
  ...more,
});
const A = "10.244.0.2";
const B = "10.244.1.2";

function made(protocol = "tcp") {
  const [ipvs, graceful] = [new Ipvs(), new GracefulTermination()];
  const sync = (ips: readonly string[], nowMs = 0) =>
    ipvs.set(graceful.merge(ipvs, [virtual(ips, { protocol })], nowMs));
  const connect = (nowMs = 0) => {
    const head = { protocol: "tcp", src: "10.244.0.9", srcPort: 1, dst: "10.96.7.7", dstPort: 80 };
    const packet = { ...head, protocol, ttl: 64, bytes: 60, way: "request", mark: 0 } as never;
    return ipvs.schedule(ipvs.find(packet)!, packet, nowMs)?.ip;
  };
  const weights = (nowMs = 0) =>
    ipvs.realServers(virtual([], { protocol }), nowMs).map(({ ip, weight }) => `${ip} ${weight}`);
  return { ipvs, graceful, sync, connect, weights };
}

describe("graceful termination", () => {
  it("keeps what has connections, with weight 0, until the last is over", () => {
    const { ipvs, graceful, sync, connect, weights } = made();
    sync([A, B]);
    expect(connect()).toBe(B);
    sync([A]);
    expect(weights().toSorted()).toEqual([`${A} 1`, `${B} 0`]);
    expect([connect(), connect()]).toEqual([A, A]);
    sync([A], 1000);
    expect(graceful.tryDelete(ipvs, 899_999)).toEqual([]);
    expect(graceful.tryDelete(ipvs, 900_000)).toEqual([`10.96.7.7:80/TCP/${B}:8080`]);
    expect(weights()).toEqual([`${A} 1`]);
    expect(graceful.tryDelete(ipvs, 900_000)).toEqual([]);
  });

  it("takes out at once what has none", () => {
    const { sync, connect, weights } = made();
    sync([A, B]);
    expect(connect()).toBe(B);
    sync([B]);
    expect(weights()).toEqual([`${B} 1`]);
  });

  it("does not wait for UDP", () => {
    const { sync, connect, weights } = made("udp");
    sync([A, B]);
    expect(connect()).toBe(B);
    sync([A]);
    expect(weights()).toEqual([`${A} 1`]);
  });

  it("gives an endpoint that is back its weight, as the newest", () => {
    const { sync, connect, weights, graceful, ipvs } = made();
    sync([A, B]);
    expect([connect(), connect()]).toEqual([B, A]);
    sync([B]);
    expect(weights()).toEqual([`${B} 1`, `${A} 0`]);
    sync([A, B]);
    expect(weights()).toEqual([`${A} 1`, `${B} 1`]);
    expect(graceful.tryDelete(ipvs, 2_000_000)).toEqual([]);
  });

  it("ends with its virtual server", () => {
    const { sync, connect, graceful, ipvs } = made();
    sync([A, B]);
    connect();
    sync([A]);
    ipvs.set(graceful.merge(ipvs, [], 0));
    sync([A]);
    expect(graceful.tryDelete(ipvs, 2_000_000)).toEqual([]);
  });

  it("is found again by a proxy that starts anew", () => {
    const { ipvs, sync, connect, weights } = made();
    sync([A, B]);
    connect();
    sync([A]);
    const next = new GracefulTermination();
    ipvs.set(next.merge(ipvs, [virtual([A])], 1000));
    expect(weights().toSorted()).toEqual([`${A} 1`, `${B} 0`]);
    expect(next.tryDelete(ipvs, 900_000)).toHaveLength(1);
  });
});

import { describe, expect, it } from "vitest";
import type { KubeObject } from "../../../sim/src/api/types.ts";
import { versioned } from "../../../sim/src/apiserver/registry/cache-event.ts";
import { WatchCache } from "../../../sim/src/apiserver/registry/watch-cache.ts";
import { Etcd } from "../../../sim/src/etcd/index.ts";
import { Kernel } from "../../../sim/src/kernel/index.ts";
import { configMap, newServer } from "./server.ts";

const prefix = "/registry/things/";

function thing(name: string): KubeObject {
  return versioned({ apiVersion: "v1", kind: "Thing", metadata: { name, namespace: "a" } }, 1);
}

describe("the watch cache", () => {
  it("spares etcd: reads are counted here and not there", () => {
    const bench = newServer();
    const maps = { resource: "configmaps" } as const;
    bench.ask({ verb: "create", ...maps, body: configMap("a") });
    const { count } = bench.etcd as Etcd;
    const before = count.range;
    for (let i = 0; i < 10; i++) {
      bench.ask({ verb: "get", ...maps, name: "a" });
      bench.ask({ verb: "list", ...maps });
    }
    expect(count.range).toBe(before);
    expect(bench.server.storageOf("configmaps").cache.served).toBe(20);
  });

  it("begins with what is there, whatever wrote it", () => {
    const etcd = new Etcd({ kernel: new Kernel() });
    for (const name of ["x", "y"]) etcd.put({ key: `${prefix}a/${name}`, value: thing(name) });
    const cache = new WatchCache({ etcd, prefix });
    cache.start();
    expect(cache.list("a").map(({ metadata }) => metadata.name)).toEqual(["x", "y"]);
    expect(cache.since(1)).toBeUndefined();
    expect(cache.since(etcd.revision)).toEqual([]);
    cache.start();
    expect(cache.size).toBe(2);
  });

  it("lets a watch begin right before the oldest event that it kept", () => {
    const etcd = new Etcd({ kernel: new Kernel() });
    const cache = new WatchCache({ etcd, prefix, historyMax: 1 });
    cache.start();
    etcd.put({ key: `${prefix}a/x`, value: thing("x") });
    for (const name of ["p", "q"]) etcd.put({ key: `/registry/others/${name}`, value: 1 });
    etcd.put({ key: `${prefix}a/y`, value: thing("y") });
    const kept = etcd.revision;
    expect(cache.oldest).toBe(kept - 1);
    expect(cache.since(kept - 2)).toBeUndefined();
    expect(cache.since(kept - 1)?.map(({ key }) => key)).toEqual(["a/y"]);
  });

  it("is compacted every five minutes, and a list goes on from its own page", async () => {
    const { ask, kernel } = newServer();
    const maps = { resource: "configmaps" } as const;
    const create = (name: string) => ask({ verb: "create", ...maps, body: configMap(name) });
    for (const name of ["a", "b", "c"]) create(name);
    const first = ask({ verb: "list", ...maps, options: { limit: 2 } }).body;
    const token = (first.metadata as { continue?: string }).continue;
    for (const minutes of [6, 12, 18]) {
      create(`later-${minutes}`);
      await kernel.run({ untilMs: minutes * 60_000 });
    }
    const options = { limit: 2, continue: token };
    const refused = ask({ verb: "list", ...maps, options });
    expect(refused.code).toBe(410);
    const next = (refused.body.metadata as { continue?: string }).continue;
    const rest = ask({ verb: "list", ...maps, options: { continue: next } });
    expect(rest.code).toBe(200);
  });
});

describe("without etcd", () => {
  it("serves what may be old, and refuses what must be certain", () => {
    const { ask, kernel } = newServer();
    const maps = { resource: "configmaps" } as const;
    ask({ verb: "create", ...maps, body: configMap("a") });
    kernel.faults.stop("etcd");
    const codes = (options: { resourceVersion?: string }) => [
      ask({ verb: "get", ...maps, name: "a", options }).code,
      ask({ verb: "list", ...maps, options }).code,
    ];
    expect(codes({ resourceVersion: "0" })).toEqual([200, 200]);
    expect(codes({})).toEqual([500, 500]);
    expect(ask({ verb: "create", ...maps, body: configMap("b") }).code).toBe(500);
    kernel.faults.start("etcd");
    expect(ask({ verb: "create", ...maps, body: configMap("b") }).code).toBe(201);
  });
});

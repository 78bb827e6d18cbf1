import { describe, expect, it } from "vitest";
import type { ApiResponse } from "../../../sim/src/api/transport.ts";
import type { KubeObject } from "../../../sim/src/api/types.ts";
import { localTransport } from "../../../sim/src/apiserver/transport.ts";
import { RaftCluster } from "../../../sim/src/etcd/index.ts";
import { Kernel } from "../../../sim/src/kernel/index.ts";
import { ADMIN, configMap, newServer } from "./server.ts";

const maps = { group: "", version: "v1", resource: "configmaps", namespace: "default" } as const;

async function cluster() {
  const kernel = new Kernel();
  const raft = new RaftCluster({ kernel, members: 3 });
  await kernel.run({ untilMs: 5000 });
  const servers = raft.members.map(({ id }, i) =>
    newServer({ kernel, etcd: raft.endpoint(id), actor: `kube-apiserver/cp-${i + 1}` }),
  );
  await kernel.run({ untilMs: kernel.now() + 20_000 });
  return { kernel, raft, servers };
}

describe("several API servers on a cluster of etcd members", () => {
  it("show each other's writes to whoever reads without a version", async () => {
    const { servers } = await cluster();
    const [one, two] = servers;
    const made = await one!.later({ verb: "create", ...maps, body: configMap("a") });
    expect(made.code).toBe(201);
    const read = await two!.later({ verb: "get", ...maps, name: "a" });
    expect(read.code).toBe(200);
    const { resourceVersion } = (made.body as KubeObject).metadata;
    expect((read.body as KubeObject).metadata.resourceVersion).toBe(resourceVersion);
    const again = await two!.later({ verb: "create", ...maps, body: configMap("a") });
    expect(again.code).toBe(409);
  });

  it("refuse the second of two updates of one version, wherever it was sent", async () => {
    const { kernel, servers } = await cluster();
    const made = await servers[0]!.later({ verb: "create", ...maps, body: configMap("a") });
    const codes: number[] = [];
    for (const [i, { server }] of servers.entries()) {
      const body = { ...(made.body as KubeObject), data: { k: `${i}` } };
      const request = { verb: "update", ...maps, name: "a", body, credentials: ADMIN } as const;
      kernel.after(0, () => {
        void Promise.resolve(server.execute(request)).then(({ code }) => codes.push(code));
      });
    }
    await kernel.run({ untilMs: kernel.now() + 5000 });
    expect(codes.sort()).toEqual([200, 409, 409]);
  });

  it("do not say that nothing changes by a late cache", async () => {
    const { kernel, raft, servers } = await cluster();
    const [one, two] = servers;
    const said = (k: string) => ({ ...maps, name: "a", body: { data: { k } } });
    const patchType = "application/merge-patch+json" as const;
    await one!.later({ verb: "create", ...maps, body: { ...configMap("a"), data: { k: "1" } } });
    await kernel.run({ untilMs: kernel.now() + 1000 });
    kernel.faults.stop(raft.members[0]!.id);
    await kernel.run({ untilMs: kernel.now() + 5000 });
    const changed = await two!.later({ verb: "patch", patchType, ...said("2") });
    expect(changed.code).toBe(200);
    // The first server's cache still has 1, and nobody who could be asked.
    const refused = await one!.later({ verb: "patch", patchType, ...said("1") });
    expect(refused.code).toBe(500);
    kernel.faults.start(raft.members[0]!.id);
    await kernel.run({ untilMs: kernel.now() + 5000 });
    const back = await one!.later({ verb: "patch", patchType, ...said("1") });
    expect((back.body as KubeObject & { data: object }).data).toEqual({ k: "1" });
    const read = await two!.later({ verb: "get", ...maps, name: "a" });
    expect((read.body as KubeObject & { data: object }).data).toEqual({ k: "1" });
  });

  it("go on when a member and its server are gone, and say no without a majority", async () => {
    const { kernel, raft, servers } = await cluster();
    const [, two, three] = servers;
    kernel.faults.stop(raft.members[0]!.id);
    kernel.faults.stop("kube-apiserver/cp-1");
    await kernel.run({ untilMs: kernel.now() + 5000 });
    const ok = await two!.later({ verb: "create", ...maps, body: configMap("a") });
    expect(ok.code).toBe(201);
    kernel.faults.stop(raft.members[1]!.id);
    await kernel.run({ untilMs: kernel.now() + 5000 });
    const refused = await three!.later({ verb: "create", ...maps, body: configMap("b") });
    expect([refused.code, (refused.body as { message?: string }).message]).toEqual([
      500,
      "etcdserver: request timed out",
    ]);
    const options = { resourceVersion: "0" };
    const old = await three!.later({ verb: "get", ...maps, name: "a", options });
    expect(old.code).toBe(200);
  });

  it("carry requests and watches of the in-page transport, each under its cause", async () => {
    const { kernel, server } = newServer();
    const transport = localTransport({ kernel, server, actor: "you" });
    const seen: string[] = [];
    let answer: ApiResponse | undefined;
    kernel.spawn("you", async () => {
      const request = { ...maps, credentials: ADMIN } as const;
      await transport.watch(
        { verb: "watch", ...request },
        { onEvent: ({ type, object }) => seen.push(`${type} ${object.metadata.name}`), onEnd() {} },
      );
      answer = await transport.request({ verb: "create", ...request, body: configMap("a") });
    });
    await kernel.run({ untilMs: kernel.now() + 1000 });
    expect(answer?.code).toBe(201);
    expect(seen).toEqual(["ADDED a"]);
    const entries = [...kernel.trace];
    const watch = entries.find(({ verb }) => verb === "watch")!;
    const chain = kernel.trace.why(watch.id).map(({ verb }) => verb);
    expect(chain).toEqual(["watch", "write", "request"]);
  });
});

import { describe, expect, it } from "vitest";
import { handle } from "../../../sim/src/apiserver/http/handle.ts";
import { RaftCluster } from "../../../sim/src/etcd/index.ts";
import { Kernel } from "../../../sim/src/kernel/index.ts";
import { ADMIN, newServer } from "./server.ts";

const get = async (server: Parameters<typeof handle>[0], path: string) => {
  const answer = await handle(server, new Request(`http://x${path}`), ADMIN);
  return { code: answer.status, text: await answer.text() };
};

describe("/livez, /readyz and /healthz", () => {
  it("say ok, and every check when asked", async () => {
    const { server } = newServer();
    expect(await get(server, "/readyz")).toEqual({ code: 200, text: "ok" });
    const ready = (await get(server, "/readyz?verbose")).text.split("\n");
    expect(ready.slice(0, 6)).toEqual([
      "[+]ping ok",
      "[+]log ok",
      "[+]etcd ok",
      "[+]etcd-readiness ok",
      "[+]informer-sync ok",
      "[+]poststarthook/start-apiserver-admission-initializer ok",
    ]);
    expect(ready.slice(-3)).toEqual(["[+]shutdown ok", "readyz check passed", ""]);
    const live = (await get(server, "/livez?verbose")).text;
    expect(live).not.toMatch(/etcd-readiness|\]informer-sync|shutdown/);
    expect(live).toMatch(/livez check passed\n$/);
  });

  it("name what is wrong, but not why, unless one check is asked alone", async () => {
    const { server, kernel } = newServer();
    kernel.faults.stop("etcd");
    const { code, text } = await get(server, "/readyz");
    expect(code).toBe(500);
    expect(text).toContain("[+]log ok\n[-]etcd failed: reason withheld\n[-]etcd-readiness failed");
    expect(text).toMatch(/readyz check failed\n$/);
    expect(await get(server, "/livez/etcd")).toEqual({
      code: 500,
      text: "internal server error: error getting data from etcd: etcdserver: server stopped\n",
    });
    expect(await get(server, "/livez/ping")).toEqual({ code: 200, text: "ok" });
    expect((await get(server, "/livez/etcd-readiness")).code).toBe(404);
  });

  it("leave out what is to be left out", async () => {
    const { server, kernel } = newServer();
    kernel.faults.stop("etcd");
    expect((await get(server, "/livez?exclude=etcd")).code).toBe(200);
    const query = "verbose&exclude=etcd&exclude=etcd-readiness&exclude=x";
    const { code, text } = await get(server, `/readyz?${query}`);
    expect(code).toBe(200);
    expect(text).toContain("[+]etcd excluded: ok\n");
    expect(text).toContain('warn: some health checks cannot be excluded: no matches for "x"\n');
  });

  it("wait two seconds for a majority of etcd, no longer", async () => {
    const kernel = new Kernel();
    const raft = new RaftCluster({ kernel, members: 3 });
    await kernel.run({ untilMs: 5000 });
    const { server } = newServer({ kernel, etcd: raft.endpoint("etcd/m1") });
    await kernel.run({ untilMs: 20_000 });
    for (const id of ["etcd/m2", "etcd/m3"]) kernel.faults.stop(id);
    await kernel.run({ untilMs: 30_000 });
    let told: Awaited<ReturnType<typeof get>> | undefined;
    let atMs = 0;
    kernel.after(0, () => {
      void get(server, "/readyz/etcd-readiness").then((answer) => {
        told = answer;
        atMs = kernel.now();
      });
    });
    await kernel.run({ untilMs: 33_000 });
    await new Promise<void>((resolve) => setImmediate(resolve));
    expect(told).toEqual({
      code: 500,
      text: "internal server error: error getting data from etcd: context deadline exceeded\n",
    });
    expect(atMs).toBeLessThanOrEqual(33_000);
  });
});

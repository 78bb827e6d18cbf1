/** The load balancer before several API servers: whom it trusts, and when. */
import { describe, expect, it } from "vitest";
import { ConfigMap } from "../../../sim/src/api/kinds/configmap.ts";
import { deployment, type World, world } from "../misconceptions/world.ts";

const SERVER = "kube-apiserver/cp-1";

/** Three API servers, each with an etcd member of its own; `cp-1` has `m1`. */
async function started(): Promise<World> {
  const w = world({ nodes: 2, controlPlanes: 3, etcd: "external" });
  await w.until(20);
  return w;
}

/** Creates that many objects, one after another by one client; the errors that came. */
const create = (w: World, count: number, name: string): Promise<string[]> =>
  w.act(async (client) => {
    const errors: string[] = [];
    for (let i = 0; i < count; i++) {
      const metadata = { name: `${name}-${i}`, namespace: "default" };
      const map: ConfigMap = { apiVersion: "v1", kind: "ConfigMap", metadata };
      try {
        await client.create(ConfigMap, map);
      } catch (error) {
        errors.push((error as Error).message);
      }
    }
    return errors;
  });

const verdicts = (w: World) =>
  w
    .rows("probe")
    .filter(({ actor }) => actor === "load-balancer")
    .map(({ subject, target }) => `${target} ${subject}`);

describe("the load balancer", () => {
  it("takes out an API server without etcd after three failed checks, and in again after two", async () => {
    const w = await started();
    w.cluster.stop("etcd/m1");
    expect(await create(w, 6, "early")).toContain("etcdserver: server stopped");
    await w.more(8);
    expect(verdicts(w)).toEqual([`${SERVER} is not ready: taken out`]);
    expect(await create(w, 12, "late")).toEqual([]);
    w.cluster.startAgain("etcd/m1");
    await w.more(6);
    expect(verdicts(w)).toEqual([`${SERVER} is not ready: taken out`, `${SERVER} is ready again`]);
    const at = w.kernel.now();
    await create(w, 6, "again");
    const asked = w.rows("request", at).map(({ target }) => target);
    expect(asked).toContain(SERVER);
  });

  it("ends the watches of who is taken out, so that their clients hear of what is new", async () => {
    const w = await started();
    w.cluster.stop("etcd/m1");
    await w.more(10);
    await w.apply(deployment());
    await w.more(10);
    expect((await w.kubectl("get pods")).match(/Running/g)).toHaveLength(2);
    expect(w.cluster.controlPlane.servers[0]?.openWatches.size).toBe(0);
  });

  it("notices an API server that it cannot reach", async () => {
    const w = await started();
    w.kernel.faults.partition("load-balancer", SERVER);
    await w.more(8);
    expect(verdicts(w)).toEqual([`${SERVER} is not ready: taken out`]);
  });

  it("uses all if none is ready: what is wrong is told", async () => {
    const w = await started();
    for (const member of ["etcd/m1", "etcd/m2"]) w.cluster.stop(member);
    await w.more(10);
    expect(verdicts(w)).toHaveLength(3);
    const errors = await create(w, 3, "none");
    expect(errors).toHaveLength(3);
    expect(errors).toContain("etcdserver: request timed out");
  });

  it("has nobody to pass a connection to when all API servers are gone", async () => {
    const w = await started();
    for (const { actor } of w.cluster.controlPlane.servers) w.cluster.stop(actor);
    expect(await w.kubectl("get nodes")).toBe("Unable to connect to the server: EOF");
  });

  it("starts anew with trust in everyone", async () => {
    const w = await started();
    w.cluster.stop("etcd/m1");
    await w.more(10);
    w.cluster.stop("load-balancer");
    w.cluster.startAgain("load-balancer");
    expect(await create(w, 3, "trust")).toContain("etcdserver: server stopped");
    await w.more(8);
    expect(await create(w, 6, "sober")).toEqual([]);
  });
});

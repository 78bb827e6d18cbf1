import { describe, expect, it } from "vitest";
import { handle } from "../../../sim/src/apiserver/http/handle.ts";
import type { Cluster } from "../../../sim/src/cluster.ts";
import { createSession, type Scenario } from "../../../sim/src/index.ts";
import { ADMIN, newServer } from "./server.ts";

const PATH = "/api/v1/componentstatuses";

async function clusterOf(scenario: Partial<Scenario> = {}, untilMs = 2_000): Promise<Cluster> {
  const whole = { nodes: 0, quietMs: 0, untilMs: Number.POSITIVE_INFINITY, ...scenario };
  const { kernel, cluster } = createSession({ seed: 5, trace: "off", scenario: whole });
  await kernel.run({ untilMs });
  return cluster;
}

const ask = (cluster: Cluster, path: string) =>
  handle(cluster.server, new Request(`http://x${path}`), ADMIN);

/** The answer of a server whose etcd answers in a later step. */
async function askLater(cluster: Cluster, path: string, ms: number) {
  const { kernel } = cluster;
  let answer: Response | undefined;
  kernel.after(0, () => {
    void ask(cluster, path).then((got) => {
      answer = got;
    });
  });
  await kernel.run({ untilMs: kernel.now() + ms });
  return answer;
}

interface List {
  items: { metadata: { name: string }; conditions: Record<string, string>[] }[];
}

async function conditions(answer: Response) {
  const { items } = (await answer.json()) as List;
  return Object.fromEntries(items.map((one) => [one.metadata.name, one.conditions]));
}

const ok = [{ type: "Healthy", status: "True", message: "ok" }];
const refused = (port: number) => [
  {
    type: "Healthy",
    status: "False",
    message: `Get "https://127.0.0.1:${port}/healthz": dial tcp 127.0.0.1:${port}: connect: connection refused`,
  },
];

describe("component statuses", () => {
  it("come from checks made now, with a warning that they are deprecated", async () => {
    const cluster = await clusterOf();
    const answer = await ask(cluster, PATH);
    expect(answer.status).toBe(200);
    expect(answer.headers.get("warning")).toBe(
      '299 - "v1 ComponentStatus is deprecated in v1.19+"',
    );
    expect(await answer.clone().json()).toMatchObject({
      kind: "ComponentStatusList",
      apiVersion: "v1",
      metadata: {},
    });
    const all = { "controller-manager": ok, scheduler: ok, "etcd-0": ok };
    expect(await conditions(answer)).toEqual(all);
    cluster.stop("kube-scheduler");
    const stopped = await conditions(await ask(cluster, PATH));
    expect(stopped).toEqual({ ...all, scheduler: refused(10259) });
    cluster.startAgain("kube-scheduler");
    expect(await conditions(await ask(cluster, PATH))).toEqual(all);
  });

  it("tell of a part that a cluster never had", async () => {
    const cluster = await clusterOf({ without: ["kube-controller-manager"] });
    const found = await conditions(await ask(cluster, PATH));
    expect(found["controller-manager"]).toEqual(refused(10257));
    expect(found.scheduler).toEqual(ok);
  });

  it("tell in `error` what is wrong with etcd", async () => {
    const cluster = await clusterOf();
    cluster.stop("etcd");
    const { "etcd-0": etcd } = await conditions(await ask(cluster, PATH));
    const error = "error getting data from etcd: etcdserver: server stopped";
    expect(etcd).toEqual([{ type: "Healthy", status: "False", error }]);
  });

  it("wait longer for etcd than health checks do, and ask only what runs beside the server", async () => {
    const cluster = await clusterOf({ controlPlanes: 3 }, 8_000);
    cluster.stop("kube-scheduler/cp-2");
    const before = await askLater(cluster, PATH, 1_000);
    expect(await conditions(before!)).toMatchObject({ scheduler: ok, "etcd-0": ok });
    cluster.stop("kube-scheduler/cp-1");
    cluster.stop("etcd/cp-2");
    cluster.stop("etcd/cp-3");
    // Longer than the two seconds of a health check: etcd itself gives up.
    expect(await askLater(cluster, `${PATH}/etcd-0`, 4_000)).toBeUndefined();
    const late = await askLater(cluster, PATH, 20_000);
    const error = "error getting data from etcd: etcdserver: request timed out";
    expect(await conditions(late!)).toEqual({
      "controller-manager": ok,
      scheduler: refused(10259),
      "etcd-0": [{ type: "Healthy", status: "False", error }],
    });
  });

  it("can be read as text through a load balancer", async () => {
    const cluster = await clusterOf({ controlPlanes: 3 }, 8_000);
    const { kernel } = cluster;
    const sentAtMs = kernel.now();
    let text = "";
    let tookMs = 0;
    kernel.spawn("reader", async () => {
      text = (await cluster.client("reader", ADMIN).raw(`${PATH}/scheduler`)).text;
      tookMs = kernel.now() - sentAtMs;
    });
    await kernel.run({ untilMs: sentAtMs + 1_000 });
    // A round trip, and another between the members of etcd.
    expect(tookMs).toBeLessThan(10);
    expect(JSON.parse(text)).toMatchObject({ metadata: { name: "scheduler" }, conditions: ok });
  });

  it("are read one by one too, and chosen by their name", async () => {
    const cluster = await clusterOf();
    const one = await ask(cluster, `${PATH}/scheduler`);
    expect(await one.json()).toEqual({
      kind: "ComponentStatus",
      apiVersion: "v1",
      metadata: { name: "scheduler" },
      conditions: ok,
    });
    const query = "?fieldSelector=metadata.name%3Detcd-0";
    expect(Object.keys(await conditions(await ask(cluster, PATH + query)))).toEqual(["etcd-0"]);
    expect(await conditions(await ask(cluster, `${PATH}?labelSelector=a`))).toEqual({});
    const none = await ask(cluster, `${PATH}/kubelet`);
    expect(none.status).toBe(500);
    const message = "Component not found: kubelet";
    expect(await none.json()).toMatchObject({ message, code: 500 });
  });

  it("are neither watched nor written", async () => {
    const { server } = newServer();
    const send = async (path: string, method = "GET") => {
      const body = method === "POST" ? "{}" : undefined;
      const headers = { "Content-Type": "application/json" };
      const request = new Request(`http://x${path}`, { method, headers, body });
      const { message, code } = await (await handle(server, request, ADMIN)).json();
      return [code, message];
    };
    expect(await send(`${PATH}?watch=true`)).toEqual([
      405,
      'watch is not supported on resources of kind "componentstatuses"',
    ]);
    const refusal = [405, "the server does not allow this method on the requested resource"];
    expect(await send(PATH, "POST")).toEqual(refusal);
    expect(await send(`${PATH}/scheduler`, "DELETE")).toEqual(refusal);
    const reviews = "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews";
    expect(await send(`${reviews}?watch=true`)).toEqual(refusal);
  });
});

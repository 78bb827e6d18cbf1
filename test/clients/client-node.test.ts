/** @kubernetes/client-node 2.0.1 against the simulated API server. */
import {
  AppsV1Api,
  CoreV1Api,
  KubeConfig,
  makeInformer,
  type V1ConfigMap,
  Watch,
} from "@kubernetes/client-node";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Served } from "./served.ts";

const namespace = "default";

describe("@kubernetes/client-node", () => {
  let served: Served;
  let config: KubeConfig;
  let core: CoreV1Api;

  beforeAll(async () => {
    served = await Served.start(4);
    config = new KubeConfig();
    config.loadFromFile(served.kubeconfig);
    core = config.makeApiClient(CoreV1Api);
  });

  afterAll(() => served.close());

  const create = (name: string, data: Record<string, string> = {}): Promise<V1ConfigMap> =>
    core.createNamespacedConfigMap({ namespace, body: { metadata: { name }, data } });

  it("lists Nodes", async () => {
    const { items } = await core.listNode();
    expect(items.map(({ metadata }) => metadata?.name)).toEqual(["node-1", "node-2", "node-3"]);
  });

  it("creates, patches by a JSON patch and deletes", async () => {
    await create("one", { a: "1" });
    const body = [{ op: "replace", path: "/data/a", value: "2" }];
    const patched = await core.patchNamespacedConfigMap({ namespace, name: "one", body });
    expect(patched.data).toEqual({ a: "2" });
    await core.deleteNamespacedConfigMap({ namespace, name: "one" });
    await expect(core.readNamespacedConfigMap({ namespace, name: "one" })).rejects.toMatchObject({
      code: 404,
    });
  });

  it("makes a Deployment whose Pods become ready", async () => {
    const apps = config.makeApiClient(AppsV1Api);
    const labels = { app: "node" };
    const spec = { containers: [{ name: "c", image: "nginx:1.27" }] };
    const template = { metadata: { labels }, spec };
    const body = {
      metadata: { name: "node" },
      spec: { replicas: 2, selector: { matchLabels: labels }, template },
    };
    await apps.createNamespacedDeployment({ namespace, body });
    const ready = async () => {
      const { status } = await apps.readNamespacedDeployment({ namespace, name: "node" });
      return status?.readyReplicas;
    };
    await expect.poll(ready, { timeout: 15_000 }).toBe(2);
  }, 20_000);

  it("watches from a list's version on", async () => {
    const { metadata } = await core.listNamespacedConfigMap({ namespace });
    const seen: string[] = [];
    const controller = await new Watch(config).watch(
      `/api/v1/namespaces/${namespace}/configmaps`,
      { resourceVersion: metadata?.resourceVersion },
      (type, object: V1ConfigMap) => seen.push(`${type} ${object.metadata?.name}`),
      () => {},
    );
    await create("two");
    await core.deleteNamespacedConfigMap({ namespace, name: "two" });
    await expect.poll(() => seen, { timeout: 10_000 }).toEqual(["ADDED two", "DELETED two"]);
    controller.abort();
  }, 15_000);

  it("keeps an informer's cache up to date", async () => {
    const list = () => core.listNamespacedConfigMap({ namespace });
    const path = `/api/v1/namespaces/${namespace}/configmaps`;
    const informer = makeInformer(config, path, list);
    await informer.start();
    await create("three", { x: "y" });
    const cached = () => informer.get("three", namespace)?.data;
    await expect.poll(cached, { timeout: 10_000 }).toEqual({ x: "y" });
    await informer.stop();
  }, 15_000);
});

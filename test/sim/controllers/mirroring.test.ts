/** Endpoints that somebody wrote by hand, as slices. */
import { describe, expect, it } from "vitest";
import { Endpoints } from "../../../sim/src/api/kinds/endpoints.ts";
import { EndpointSlice } from "../../../sim/src/api/kinds/endpointslice.ts";
import { Event } from "../../../sim/src/api/kinds/event.ts";
import { Service } from "../../../sim/src/api/kinds/service.ts";
import type { EndpointSubset } from "../../../sim/src/api/kinds/types/service.ts";
import { planMirror } from "../../../sim/src/controllers/endpointslice/mirror.ts";
import { startEndpointSliceMirroringController } from "../../../sim/src/controllers/endpointslice/mirroring.ts";
import { apply, ask, pod, run } from "../networks/world.ts";
import { testCluster } from "./cluster.ts";

const endpoints = (subsets: EndpointSubset[], more: object = {}): Endpoints => ({
  apiVersion: "v1",
  kind: "Endpoints",
  metadata: { name: "db", namespace: "default", ...more },
  subsets,
});
const service = (selector?: Record<string, string>): Service => ({
  apiVersion: "v1",
  kind: "Service",
  metadata: { name: "db", namespace: "default" },
  spec: { ...(selector && { selector }), ports: [{ port: 5432 }] },
});
const PORT = { port: 5432 };
const at = (...ips: string[]) => ips.map((ip) => ({ ip }));

async function started() {
  const cluster = testCluster();
  startEndpointSliceMirroringController(
    cluster.contexts("kube-controller-manager")("endpointslice-mirroring-controller"),
  );
  const { list, run, make, act, client } = cluster;
  const shown = async () => {
    await run(3_000);
    return (await list(EndpointSlice)).map(({ addressType, endpoints = [], ports = [] }) => {
      const ips = (endpoints ?? []).map((one) => {
        return `${one.conditions?.ready ? "" : "!"}${one.addresses[0]}`;
      });
      const numbers = (ports ?? []).map(({ name, port }) => `${name}:${port}`);
      return [addressType, ...ips, ...numbers].join(" ");
    });
  };
  const change = (to: Endpoints) =>
    act(async () => {
      const old = await client.get(Endpoints, "default", "db");
      await client.update(Endpoints, { ...to, metadata: { ...old.metadata, ...to.metadata } });
    });
  return { ...cluster, shown, change, make };
}

describe("the EndpointSliceMirroring controller", () => {
  it("makes a slice of the Endpoints of a Service without a selector", async () => {
    const c = await started();
    await c.make(Service, service());
    const annotations = {
      "example.com/by": "me",
      "endpoints.kubernetes.io/last-change-trigger-time": "x",
    };
    const subset = {
      addresses: at("192.0.2.1"),
      notReadyAddresses: at("192.0.2.2"),
      ports: [PORT],
    };
    const made = await c.make(Endpoints, endpoints([subset], { labels: { a: "b" }, annotations }));
    expect(await c.shown()).toEqual(["IPv4 192.0.2.1 !192.0.2.2 :5432"]);
    const [slice] = await c.list(EndpointSlice);
    expect(slice?.metadata).toMatchObject({
      generateName: "db-",
      labels: {
        a: "b",
        "kubernetes.io/service-name": "db",
        "endpointslice.kubernetes.io/managed-by": "endpointslicemirroring-controller.k8s.io",
      },
      annotations: { "example.com/by": "me" },
      ownerReferences: [
        { kind: "Endpoints", name: "db", uid: made.metadata.uid, controller: true },
      ],
    });
    expect(Object.keys(slice?.metadata.annotations ?? {})).toEqual(["example.com/by"]);
  });

  it("follows changes in the same slice, and writes nothing when nothing changed", async () => {
    const c = await started();
    await c.make(Service, service());
    await c.make(Endpoints, endpoints([{ addresses: at("192.0.2.1"), ports: [PORT] }]));
    await c.shown();
    const [before] = await c.list(EndpointSlice);
    await c.change(endpoints([{ addresses: at("192.0.2.1", "192.0.2.9"), ports: [PORT] }]));
    expect(await c.shown()).toEqual(["IPv4 192.0.2.1 192.0.2.9 :5432"]);
    // Other ports: the slice that is left over is taken for them.
    await c.change(endpoints([{ addresses: at("192.0.2.9"), ports: [{ port: 1, name: "x" }] }]));
    expect(await c.shown()).toEqual(["IPv4 192.0.2.9 x:1"]);
    const [after] = await c.list(EndpointSlice);
    expect(after?.metadata.name).toBe(before?.metadata.name);
    const trigger = { "endpoints.kubernetes.io/last-change-trigger-time": "later" };
    const subset = { addresses: at("192.0.2.9"), ports: [{ port: 1, name: "x" }] };
    await c.change(endpoints([subset], { annotations: trigger }));
    await c.shown();
    const [same] = await c.list(EndpointSlice);
    expect(same?.metadata.resourceVersion).toBe(after?.metadata.resourceVersion);
    await c.change(endpoints([]));
    expect(await c.shown()).toEqual([]);
  });

  it("leaves alone what has a selector, a leader, or says that it shall", async () => {
    const subsets = [{ addresses: at("192.0.2.1"), ports: [PORT] }];
    const shown = async (more: object, selector?: Record<string, string>) => {
      const c = await started();
      await c.make(Service, service(selector));
      await c.make(Endpoints, endpoints(subsets, more));
      return c.shown();
    };
    expect(await shown({}, { app: "db" })).toEqual([]);
    const labels = { "endpointslice.kubernetes.io/skip-mirror": "true" };
    expect(await shown({ labels })).toEqual([]);
    const annotations = { "control-plane.alpha.kubernetes.io/leader": "{}" };
    expect(await shown({ annotations })).toEqual([]);
  });

  it("takes the slice away when the Service gets a selector, or goes", async () => {
    const c = await started();
    const subsets = [{ addresses: at("192.0.2.1"), ports: [PORT] }];
    await c.make(Endpoints, endpoints(subsets));
    expect(await c.shown()).toEqual([]);
    await c.make(Service, service());
    expect(await c.shown()).toEqual(["IPv4 192.0.2.1 :5432"]);
    const edit = (selector: object | null) =>
      c.act(() =>
        c.client.patch(Service, "default", "db", "application/merge-patch+json", {
          spec: { selector },
        }),
      );
    await edit({ app: "db" });
    expect(await c.shown()).toEqual([]);
    await edit(null);
    expect(await c.shown()).toEqual(["IPv4 192.0.2.1 :5432"]);
    await c.act(() => c.client.delete(Service, "default", "db"));
    expect(await c.shown()).toEqual([]);
  });

  it("tells of addresses that it leaves out", async () => {
    const c = await started();
    await c.make(Service, service());
    const many = Array.from({ length: 1003 }, (_, i) => `10.0.${i >> 8}.${i & 255}`);
    await c.make(Endpoints, endpoints([{ addresses: at(...many), ports: [PORT] }]));
    await c.run(3_000);
    expect((await c.list(EndpointSlice))[0]?.endpoints).toHaveLength(1000);
    const [event] = await c.list(Event);
    expect(event).toMatchObject({
      ...{ type: "Warning", reason: "TooManyAddressesToMirror" },
      message:
        "A max of 1000 addresses can be mirrored to EndpointSlices per Endpoints subset. 3 addresses were skipped",
    });
  });
});

describe("a mirror", () => {
  it("parts families, and joins ports that the same addresses have", () => {
    const a = at("192.0.2.1", "2001:db8::1");
    const plan = planMirror(
      endpoints([
        { addresses: a, ports: [{ port: 80, name: "http" }] },
        { addresses: a, ports: [{ port: 443, name: "https" }] },
        { addresses: at("192.0.2.300"), ports: [{ port: 9, name: "x" }] },
      ]),
      [],
    );
    const made = plan.create.map(({ addressType, ports }) => [
      addressType,
      ports?.map(({ port }) => port),
    ]);
    expect(made).toEqual([
      ["IPv4", [80, 443]],
      ["IPv6", [80, 443]],
    ]);
    expect([plan.invalid, plan.tooMany]).toEqual([1, 0]);
  });
});

describe("a Service without a selector", () => {
  it("leads to the addresses that somebody wrote down for it", async () => {
    const manifest = `apiVersion: v1
kind: Service
metadata: { name: db }
spec: { clusterIP: 10.96.7.7, ports: [{ port: 5432, targetPort: 80 }] }
---
apiVersion: v1
kind: Endpoints
metadata: { name: db }
subsets: [{ addresses: [{ ip: 10.244.0.2 }], ports: [{ port: 80 }] }]
---
`;
    const inputs = [
      apply(pod("a", "node-1"), pod("b", "node-1")),
      { atMs: 8_000, do: "apply", yaml: manifest } as const,
      ask("pod b", "10.96.7.7:5432"),
    ];
    const { lines } = await run({ network: "flannel", nodes: 1, proxy: "" }, inputs);
    expect(lines.at(-1)).toMatch(/^pod default\/[ab] answers; it saw 10\.244\.0\.\d+$/);
  });
});

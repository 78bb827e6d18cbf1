/** Endpoints: which addresses share a subset, and what is cut. */
import { describe, expect, it } from "vitest";
import { Endpoints } from "../../../sim/src/api/kinds/endpoints.ts";
import { Event } from "../../../sim/src/api/kinds/event.ts";
import { Node } from "../../../sim/src/api/kinds/node.ts";
import { Pod } from "../../../sim/src/api/kinds/pod.ts";
import { Service } from "../../../sim/src/api/kinds/service.ts";
import type { EndpointSubset } from "../../../sim/src/api/kinds/types/service.ts";
import { subsetsOf, truncated } from "../../../sim/src/controllers/endpoints/subsets.ts";
import { hintsFor } from "../../../sim/src/controllers/endpointslice/hints.ts";
import { node, pod, testCluster } from "./cluster.ts";

function service(spec: Partial<Service["spec"]>): Service {
  const metadata = { name: "s", namespace: "default" };
  return { apiVersion: "v1", kind: "Service", metadata, spec: { selector: { a: "s" }, ...spec } };
}

type Port = readonly [name: string, number: number];

function running(name: string, ip: string, ports: readonly Port[], ready = "True"): Pod {
  const made = ports.map(([port, containerPort]) => ({ name: port, containerPort }));
  const one = pod(name, { containers: [{ name: "c", image: "x", ports: made }] });
  const conditions = [{ type: "Ready", status: ready }];
  const podIPs = ip.split(" ").map((text) => ({ ip: text }));
  return { ...one, status: { phase: "Running", podIP: podIPs[0]?.ip, podIPs, conditions } };
}

/** `10.0.0.1 !10.0.0.2 web:80`: not ready ones with a mark. */
function textOf({ addresses = [], notReadyAddresses = [], ports = [] }: EndpointSubset): string {
  return [
    ...addresses.map(({ ip }) => ip),
    ...notReadyAddresses.map(({ ip }) => `!${ip}`),
    ...ports.map(({ name = "", port }) => `${name}:${port}`),
  ].join(" ");
}

describe("the subsets of Endpoints", () => {
  const web = { name: "web", port: 80, targetPort: "web" };
  const admin = { name: "admin", port: 81, targetPort: "admin" };
  const rows: [string, Partial<Service["spec"]>, Pod[], string[]][] = [
    [
      "hold all ports that the same addresses serve",
      { ports: [web, admin] },
      [
        running("b", "10.0.0.2", [
          ["web", 80],
          ["admin", 81],
        ]),
        running("a", "10.0.0.1", [
          ["web", 80],
          ["admin", 81],
        ]),
      ],
      ["10.0.0.1 10.0.0.2 web:80 admin:81"],
    ],
    [
      "stand apart for a port that differs, and only for that",
      { ports: [web, admin] },
      [
        running("a", "10.0.0.1", [
          ["web", 80],
          ["admin", 81],
        ]),
        running("b", "10.0.0.2", [
          ["web", 80],
          ["admin", 82],
        ]),
      ],
      ["10.0.0.1 10.0.0.2 web:80", "10.0.0.1 admin:81", "10.0.0.2 admin:82"],
    ],
    [
      "leave out a Pod without the port, and mark one that is not ready",
      { ports: [web] },
      [
        running("a", "10.0.0.1", [["other", 80]]),
        running("b", "10.0.0.2", [["web", 80]], "False"),
        running("c", "10.0.0.3", [["web", 80]]),
      ],
      ["10.0.0.3 !10.0.0.2 web:80"],
    ],
    [
      "need no port without a cluster IP",
      { clusterIP: "None" },
      [running("a", "10.0.0.1", [])],
      ["10.0.0.1"],
    ],
    ["need one with a cluster IP", { clusterIP: "10.96.0.1" }, [running("a", "10.0.0.1", [])], []],
    [
      "take the address of the Service's first family",
      { clusterIP: "None", ipFamilies: ["IPv6", "IPv4"] },
      [running("a", "10.0.0.1 fd00::1", []), running("b", "10.0.0.2", [])],
      ["fd00::1"],
    ],
  ];
  for (const [name, spec, pods, expected] of rows) {
    it(name, () => expect(subsetsOf(service(spec), pods).map(textOf)).toEqual(expected));
  }

  it("give up their share of what is beyond 1,000, ready ones last", () => {
    const list = (count: number) => Array.from({ length: count }, (_, i) => ({ ip: `${i}` }));
    const subset = (ready: number, not: number) => ({
      addresses: list(ready),
      notReadyAddresses: list(not),
      ports: [],
    });
    const sizes = (...subsets: EndpointSubset[]) =>
      truncated(subsets)?.map((one) => [
        one.addresses?.length ?? 0,
        one.notReadyAddresses?.length ?? 0,
      ]);
    expect(sizes(subset(500, 500))).toBeUndefined();
    expect(sizes(subset(1_001, 9))).toEqual([[1_000, 0]]);
    expect(sizes(subset(900, 200))).toEqual([[900, 100]]);
    expect(sizes(subset(800, 1), subset(400, 0))).toEqual([
      [667, 0],
      [333, 0],
    ]);
    expect(sizes(subset(600, 300), subset(300, 100))).toEqual([
      [600, 75],
      [300, 25],
    ]);
  });
});

describe("Endpoints and EndpointSlices", () => {
  it("say when the change was that they tell", async () => {
    const { make, read, run, start, act, client, kernel } = testCluster();
    start({ controllers: ["*", "-node-lifecycle-controller"] });
    await make(Node, node("n1", "True"));
    await run(1_000);
    await make(Service, service({ ports: [{ port: 80 }] }));
    await make(Pod, pod("p", { nodeName: "n1" }, { a: "s" }));
    await run(5_000);
    const lastTransitionTime = kernel.timestamp();
    await act(async () => {
      const one = await client.get(Pod, "default", "p");
      const conditions = [{ type: "Ready", status: "True", lastTransitionTime }];
      const status = {
        phase: "Running",
        podIP: "10.0.0.1",
        podIPs: [{ ip: "10.0.0.1" }],
        conditions,
      };
      await client.updateStatus(Pod, { ...one, status });
    });
    await run(1_000);
    const { metadata, subsets } = await read(Endpoints, "s");
    expect(subsets?.map(textOf)).toEqual(["10.0.0.1 :80"]);
    expect(metadata.annotations).toEqual({
      "endpoints.kubernetes.io/last-change-trigger-time": lastTransitionTime,
    });
  });

  it("tell on the Service that a Pod's Node is not found", async () => {
    const { make, list, run, start, act, client } = testCluster();
    start({ controllers: ["endpointslice-controller", "serviceaccount-controller"] });
    await run(1_000);
    await make(Service, service({ ports: [{ port: 80 }] }));
    await make(Pod, pod("p", { nodeName: "gone" }, { a: "s" }));
    await act(async () => {
      const one = await client.get(Pod, "default", "p");
      const status = { phase: "Running", podIP: "10.0.0.1", podIPs: [{ ip: "10.0.0.1" }] };
      await client.updateStatus(Pod, { ...one, status });
    });
    await run(500);
    const told = (await list(Event)).map(({ reason, message }) => `${reason}: ${message}`);
    expect(told).toEqual([
      "FailedToUpdateEndpointSlices: Error updating Endpoint Slices for Service default/s: skipping Pod p for Service default/s: Node gone Not Found",
    ]);
  });

  it("hint at zones and Nodes as far as they are known", () => {
    const both = { zone: "z", nodeName: "n" };
    const zonal = { forZones: [{ name: "z" }] };
    const auto = { "service.kubernetes.io/topology-mode": "Auto" };
    const rows: [string | undefined, object, object | undefined, { [key: string]: string }?][] = [
      [undefined, both, undefined],
      ["PreferClose", both, zonal],
      ["PreferSameZone", both, zonal],
      ["PreferSameZone", { nodeName: "n" }, undefined],
      ["PreferSameNode", both, { ...zonal, forNodes: [{ name: "n" }] }],
      ["PreferSameNode", { nodeName: "n" }, { forNodes: [{ name: "n" }] }],
      ["PreferSameNode", {}, undefined],
      ["PreferClose", both, undefined, auto],
      ["Other", both, undefined],
    ];
    for (const [trafficDistribution, where, expected, annotations] of rows) {
      const one = service({ trafficDistribution });
      const asked = { ...one, metadata: { ...one.metadata, annotations } };
      const endpoint = { addresses: ["10.0.0.1"], conditions: { ready: true }, ...where };
      expect(hintsFor(asked, endpoint)).toEqual(expected);
      const unready = { ...endpoint, conditions: { ready: false } };
      expect(hintsFor(asked, unready)).toBeUndefined();
    }
  });
});

/** Replays endpointslices.json: from Pods to slices. */
import type { EndpointSlice } from "../../sim/src/api/kinds/endpointslice.ts";
import type { Node } from "../../sim/src/api/kinds/node.ts";
import type { Pod } from "../../sim/src/api/kinds/pod.ts";
import type { Service } from "../../sim/src/api/kinds/service.ts";
import type { Endpoint } from "../../sim/src/api/kinds/types/network.ts";
import type { ServiceSpec } from "../../sim/src/api/kinds/types/service.ts";
import { planSlices } from "../../sim/src/controllers/endpointslice/plan.ts";
import type { Result, VectorFile } from "./harness.ts";
import { casesOf, nameOf, Tally } from "./harness.ts";

interface Step {
  step: number;
  podsFrom: number;
  podsTo: number;
  sliceSizes: number[] | null;
  writes: string[] | null;
}

interface Slice {
  addressType: string;
  endpoints: number;
  ports: string[] | null;
  list?: string[];
}

interface Case {
  maxEndpointsPerSlice?: number;
  pods?: string;
  service?: ServiceSpec;
  slices?: Slice[];
  steps?: Step[];
}

export function replay(file: VectorFile): Result {
  const tally = new Tally();
  for (const [i, c] of casesOf<Case>(file).entries()) {
    const { steps, slices = [] } = c;
    if (steps) tally.same(nameOf(c, i), () => replaySteps(c, steps), expectedSteps(steps));
    else tally.sameButEmpty(nameOf(c, i), () => sorted(slicesFor(c, slices)), sorted(slices));
  }
  return tally.result();
}

/** The order of slices is free. */
function sorted(slices: readonly Slice[]): Slice[] {
  const keyOf = ({ addressType, ports, endpoints }: Slice) =>
    `${addressType} ${ports} ${String(endpoints).padStart(5)}`;
  return slices
    .map((slice) => ({ ...slice, list: slice.list?.map(words) }))
    .toSorted((a, b) => keyOf(a).localeCompare(keyOf(b)));
}

function slicesFor(c: Case, expected: readonly Slice[]): Slice[] {
  const service = serviceOf({
    ...{ clusterIP: "10.96.0.9", ports: [HTTP], ipFamilies: familiesOf(expected) },
    ...c.service,
  });
  const pods = c.pods ? podsOf(c.pods, service, expected) : podsIn(expected);
  const plan = planSlices(service, pods, [], nodeOf, c.maxEndpointsPerSlice ?? 100);
  const listed = expected.some(({ list }) => list);
  return plan.create.map(({ addressType, endpoints = [], ports = [], metadata }) => ({
    addressType,
    endpoints: endpoints.length,
    labels: metadata.labels,
    ports: ports.map(({ name, protocol, port }) => `${name} ${protocol} ${port}`),
    list: listed ? endpoints.map(textOf) : undefined,
  }));
}

/** Dual stack is told by the slices alone. */
function familiesOf(expected: readonly Slice[]): string[] {
  const told = expected.map(({ addressType }) => addressType);
  return told.length > 0 ? [...new Set(told)].toSorted() : ["IPv4"];
}

/** What is said of an endpoint, in no order. */
function words(line: string): string {
  return line.split(" ").toSorted().join(" ");
}

function textOf(endpoint: Endpoint): string {
  const { addresses, conditions, nodeName, zone, hostname, targetRef } = endpoint;
  return [
    ...addresses,
    `ready=${conditions?.ready} serving=${conditions?.serving}`,
    `terminating=${conditions?.terminating} node=${nodeName} zone=${zone}`,
    ...(hostname ? [`hostname=${hostname}`] : []),
    `target=${targetRef?.kind}/${targetRef?.name}`,
  ].join(" ");
}

/** "RRN", or "250 x R". Named container ports are told by the slices alone. */
function podsOf(letters: string, service: Service, expected: readonly Slice[]): Pod[] {
  const many = /^(\d+) x (.)$/.exec(letters);
  const all = many ? `${many[2]}`.repeat(Number(many[1])) : letters;
  return [...all].map((letter, i) => {
    const pod = podOf(letter, i);
    const isOf = (line: string) => line.split(" ").some((word) => word.endsWith(`/web-${i}`));
    const slice = expected.find(({ list }) => list?.some(isOf));
    const ports = (slice?.ports ?? []).flatMap((text) => {
      const [name, protocol, number] = text.split(" ");
      const port = service.spec.ports?.find((one) => (one.name ?? "") === name);
      const target = port?.targetPort;
      if (typeof target !== "string") return [];
      return [{ name: target, protocol, containerPort: Number(number) }];
    });
    const ips = expected.flatMap(({ list = [] }) => list.filter(isOf).map(addressOf));
    const podIPs = ips.length > 0 ? ips.map((ip) => ({ ip })) : pod.status?.podIPs;
    const status = { ...pod.status, podIP: podIPs?.[0]?.ip, podIPs };
    return { ...pod, spec: { ...pod.spec, containers: [{ name: "c", ports }] }, status };
  });
}

/** Pods that are given by the endpoints alone: ready, in both families. */
function podsIn(expected: readonly Slice[]): Pod[] {
  const ips = new Map<string, string[]>();
  const lines = expected.flatMap(({ list = [] }) => list);
  for (const line of lines.toSorted()) {
    const name = /\/(web-\d+)/.exec(line)?.[1] ?? "";
    ips.set(name, [...(ips.get(name) ?? []), addressOf(line)]);
  }
  return [...ips].map(([name, addresses]) => {
    const pod = podOf("R", Number(name.slice("web-".length)));
    const podIPs = addresses.map((ip) => ({ ip }));
    return { ...pod, status: { ...pod.status, podIP: addresses[0], podIPs } };
  });
}

function addressOf(line: string): string {
  return line.split(" ")[0] ?? "";
}

/** After some, not all, of the Pods went, the split between slices is free. */
function isFirm(steps: readonly Step[], i: number): boolean {
  return steps.slice(0, i + 1).every(({ podsFrom }, at) => {
    const before = steps[at - 1];
    return !before || podsFrom <= before.podsFrom || podsFrom >= before.podsTo;
  });
}

function expectedSteps(steps: readonly Step[]) {
  return steps.map(({ sliceSizes, writes }, i) => ({
    total: (sliceSizes ?? []).reduce((sum, size) => sum + size, 0),
    sizes: isFirm(steps, i) ? (sliceSizes ?? []) : [],
    writes: isFirm(steps, i) ? (writes ?? []) : [],
  }));
}

function replaySteps(c: Case, steps: readonly Step[]) {
  const service = serviceOf({ clusterIP: "10.96.0.9", ports: [HTTP] });
  let slices: EndpointSlice[] = [];
  let made = 0;
  return steps.map(({ podsFrom, podsTo }, i) => {
    const pods = Array.from({ length: podsTo - podsFrom }, (_, i) => podOf("R", podsFrom + i));
    const plan = planSlices(service, pods, slices, nodeOf, c.maxEndpointsPerSlice ?? 100);
    const gone = new Set([...plan.update, ...plan.delete].map(({ metadata }) => metadata.name));
    const created = plan.create.map((slice) => ({
      ...slice,
      metadata: { ...slice.metadata, name: `web-${made++}` },
    }));
    slices = slices.filter(({ metadata }) => !gone.has(metadata.name));
    slices.push(...plan.update, ...created);
    const sizes = slices.map(({ endpoints = [] }) => endpoints.length);
    const writes = [
      ...plan.create.map(() => "create"),
      ...plan.update.map(() => "update"),
      ...plan.delete.map(() => "delete"),
    ];
    const firm = isFirm(steps, i);
    return {
      total: sizes.reduce((sum, size) => sum + size, 0),
      sizes: firm ? sizes.toSorted((a, b) => b - a) : [],
      writes: firm ? writes : [],
    };
  });
}

const HTTP = { name: "http", port: 80, protocol: "TCP", targetPort: 8080 };

function serviceOf(spec: ServiceSpec): Service {
  const selector = { app: "web" };
  return {
    apiVersion: "v1",
    kind: "Service",
    metadata: { name: "web", namespace: "shop", uid: "s" },
    spec: { selector, ipFamilies: ["IPv4"], ...spec },
  };
}

function nodeOf(name: string): Node {
  const zone = name === "n0" ? "za" : "zb";
  const labels = { "topology.kubernetes.io/zone": zone };
  return { apiVersion: "v1", kind: "Node", metadata: { name, labels }, spec: {} };
}

/** The letters are told in the file's notes. */
function podOf(letter: string, i: number): Pod {
  const terminating = "TD".includes(letter);
  const ready = "RTH".includes(letter) ? "True" : "False";
  const phase = { P: "Pending", S: "Succeeded", F: "Failed" }[letter] ?? "Running";
  const podIP = letter === "P" ? undefined : `10.244.${Math.floor(i / 200)}.${(i % 200) + 2}`;
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      name: `web-${i}`,
      namespace: "shop",
      uid: `u${i}`,
      labels: { app: "web" },
      deletionTimestamp: terminating ? "2026-01-01T00:00:00Z" : undefined,
    },
    spec: {
      nodeName: `n${i % 2}`,
      containers: [{ name: "c", ports: [{ name: "http", containerPort: 8080, protocol: "TCP" }] }],
      ...(letter === "H" && { hostname: "db-0", subdomain: "web" }),
    },
    status: {
      phase,
      podIP,
      podIPs: podIP ? [{ ip: podIP }] : undefined,
      conditions: [{ type: "Ready", status: ready }],
    },
  };
}

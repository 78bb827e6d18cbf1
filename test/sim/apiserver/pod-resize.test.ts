/** Containers that get more or less while they run: `pods/resize`. */
import { describe, expect, it } from "vitest";
import type { KubeObject } from "../../../sim/src/api/types.ts";
import { account, type Bench, messageOf, newServer, pod } from "./server.ts";

type Amounts = Readonly<Record<string, string>>;
type Resources = { requests?: Amounts; limits?: Amounts };
type Found = KubeObject & {
  spec: { containers: { resources: Resources; image: string }[]; resources?: Resources };
};

function withPod(resources: Resources, spec: object = {}, more = {}): Bench {
  const bench = newServer();
  account(bench);
  const containers = [{ name: "c", image: "nginx", resources }];
  bench.ask({ verb: "create", body: pod("a", more, { containers, ...spec }) });
  return bench;
}

const patchType = "application/strategic-merge-patch+json" as const;

function resize({ ask }: Bench, resources: object, more: object = {}) {
  const body = { spec: { containers: [{ name: "c", resources, ...more }] } };
  return ask({ verb: "patch", name: "a", subresource: "resize", patchType, body });
}

const read = ({ ask }: Bench) => ask({ verb: "get", name: "a" }).body as Found;

/** The Pod runs on a node; `resources` is what its container has. */
function running(bench: Bench, resources?: Resources) {
  const state = { running: { startedAt: "2026-01-01T00:00:00Z" } };
  const told = resources ? { resources, allocatedResources: resources.requests } : {};
  const status = { name: "c", image: "nginx", imageID: "", ready: true, restartCount: 0 };
  const containerStatuses = [{ ...status, state, ...told }];
  const body = { ...read(bench), status: { containerStatuses, qosClass: "Burstable" } };
  return bench.ask({ verb: "update", name: "a", subresource: "status", body });
}

const some = { requests: { cpu: "100m", memory: "64Mi" } };

describe("pods/resize", () => {
  it("changes what containers ask for, and nothing else", () => {
    const bench = withPod(some);
    const labels = { a: "b" };
    const body = {
      metadata: { labels },
      spec: { containers: [{ name: "c", image: "other", resources: { requests: { cpu: "1" } } }] },
    };
    const answer = bench.ask({
      verb: "patch",
      name: "a",
      subresource: "resize",
      patchType,
      body,
    });
    expect(answer.code).toBe(200);
    const { metadata, spec } = read(bench);
    expect(spec.containers[0]).toMatchObject({
      image: "nginx",
      resources: { requests: { cpu: "1", memory: "64Mi" } },
    });
    expect([metadata.labels, metadata.generation]).toEqual([undefined, 2]);
  });

  it("is the only way to do so", () => {
    const bench = withPod(some);
    const body = { spec: { containers: [{ name: "c", resources: { requests: { cpu: "1" } } }] } };
    const answer = bench.ask({ verb: "patch", name: "a", patchType, body });
    expect(messageOf(answer)).toContain("pod updates may not change fields other than");
  });

  it("lets the class of service, other resources and what was said stand", () => {
    const bench = withPod(some);
    const both = { cpu: "1", memory: "1Gi" };
    expect(messageOf(resize(bench, { requests: both, limits: both }))).toBe(
      'Pod "a" is invalid: spec: Invalid value: "Burstable": Pod QOS Class may not change as a result of resizing',
    );
    expect(messageOf(resize(bench, { requests: { "ephemeral-storage": "1Gi" } }))).toBe(
      'Pod "a" is invalid: spec: Forbidden: only cpu and memory resources are mutable',
    );
    expect(messageOf(resize(bench, { requests: { memory: null } }))).toBe(
      'Pod "a" is invalid: spec.containers[0].resources.requests: Forbidden: resource requests cannot be removed',
    );
    const policy = { resizePolicy: [{ resourceName: "cpu", restartPolicy: "RestartContainer" }] };
    expect(messageOf(resize(bench, some, policy))).toBe(
      'Pod "a" is invalid: spec: Forbidden: only cpu and memory resources are mutable',
    );
    expect(resize(bench, { limits: { memory: "1Gi" } }).code).toBe(200);
    expect(resize(bench, { limits: { memory: "512Mi" } }).code).toBe(200);
  });

  it("adds, removes, renames and reorders no container", () => {
    const bench = withPod(some);
    const put = (containers: object[]) => {
      const { spec, ...rest } = read(bench);
      const body = { ...rest, spec: { ...spec, containers } };
      return bench.ask({ verb: "update", name: "a", subresource: "resize", body });
    };
    const [own] = read(bench).spec.containers as [object];
    expect(messageOf(put([own, { ...own, name: "d" }]))).toBe(
      'Pod "a" is invalid: spec.containers: Forbidden: containers may not be added or removed on resize',
    );
    expect(messageOf(put([{ ...own, name: "d" }]))).toBe(
      'Pod "a" is invalid: spec.containers[0].name: Forbidden: containers may not be renamed or reordered on resize',
    );
  });

  it("reaches sidecars, but no other init containers", () => {
    const init = (name: string, more = {}) => ({ name, image: "i", resources: some, ...more });
    const bench = withPod(some, {
      initContainers: [init("once"), init("side", { restartPolicy: "Always" })],
    });
    const ask = (name: string, resources: object) => {
      const body = { spec: { initContainers: [{ name, resources }] } };
      const where = { name: "a", subresource: "resize", patchType } as const;
      return bench.ask({ verb: "patch", ...where, body });
    };
    const more = { requests: { cpu: "200m" } };
    expect(ask("side", more).code).toBe(200);
    expect(messageOf(ask("once", more))).toBe(
      'Pod "a" is invalid: spec: Forbidden: resources for non-sidecar init containers are immutable',
    );
    expect(messageOf(ask("side", { requests: { "ephemeral-storage": "1Gi" } }))).toBe(
      'Pod "a" is invalid: spec: Forbidden: only cpu and memory resources for sidecar containers are mutable',
    );
  });

  it("resizes the Pod as a whole too", () => {
    const bench = withPod({}, { resources: some });
    const ask = (requests: object) =>
      bench.ask({
        verb: "patch",
        name: "a",
        subresource: "resize",
        patchType,
        body: { spec: { resources: { requests } } },
      });
    expect(ask({ cpu: "1" }).code).toBe(200);
    expect(read(bench).spec.resources).toEqual({ requests: { cpu: "1", memory: "64Mi" } });
    expect(messageOf(ask({ cpu: null }))).toBe(
      'Pod "a" is invalid: spec.resources.requests: Forbidden: resource requests cannot be removed',
    );
  });

  it("refuses mirror Pods, those of Windows and nodes that do not tell", () => {
    const mirror = withPod(some, {}, { annotations: { "kubernetes.io/config.mirror": "x" } });
    expect(messageOf(resize(mirror, { requests: { cpu: "1" } }))).toBe(
      'Pod "a" is invalid: <nil>: Forbidden: static pods cannot be resized',
    );
    const windows = withPod(some, { os: { name: "windows" } });
    expect(messageOf(resize(windows, { requests: { cpu: "1" } }))).toBe(
      'Pod "a" is invalid: <nil>: Forbidden: windows pods cannot be resized',
    );
    const silent = withPod(some);
    running(silent);
    expect(messageOf(resize(silent, { requests: { cpu: "1" } }))).toBe(
      'Pod "a" is invalid: spec: Forbidden: Pod running on node without support for resize',
    );
  });
});

function node({ ask }: Bench, labels: object = { "kubernetes.io/os": "linux" }) {
  const where = { resource: "nodes", namespace: "" } as const;
  const metadata = { name: "n1", labels };
  const status = { allocatable: { cpu: "2", memory: "4Gi" } };
  ask({ verb: "create", ...where, body: { metadata, status } });
}

describe("PodResizeValidator", () => {
  it("gives nothing that the node does not have", () => {
    const bench = withPod(some, { nodeName: "n1" });
    expect(messageOf(resize(bench, { requests: { cpu: "1" } }))).toBe(
      'pods "a" is forbidden: node "n1" not found',
    );
    node(bench);
    const answer = resize(bench, { requests: { cpu: "2100m", memory: "5Gi" } });
    expect(messageOf(answer)).toBe(
      `pods "a" is forbidden: Node didn't have enough allocatable resources: cpu, requested: 2100, allocatable: 2000; memory, requested: 5368709120, allocatable: 4294967296`,
    );
    expect(answer.body).toMatchObject({ details: { causes: [{ reason: "NodeCapacity" }] } });
    expect(resize(bench, { requests: { cpu: "2" } }).code).toBe(200);
  });

  it("asks for a node that can do it", () => {
    const bench = withPod(some, { nodeName: "n1" });
    node(bench, { "kubernetes.io/os": "windows" });
    expect(messageOf(resize(bench, { requests: { cpu: "1" } }))).toBe(
      'pods "a" is forbidden: pod resize is only supported on linux nodes, node "n1" is "windows"',
    );
  });
});

function limits({ ask }: Bench, item: object) {
  const where = { resource: "limitranges" } as const;
  ask({ verb: "create", ...where, body: { metadata: { name: "l" }, spec: { limits: [item] } } });
}

describe("LimitRanger", () => {
  it("looks at a resize, and at no other update", () => {
    const bench = withPod(some);
    limits(bench, { type: "Container", min: { cpu: "50m" }, max: { memory: "1Gi" } });
    expect(messageOf(resize(bench, { requests: { cpu: "10m" } }))).toBe(
      'pods "a" is forbidden: minimum cpu usage per Container is 50m, but request is 10m',
    );
    // The limit that the range sets by default is filled in here too.
    expect(resize(bench, { requests: { cpu: "60m" } }).code).toBe(200);
    expect(read(bench).spec.containers[0]?.resources.limits).toEqual({ memory: "1Gi" });
    expect(read(bench).metadata.annotations).toBeUndefined();
  });
});

function quota({ ask }: Bench, hard: Amounts, used: Amounts) {
  const where = { resource: "resourcequotas", name: "q" } as const;
  const body = { apiVersion: "v1", kind: "ResourceQuota", metadata: { name: "q" }, spec: { hard } };
  ask({ verb: "create", ...where, name: undefined, body });
  ask({
    verb: "update",
    ...where,
    subresource: "status",
    body: { ...body, status: { hard, used } },
  });
  return () => (ask({ verb: "get", ...where }).body as { status?: { used?: object } }).status?.used;
}

describe("ResourceQuota", () => {
  it("is asked for what a resize adds", () => {
    const bench = withPod(some);
    const used = quota(
      bench,
      { "requests.cpu": "1", pods: "1" },
      { "requests.cpu": "100m", pods: "1" },
    );
    expect(messageOf(resize(bench, { requests: { cpu: "2" } }))).toBe(
      'pods "a" is forbidden: exceeded quota: q, requested: requests.cpu=1900m, used: requests.cpu=100m, limited: requests.cpu=1',
    );
    expect(resize(bench, { requests: { cpu: "1" } }).code).toBe(200);
    expect(used()).toEqual({ "requests.cpu": "1", pods: "1" });
    // Less is given back by the controller alone.
    expect(resize(bench, { requests: { cpu: "200m" } }).code).toBe(200);
    expect(used()).toEqual({ "requests.cpu": "1", pods: "1" });
  });

  it("counts what the node still gives, until it gives less", () => {
    const bench = withPod(some);
    running(bench, { requests: { cpu: "800m", memory: "64Mi" } });
    const used = quota(bench, { "requests.cpu": "1" }, { "requests.cpu": "800m" });
    expect(resize(bench, { requests: { cpu: "500m" } }).code).toBe(200);
    expect(used()).toEqual({ "requests.cpu": "800m" });
    expect(resize(bench, { requests: { cpu: "900m" } }).code).toBe(200);
    expect(used()).toEqual({ "requests.cpu": "900m" });
  });
});

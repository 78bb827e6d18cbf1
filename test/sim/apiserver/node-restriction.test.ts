/** What a kubelet may do: the node authorizer, and the admission plugin NodeRestriction. */
import { beforeEach, describe, expect, it } from "vitest";
import type { KubeObject } from "../../../sim/src/api/types.ts";
import { world } from "../misconceptions/world.ts";
import { account, type Bench, messageOf, newServer, pod, userOf } from "./server.ts";

const kubelet = (node: string) => userOf(`system:node:${node}`, "system:nodes");
type Asked = Parameters<Bench["ask"]>[0];

describe("a kubelet", () => {
  let bench: Bench;
  beforeEach(() => {
    bench = newServer();
    account(bench);
    for (const name of ["n1", "n2"]) {
      const metadata = { name, labels: { zone: "a" } };
      const taints = [{ key: "k", effect: "NoSchedule" }];
      const body = { apiVersion: "v1", kind: "Node", metadata, spec: { taints } };
      bench.ask({ verb: "create", resource: "nodes", namespace: undefined, body });
      bench.ask({ verb: "create", body: pod(`p-${name}`, {}, { nodeName: name }) });
    }
  });

  /** "" if it may, else the refusal's own words. */
  const as = (node: string, request: Asked): string => {
    const answer = bench.ask({ credentials: kubelet(node), ...request });
    if (answer.code < 400) return "";
    const text = messageOf(answer);
    return text
      .replace(/^.*? is forbidden: /s, "")
      .replace(/^User .*?(namespace "[^"]*"|scope): /, "");
  };
  const patch = (
    resource: string,
    name: string,
    body: object,
    more: Partial<Asked> = {},
  ): Asked => ({
    ...{ verb: "patch", resource, name, body },
    patchType: "application/merge-patch+json",
    ...(resource === "nodes" ? { namespace: undefined } : {}),
    ...more,
  });

  it("writes its own Node, but neither its taints, nor its owners, nor labels of rank", () => {
    const own = (metadata: object, spec = {}) => as("n1", patch("nodes", "n1", { metadata, spec }));
    expect(own({ labels: { mine: "1", "topology.kubernetes.io/zone": "b" } })).toBe("");
    expect(own({ labels: { "x.node.kubernetes.io/y": "1" } })).toBe("");
    expect(own({ labels: { "node-role.kubernetes.io/control-plane": "" } })).toBe(
      "is not allowed to modify labels: node-role.kubernetes.io/control-plane",
    );
    expect(own({ labels: { "a.node-restriction.kubernetes.io/b": "", "k8s.io/c": "" } })).toBe(
      "is not allowed to modify labels: a.node-restriction.kubernetes.io/b, k8s.io/c",
    );
    expect(own({}, { taints: [] })).toBe('node "n1" is not allowed to modify taints');
    const ownerReferences = [{ apiVersion: "v1", kind: "Node", name: "n2", uid: "x" }];
    expect(own({ ownerReferences })).toBe('node "n1" is not allowed to modify ownerReferences');
    expect(as("n1", patch("nodes", "n2", { metadata: { labels: { a: "b" } } }))).toBe(
      'node "n1" is not allowed to modify node "n2"',
    );
    const status = { status: { phase: "Running" } };
    const at = { subresource: "status" };
    expect(as("n1", patch("nodes", "n1", status, at))).toBe("");
    expect(as("n1", patch("nodes", "n2", status, at))).toContain("is not allowed to modify node");
  });

  it("registers with taints and labels of the machine", () => {
    const node = (labels: object) => {
      const metadata = { name: "n3", labels };
      const spec = { taints: [{ key: "a", effect: "NoSchedule" }] };
      const body = { apiVersion: "v1", kind: "Node", metadata, spec };
      return as("n3", { verb: "create", resource: "nodes", namespace: undefined, body });
    };
    expect(node({ "node-role.kubernetes.io/x": "" })).toBe(
      'node "n3" is not allowed to set the following labels: node-role.kubernetes.io/x',
    );
    expect(node({ "kubernetes.io/hostname": "n3" })).toBe("");
  });

  it("reads its own Node and its own Pods", () => {
    const nodes = { resource: "nodes", namespace: undefined } as const;
    expect(as("n1", { verb: "get", ...nodes, name: "n1" })).toBe("");
    expect(as("n1", { verb: "get", ...nodes, name: "n2" })).toBe(
      "node 'n1' cannot read 'n2', only its own Node object",
    );
    expect(as("n1", { verb: "list", ...nodes })).toBe(
      "node 'n1' cannot read all nodes, only its own Node object",
    );
    const own = { fieldSelector: "metadata.name=n1" };
    expect(as("n1", { verb: "list", ...nodes, options: own })).toBe("");
    const bound = { fieldSelector: "spec.nodeName=n1" };
    expect(as("n1", { verb: "list", namespace: "", options: bound })).toBe("");
    expect(as("n2", { verb: "list", namespace: "", options: bound })).toBe(
      "can only list/watch pods with spec.nodeName field selector",
    );
    expect(as("n1", { verb: "get", name: "p-n1" })).toBe("");
    expect(as("n1", { verb: "get", name: "p-n2" })).toBe(
      "no relationship found between node 'n1' and this object",
    );
  });

  it("writes the status of its own Pods, evicts and deletes them, no others", () => {
    const status = (name: string, body: object) =>
      as("n1", patch("pods", name, body, { subresource: "status" }));
    const running = { status: { phase: "Running" } };
    expect(status("p-n1", running)).toBe("");
    expect(status("p-n2", running)).toBe(
      'node "n1" can only update pod status for pods with spec.nodeName set to itself',
    );
    expect(status("p-n1", { metadata: { labels: { a: "b" } } })).toBe(
      'node "n1" cannot update labels through pod status',
    );
    const claims = [{ name: "r", resourceClaimName: "c" }];
    expect(status("p-n1", { status: { resourceClaimStatuses: claims } })).toBe(
      'node "n1" cannot update resource claim statues',
    );
    const extended = { resourceClaimName: "c", requestMappings: [] };
    expect(status("p-n1", { status: { extendedResourceClaimStatus: extended } })).toBe(
      'node "n1" cannot update extended resource claim status',
    );
    const evict = (name: string) => {
      const body = { apiVersion: "policy/v1", kind: "Eviction", metadata: { name } };
      return as("n1", { verb: "create", name, subresource: "eviction", body });
    };
    expect(evict("p-n2")).toBe("node n1 can only evict pods with spec.nodeName set to itself");
    expect(evict("p-n1")).toBe("");
    const options = { gracePeriodSeconds: 0 };
    expect(as("n1", { verb: "delete", name: "p-n2", options })).toBe(
      'node "n1" can only delete pods with spec.nodeName set to itself',
    );
    expect(as("n2", { verb: "delete", name: "p-n2", options })).toBe("");
  });

  it("creates mirror Pods alone, owned by its Node, that mention nothing", () => {
    const uid = (
      bench.ask({ verb: "get", resource: "nodes", namespace: undefined, name: "n1" })
        .body as KubeObject
    ).metadata.uid;
    const owner = { apiVersion: "v1", kind: "Node", name: "n1", uid, controller: true };
    const annotations = { "kubernetes.io/config.mirror": "x" };
    const make = (metadata: object, spec = {}) => {
      const body = pod(
        "m",
        { annotations, ownerReferences: [owner], ...metadata },
        { nodeName: "n1", ...spec },
      );
      return as("n1", { verb: "create", body });
    };
    expect(make({ annotations: {} })).toBe(
      'pod does not have "kubernetes.io/config.mirror" annotation, node "n1" can only create mirror pods',
    );
    expect(make({}, { nodeName: "n2" })).toBe(
      'node "n1" can only create pods with spec.nodeName set to itself',
    );
    const owned = (...ownerReferences: object[]) => make({ ownerReferences });
    const only = (how: string) => `node "n1" can only create pods with ${how}`;
    expect(owned()).toBe(only("an owner reference set to itself"));
    expect(owned(owner, owner)).toMatch(/single owner reference|Only one reference/);
    expect(owned({ ...owner, kind: "Pod" })).toBe(only("an owner reference set to itself"));
    expect(owned({ ...owner, controller: false })).toBe(
      only("a controller owner reference set to itself"),
    );
    expect(owned({ ...owner, blockOwnerDeletion: true })).toBe(
      'node "n1" must not set blockOwnerDeletion on an owner reference',
    );
    expect(owned({ ...owner, uid: "other" })).toBe(
      `node n1 UID mismatch: expected other got ${uid}`,
    );
    const volumes = (volume: object) => ({ volumes: [{ name: "v", ...volume }] });
    const reference = (what: string) => `node "n1" can not create pods that reference ${what}`;
    expect(make({}, volumes({ secret: { secretName: "s" } }))).toBe(reference("secrets"));
    expect(make({}, volumes({ configMap: { name: "s" } }))).toBe(reference("configmaps"));
    expect(make({}, volumes({ persistentVolumeClaim: { claimName: "s" } }))).toBe(
      reference("persistentvolumeclaims"),
    );
    expect(make({}, { serviceAccountName: "default" })).toBe(reference("serviceaccounts"));
    const projected = (source: object) => volumes({ projected: { sources: [source] } });
    const driver = { driver: "d" };
    const referring: readonly (readonly [object, string])[] = [
      [volumes({ csi: driver }), "csidrivers (via CSI volumes)"],
      [volumes({ csi: { ...driver, nodePublishSecretRef: { name: "s" } } }), "secrets"],
      [{ resourceClaims: [{ name: "r", resourceClaimName: "c" }] }, "resourceclaims"],
      [
        projected({ serviceAccountToken: { path: "t" } }),
        "serviceaccounts (via projected volumes)",
      ],
      [
        volumes({
          ephemeral: {
            volumeClaimTemplate: {
              spec: {
                accessModes: ["ReadWriteOnce"],
                resources: { requests: { storage: "1Gi" } },
              },
            },
          },
        }),
        "persistentvolumeclaims (via ephemeral volumes)",
      ],
    ];
    for (const [spec, what] of referring) expect(make({}, spec)).toBe(reference(what));
    expect(make({}, volumes({ emptyDir: {} }))).toBe("");
  });

  it("renews the Lease of its own name", () => {
    const lease = (node: string, name: string, namespace = "kube-node-lease") => {
      const body = { apiVersion: "coordination.k8s.io/v1", kind: "Lease", metadata: { name } };
      const where = { group: "coordination.k8s.io", resource: "leases", namespace };
      return as(node, { verb: "create", ...where, body });
    };
    expect(lease("n1", "n1")).toBe("");
    expect(lease("n1", "n2")).toBe(
      "can only access node lease with the same name as the requesting node",
    );
    expect(lease("n1", "n1", "kube-system")).toBe(
      'can only access leases in the "kube-node-lease" system namespace',
    );
    const where = {
      group: "coordination.k8s.io",
      resource: "leases",
      namespace: "kube-node-lease",
    };
    expect(as("n2", { verb: "get", ...where, name: "n1" })).toBe(
      "can only access node lease with the same name as the requesting node",
    );
  });

  it("asks for tokens for its own Pods, for audiences that they name", () => {
    const uid = (name: string) =>
      (bench.ask({ verb: "get", name }).body as KubeObject).metadata.uid;
    const token = (spec: object) => {
      const body = { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", spec };
      const where = { resource: "serviceaccounts", name: "default", subresource: "token" } as const;
      return as("n1", { verb: "create", ...where, body });
    };
    const ref = (name: string) => ({ apiVersion: "v1", kind: "Pod", name, uid: uid(name) });
    const boundObjectRef = ref("p-n1");
    expect(token({ boundObjectRef })).toBe("");
    expect(token({})).toBe("node requested token not bound to a pod");
    expect(token({ boundObjectRef: { ...boundObjectRef, uid: "" } })).toBe(
      "node requested token with a pod binding without a uid",
    );
    expect(token({ boundObjectRef: ref("p-n2") })).toBe(
      "node requested token bound to a pod scheduled on a different node",
    );
    expect(token({ boundObjectRef, audiences: ["a", "b"] })).toBe(
      "node may only request 0 or 1 audiences",
    );
    expect(token({ boundObjectRef, audiences: ["vault"] })).toBe(
      'audience "vault" not found in pod spec volume, system:node:n1 is not authorized to request tokens for this audience',
    );
  });

  it("is somebody: a node without a name is not", () => {
    expect(as("", patch("nodes", "n1", {}))).toBe(
      'could not determine node from user "system:node:"',
    );
  });

  it("leaves everybody else alone", () => {
    const request = patch("nodes", "n1", { spec: { taints: [] } });
    expect(bench.ask(request).code).toBe(200);
  });
});

describe("nodes of a whole cluster", () => {
  it("register, mirror their static Pods, and get labels of rank from somebody else", async () => {
    const path = "/etc/kubernetes/manifests/w.yaml";
    const text =
      "apiVersion: v1\nkind: Pod\nmetadata: {name: w}\nspec: {containers: [{name: c, image: nginx}]}\n";
    const labels = { "node-role.kubernetes.io/gpu": "", disk: "ssd" };
    const w = world({ nodes: [{ labels, files: [{ path, text }] }] });
    await w.until(20);
    const node = w.object("nodes", "node-1", "");
    expect(node?.metadata.labels).toMatchObject(labels);
    expect(await w.kubectl("get nodes")).toMatch(/node-1 +Ready +gpu/);
    const [owner] = w.object("pods", "w-node-1")?.metadata.ownerReferences ?? [];
    expect(owner).toMatchObject({ kind: "Node", name: "node-1", uid: node?.metadata.uid });
    const refused = w.rows("admit").concat(w.rows("mutate"));
    expect(refused.filter(({ subject }) => subject === "deny")).toEqual([]);
  });
});

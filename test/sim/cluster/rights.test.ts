/** Agents of networks, storage and the cloud: each works with its own rights, and has no others. */
import { describe, expect, it } from "vitest";
import { obj, str } from "../../../sim/src/api/kinds/access.ts";
import { ADMIN, type Scenario } from "../../../sim/src/index.ts";
import { isReady, pod, type World, world } from "../misconceptions/world.ts";

/** Answers 403 that these actors got. */
function forbidden(w: World, actors: RegExp): string[] {
  return w
    .entries("response")
    .filter(({ detail, target }) => obj(detail).code === 403 && actors.test(target))
    .map(({ target, detail }) => `${target}: ${str(obj(obj(detail).body).message)}`);
}

/** Who made requests, as whom. */
function identities(w: World, actors: RegExp): Record<string, string> {
  const found: Record<string, string> = {};
  for (const { actor, detail } of w.entries("request")) {
    if (!actors.test(actor)) continue;
    const { certificate } = obj(obj(obj(detail).request).credentials);
    const { commonName, organizations } = obj(certificate);
    expect(JSON.stringify(organizations)).not.toContain("system:masters");
    found[actor] = str(commonName);
  }
  return found;
}

const NETWORKS = [
  ["flannel", "vxlan", "flanneld", "kube-flannel:flannel"],
  ["flannel", "none", "flanneld", "kube-flannel:flannel"],
  ["calico", "ipip", "calico-node", "kube-system:calico-node"],
  ["calico", "vxlan", "calico-node", "kube-system:calico-node"],
  ["calico", "none", "calico-node", "kube-system:calico-node"],
  ["cilium", "vxlan", "cilium-agent", "kube-system:cilium"],
] as const;

describe("an agent", () => {
  it("without its role's binding is refused, and its node stays without a network", async () => {
    const w = world({ nodes: 1, network: "flannel" });
    // Before anybody begins: as if the manifest had been applied without it.
    w.kernel.trace.untold(() => {
      const verb = "delete" as const;
      const [group, version] = ["rbac.authorization.k8s.io", "v1"] as const;
      const resource = { resource: "clusterrolebindings", name: "flannel" };
      w.cluster.server.execute({ verb, group, version, ...resource, credentials: ADMIN });
    });
    await w.until(15);
    expect(forbidden(w, /^flanneld/)[0]).toMatch(
      /^flanneld\/node-1: nodes is forbidden: User "system:serviceaccount:kube-flannel:flannel" cannot (list|watch) resource "nodes" in API group "" at the cluster scope/,
    );
    expect(w.cluster.hosts[0]!.disk.exists("/run/flannel/subnet.env")).toBe(false);
  });

  it.each(NETWORKS)("of %s (%s): %s works as %s", async (network, encapsulation, name, account) => {
    const w = world({ nodes: 2, network, encapsulation });
    await w.until(5);
    const yaml = [1, 2].map((n) => pod(`web-${n}`, `nodeName: node-${n}`));
    await w.apply(yaml.join("---\n"));
    await w.more(20);
    expect(w.pods().map(isReady)).toEqual([true, true]);
    const user = `system:serviceaccount:${account}`;
    const agents = new RegExp(`^${name}/`);
    expect(identities(w, agents)).toEqual({ [`${name}/node-1`]: user, [`${name}/node-2`]: user });
    expect(forbidden(w, agents)).toEqual([]);
    const [namespace = "", short = ""] = account.split(":");
    expect(w.object("serviceaccounts", short, namespace)).toBeDefined();
    const can = (what: string) => w.kubectl(`auth can-i ${what} --as=${user}`);
    expect(await can("list secrets -A")).toContain("no");
    expect(await can("delete nodes")).toContain("no");
    expect(await can("watch nodes")).toMatch(/\n ?yes$/);
  });

  it("of the example driver: each sidecar works as itself", async () => {
    const w = world({ nodes: 1, storage: true });
    await w.until(5);
    await w.apply(`apiVersion: v1
kind: PersistentVolumeClaim
metadata: { name: data }
spec: { accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }
---
${pod("db", "volumes: [{ name: d, persistentVolumeClaim: { claimName: data } }]")}`);
    await w.more(20);
    expect(w.pods().map(isReady)).toEqual([true]);
    const more = { spec: { resources: { requests: { storage: "2Gi" } } } };
    await w.kubectl(`patch pvc data -p ${JSON.stringify(more)}`);
    await w.more(100);
    expect(JSON.stringify(w.object("persistentvolumeclaims", "data"))).toContain(
      '"capacity":{"storage":"2Gi"}',
    );
    await w.kubectl("delete pod db");
    await w.kubectl("delete pvc data");
    await w.more(20);
    expect(w.objects("persistentvolumes", "")).toEqual([]);
    const sidecars = /^csi-/;
    expect(identities(w, sidecars)).toEqual({
      "csi-provisioner": "system:serviceaccount:kube-system:csi-provisioner",
      "csi-attacher": "system:serviceaccount:kube-system:csi-attacher",
      "csi-resizer": "system:serviceaccount:kube-system:csi-resizer",
    });
    expect(forbidden(w, sidecars)).toEqual([]);
    const as = "--as=system:serviceaccount:kube-system:csi-attacher";
    expect(await w.kubectl(`auth can-i delete persistentvolumes ${as}`)).toContain("no");
  });

  it("of the cloud: its controllers work as cloud-controller-manager", async () => {
    const scenario: Scenario = { nodes: 2, cloud: true };
    const w = world(scenario);
    await w.until(5);
    await w.apply(`${pod("web")}---
apiVersion: v1
kind: Service
metadata: { name: web }
spec: { type: LoadBalancer, selector: { app: web }, ports: [{ port: 80 }] }
`);
    await w.more(20);
    expect(JSON.stringify(w.object("services", "web"))).toContain("198.51.100.10");
    await w.kubectl("delete service web --wait=false");
    await w.more(20);
    expect(w.object("services", "web")).toBeUndefined();
    const controllers = /^(cloud-|service-lb-|node-route-)/;
    const users = Object.values(identities(w, controllers));
    expect(new Set(users)).toEqual(
      new Set(["system:serviceaccount:kube-system:cloud-controller-manager"]),
    );
    expect(users.length).toBeGreaterThan(2);
    expect(forbidden(w, controllers)).toEqual([]);
  });
});

/** What readers get wrong about controllers; the names carry the ids of content/misconceptions.yaml. */
import type { Input } from "@shikumi/sim";
import { describe, expect, it } from "vitest";
import { list, obj, str } from "../../../sim/src/api/kinds/access.ts";
import { WEBSITES_CRD, website } from "../../clients/websites.ts";
import { condition, deployment, isReady, pod, spec, status, world } from "./world.ts";

const restarts = (one: Parameters<typeof status>[0]) =>
  Number(list(status(one).containerStatuses)[0]?.restartCount ?? 0);

describe("controllers", () => {
  it("deployment-makes-pods: it makes a ReplicaSet, which makes the Pods", async () => {
    const w = world({ nodes: 2 });
    await w.until(5);
    await w.apply(deployment());
    await w.more(10);
    const [set] = w.objects("replicasets");
    expect(set?.metadata.ownerReferences?.[0]?.kind).toBe("Deployment");
    for (const { metadata } of w.pods("web")) {
      expect(metadata.ownerReferences).toMatchObject([{ kind: "ReplicaSet", controller: true }]);
    }
    const makers = w.rows("request").filter(({ subject }) => /^POST pods default\b/.test(subject));
    expect(new Set(makers.map(({ actor }) => actor))).toEqual(new Set(["replicaset-controller"]));
  });

  it("owns-by-label: a fitting Pod without an owner is adopted, one of another owner is not", async () => {
    const w = world({ nodes: 2 });
    await w.until(5);
    await w.apply(pod("orphan"));
    await w.kubectl("label pod orphan app=web --overwrite");
    const owner = `ownerReferences: [{ apiVersion: v1, kind: Node, name: node-1, uid: "${w.object("nodes", "node-1", "")?.metadata.uid}", controller: true }]`;
    await w.apply(pod("owned").replace("labels: { app: owned }", `labels: { app: web }, ${owner}`));
    const set = deployment({ replicas: 2 }).replace("kind: Deployment", "kind: ReplicaSet");
    await w.apply(set);
    await w.more(10);
    const [web] = w.objects("replicasets");
    const owned = w
      .pods("web")
      .filter((one) => one.metadata.ownerReferences?.[0]?.uid === web?.metadata.uid);
    expect(owned).toHaveLength(2);
    expect(owned.map(({ metadata }) => metadata.name)).toContain("orphan");
    expect(owned.map(({ metadata }) => metadata.name)).not.toContain("owned");
  });

  it("both-zero: the API refuses it, and percentages that round to 0 count as one unavailable", async () => {
    const w = world({ nodes: 2 });
    await w.until(5);
    const bounds = (surge: string, unavailable: string) =>
      `strategy: { rollingUpdate: { maxSurge: ${surge}, maxUnavailable: ${unavailable} } }`;
    const refused = await w.apply(deployment({ spec: bounds("0", "0") }));
    expect(refused).toContain("may not be 0 when `maxSurge` is 0");
    await w.apply(deployment({ spec: bounds('"0%"', '"1%"') }));
    await w.more(10);
    await w.kubectl("set image deployment/web c=nginx:1.28");
    await w.more(30);
    expect(status(w.object("deployments", "web"))).toMatchObject({
      updatedReplicas: 2,
      availableReplicas: 2,
    });
  });

  it("max-unavailable-zero: without room for one more Pod the rollout stands still", async () => {
    const w = world({ nodes: [{ cpu: "1" }] });
    await w.until(5);
    const bounds = "strategy: { rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } }";
    const container = "resources: { requests: { cpu: 400m } }";
    await w.apply(deployment({ spec: bounds, container }));
    await w.more(10);
    await w.kubectl("set image deployment/web c=nginx:1.28");
    await w.more(120);
    expect(status(w.object("deployments", "web"))).toMatchObject({
      updatedReplicas: 1,
      availableReplicas: 2,
    });
    const pending = w.pods("web").filter((one) => status(one).phase === "Pending");
    expect(str(condition(pending[0], "PodScheduled").message)).toContain("Insufficient cpu");
  });

  it("progress-deadline: a condition turns, and nothing is rolled back", async () => {
    const w = world({ nodes: 2 });
    await w.until(5);
    await w.apply(deployment({ spec: "progressDeadlineSeconds: 10" }));
    await w.more(10);
    await w.kubectl("set image deployment/web c=nginx:no-such-tag");
    await w.more(60);
    const web = w.object("deployments", "web");
    expect(condition(web, "Progressing")).toMatchObject({
      status: "False",
      reason: "ProgressDeadlineExceeded",
    });
    expect(
      w
        .objects("replicasets")
        .map((set) => spec(set).replicas)
        .sort(),
    ).toEqual([1, 2]);
    expect(JSON.stringify(spec(web))).toContain("nginx:no-such-tag");
  });

  it("pdb-guards-all: it stops an eviction, but neither a deletion nor a rollout", async () => {
    const w = world({ nodes: 2 });
    await w.until(5);
    await w.apply(
      deployment({ spec: "strategy: { rollingUpdate: { maxSurge: 0, maxUnavailable: 2 } }" }),
    );
    await w.kubectl("create poddisruptionbudget web --selector=app=web --min-available=2");
    await w.more(10);
    const drain = "drain node-1 node-2 --ignore-daemonsets --timeout=3s";
    expect(await w.kubectl(drain)).toContain("violate the pod's disruption budget");
    expect(w.pods("web").filter(isReady)).toHaveLength(2);
    await w.kubectl("uncordon node-1 node-2");
    let fewest = 2;
    w.cluster.onWrite(({ after }) => {
      if (after?.kind === "Deployment") {
        fewest = Math.min(fewest, Number(status(after).availableReplicas ?? 0));
      }
    });
    await w.kubectl("rollout restart deployment/web");
    await w.more(20);
    expect(fewest).toBe(0);
    expect(w.pods("web").filter(isReady)).toHaveLength(2);
  });

  it("configmap-rolls: a changed ConfigMap leaves the Pods as they are", async () => {
    const w = world({ nodes: 2 });
    await w.until(5);
    await w.kubectl("create configmap settings --from-literal=mode=a");
    const container = "envFrom: [{ configMapRef: { name: settings } }]";
    await w.apply(deployment({ container }));
    await w.more(10);
    const before = w.pods("web").map(({ metadata }) => metadata.uid);
    expect(before).toHaveLength(2);
    await w.kubectl(`patch configmap settings -p {"data":{"mode":"b"}}`);
    await w.more(60);
    expect(obj(w.object("configmaps", "settings") as object).data).toEqual({ mode: "b" });
    expect(w.pods("web").map(({ metadata }) => metadata.uid)).toEqual(before);
  });

  it("pods-by-hand: a crash restarts the container in the same Pod; only a Pod that is gone is made anew", async () => {
    const images = [{ name: "flaky", exit: { afterMs: 5_000, code: 1 } }];
    const w = world({ nodes: 1, images });
    await w.until(5);
    await w.apply(deployment({ replicas: 1, image: "flaky:1" }));
    await w.more(30);
    const [first] = w.pods("web");
    expect(restarts(first)).toBeGreaterThan(0);
    await w.kubectl(`delete pod ${first?.metadata.name}`);
    await w.more(5);
    const [second, ...others] = w.pods("web");
    expect(others).toEqual([]);
    expect(second?.metadata.uid).not.toBe(first?.metadata.uid);
    expect(restarts(second)).toBe(0);
  });

  it("backoff-limit: it caps failures, and Pods in parallel fail beyond it", async () => {
    const images = [{ name: "broken", exit: { afterMs: 2_000, code: 1 } }];
    const w = world({ nodes: 2, images });
    await w.until(5);
    await w.apply(`apiVersion: batch/v1
kind: Job
metadata: { name: j }
spec:
  backoffLimit: 1
  completions: 5
  parallelism: 5
  template:
    spec: { restartPolicy: Never, containers: [{ name: c, image: "broken:1" }] }
`);
    await w.more(60);
    const job = w.object("jobs", "j");
    expect(condition(job, "Failed")).toMatchObject({
      status: "True",
      reason: "BackoffLimitExceeded",
    });
    expect(Number(status(job).failed)).toBeGreaterThan(2);
  });

  it("resync-lists-again: an informer lists once; afterwards only watches go to the server", async () => {
    const w = world({ nodes: 1 });
    await w.until(5);
    await w.apply(deployment());
    const lists = (from: number) =>
      w
        .rows("request", from)
        .filter(
          ({ actor, subject }) => actor === "kube-controller-manager" && /^LIST/.test(subject),
        );
    expect(lists(0).length).toBeGreaterThan(10);
    await w.until(1_200);
    expect(lists(5_000)).toEqual([]);
    const watches = w
      .rows("request", 5_000)
      .filter(({ subject }) => subject === "WATCH deployments.apps");
    expect(watches.length).toBeGreaterThan(0);
  });

  it("terminating-namespace: it waits for a finalizer's owner, and says so", async () => {
    const w = world({ nodes: 1 });
    await w.until(5);
    await w.kubectl("create namespace old");
    await w.apply(
      "apiVersion: v1\nkind: ConfigMap\nmetadata: { name: kept, namespace: old, finalizers: [example.com/wait] }\n",
    );
    await w.kubectl("delete namespace old --wait=false");
    await w.more(120);
    const old = w.object("namespaces", "old", "");
    expect(status(old).phase).toBe("Terminating");
    expect(str(condition(old, "NamespaceFinalizersRemaining").message)).toContain(
      "example.com/wait",
    );
    await w.kubectl(`patch configmap kept -n old --type=merge -p {"metadata":{"finalizers":null}}`);
    await w.more(60);
    expect(w.object("namespaces", "old", "")).toBeUndefined();
  });

  it("background-skips-finalizers: it waits for them, and then the garbage collector deletes the dependents", async () => {
    const w = world({ nodes: 1 });
    await w.until(5);
    await w.apply(
      deployment().replace("name: web }", "name: web, finalizers: [example.com/wait] }"),
    );
    await w.more(10);
    await w.kubectl("delete deployment web --cascade=background --wait=false");
    await w.more(60);
    expect(w.object("deployments", "web")?.metadata.deletionTimestamp).toBeDefined();
    expect(w.objects("replicasets")).toHaveLength(1);
    const at = w.kernel.now();
    await w.kubectl(`patch deployment web --type=merge -p {"metadata":{"finalizers":null}}`);
    await w.more(30);
    expect([w.objects("deployments"), w.objects("replicasets"), w.pods("web")]).toEqual([
      [],
      [],
      [],
    ]);
    const deletes = w
      .rows("request", at)
      .filter(({ subject }) => /^DELETE replicasets/.test(subject));
    expect(deletes.map(({ actor }) => actor)).toEqual(["garbage-collector"]);
  });

  it("delete-static-pod: the mirror comes back and the container runs on; without its file the Pod ends", async () => {
    const path = "/etc/kubernetes/manifests/web.yaml";
    const files = [
      { path, text: pod("web") },
      { path, atMs: 120_000 },
    ];
    const w = world({ nodes: [{ files }] });
    await w.until(30);
    const mirror = w.object("pods", "web-node-1");
    expect(isReady(mirror!)).toBe(true);
    await w.kubectl("delete pod web-node-1 --wait=false");
    await w.until(60);
    const again = w.object("pods", "web-node-1");
    expect(again?.metadata.uid).not.toBe(mirror?.metadata.uid);
    expect(isReady(again!)).toBe(true);
    const ends = (from: number) =>
      w.rows("cri", from).filter(({ subject }) => subject === "StopContainer");
    expect(ends(30_000)).toEqual([]);
    await w.until(200);
    expect(w.object("pods", "web-node-1")).toBeUndefined();
    expect(ends(120_000)).toHaveLength(1);
  });

  it("no-controller-manager: where none runs, a Deployment is a record and nothing more", async () => {
    const w = world({ nodes: 1, without: ["kube-controller-manager"] });
    await w.until(5);
    await w.apply(deployment());
    await w.more(60);
    expect(w.objects("deployments")).toHaveLength(1);
    expect([w.objects("replicasets"), w.pods()]).toEqual([[], []]);
  });

  const sites: readonly Input[] = [
    { atMs: 1_000, do: "apply", yaml: WEBSITES_CRD },
    { atMs: 4_000, do: "apply", yaml: website("shop", 1) },
  ];

  it("kind-does-something: a new kind is stored, and no Pod comes of it", async () => {
    const w = world({ nodes: 1 }, sites);
    await w.until(20);
    const stored = w.rows("write").filter(({ subject }) => subject === "Website default/shop");
    expect(stored).toHaveLength(1);
    expect(w.objects("deployments")).toEqual([]);
    expect(w.objects("pods")).toEqual([]);
  });

  it("operator-deletes: what has lost its owner goes without the operator", async () => {
    const line = "delete website shop";
    const w = world({ nodes: 1, operator: true }, [
      ...sites,
      { atMs: 40_000, do: "stop", actor: "website-operator" },
      { atMs: 42_000, do: "kubectl", line },
    ]);
    await w.until(41);
    expect(w.objects("deployments")).toHaveLength(1);
    await w.until(50);
    expect(w.objects("deployments")).toEqual([]);
    expect(w.objects("services").map(({ metadata }) => metadata.name)).toEqual(["kubernetes"]);
  });
});

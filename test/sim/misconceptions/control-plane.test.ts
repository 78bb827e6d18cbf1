/** What readers get wrong about the control plane; the names carry the ids of content/misconceptions.yaml. */
import { describe, expect, it } from "vitest";
import type { AdmissionReview } from "../../../sim/src/api/admission-review.ts";
import { ConfigMap } from "../../../sim/src/api/kinds/configmap.ts";
import { ServiceAccount } from "../../../sim/src/api/kinds/serviceaccount.ts";
import type { Input } from "../../../sim/src/index.ts";
import { deployment, isReady, pod, spec, world } from "./world.ts";

const map = (name: string): ConfigMap => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name, namespace: "default" },
});

const stop = (actor: string, seconds: number): Input => ({
  atMs: seconds * 1000,
  do: "stop",
  actor,
});

describe("the control plane", () => {
  it("all-use-etcd: only kube-apiserver talks to etcd, and all others to kube-apiserver", async () => {
    const w = world({ nodes: 2 });
    await w.until(5);
    await w.apply(deployment());
    await w.more(10);
    expect(w.pods("web").filter(isReady)).toHaveLength(2);
    const toEtcd = [...w.kernel.trace].filter(({ target }) => target === "etcd");
    expect(new Set(toEtcd.map(({ actor }) => actor))).toEqual(new Set(["kube-apiserver"]));
    expect(toEtcd.length).toBeGreaterThan(20);
    const asked = new Set(w.entries("request").map(({ target }) => target));
    expect(asked).toEqual(new Set(["kube-apiserver"]));
  });

  it("reads-without-quorum: without it a normal read is refused, and an old one answered", async () => {
    const w = world({ nodes: 1, controlPlanes: 3 });
    await w.until(10);
    await w.act((client) => client.create(ConfigMap, map("a")));
    await w.more(5);
    for (const member of ["etcd/cp-2", "etcd/cp-3"]) w.cluster.stop(member);
    for (const server of ["kube-apiserver/cp-2", "kube-apiserver/cp-3"]) w.cluster.stop(server);
    await w.more(5);
    const read = w.act((client) => client.get(ConfigMap, "default", "a"));
    await expect(read).rejects.toThrow("etcdserver: request timed out");
    const options = { resourceVersion: "0" };
    const old = await w.act((client) => client.get(ConfigMap, "default", "a", options));
    expect(old.metadata.name).toBe("a");
  });

  it("timeout-means-no: a write that timed out is there once a majority is back", async () => {
    const w = world({ nodes: 1, etcdMembers: 3, etcd: "external" }, [], 7);
    await w.until(10);
    expect(w.cluster.controlPlane.raft?.leader?.id).toBe("etcd/m1");
    for (const member of ["etcd/m2", "etcd/m3"]) w.cluster.stop(member);
    const write = w.act((client) => client.create(ConfigMap, map("late")));
    await expect(write).rejects.toThrow("etcdserver: request timed out");
    w.cluster.startAgain("etcd/m2");
    await w.more(5);
    const late = await w.act((client) => client.get(ConfigMap, "default", "late"));
    expect(late.metadata.name).toBe("late");
  });

  it.each([2, 3])(
    "two-is-ha: of %i control planes one stops; three bear it, two do not",
    async (controlPlanes) => {
      const w = world({ nodes: 1, controlPlanes }, [stop("node/cp-2", 15)]);
      await w.until(25);
      const write = w.act((client) => client.create(ConfigMap, map("a")));
      if (controlPlanes === 3) expect((await write).metadata.name).toBe("a");
      else await expect(write).rejects.toThrow("etcdserver: request timed out");
    },
  );

  it("three-schedulers: one of three binds, while all three API servers answer", async () => {
    const w = world({ nodes: 3, controlPlanes: 3 });
    await w.until(15);
    await w.apply(deployment({ replicas: 6 }));
    await w.more(15);
    expect(w.pods("web").filter(isReady)).toHaveLength(6);
    expect(new Set(w.entries("bind").map(({ actor }) => actor)).size).toBe(1);
    expect(new Set(w.entries("response").map(({ actor }) => actor)).size).toBe(3);
  });

  it("api-down-kills-pods: Pods run on and are restarted in place, but nothing is replaced or made", async () => {
    const images = [{ name: "flaky", exit: { afterMs: 30_000, code: 1 } }];
    const w = world({ nodes: 1, images });
    await w.until(5);
    await w.apply(deployment());
    await w.apply(pod("flaky").replace("nginx:1.27", "flaky:1"));
    await w.until(15);
    const before = w.pods().map(({ metadata }) => metadata.uid);
    w.cluster.stop("kube-apiserver");
    await expect(w.kubectl("scale deployment web --replicas=5")).resolves.toMatch(/refused/);
    await w.until(60);
    const acts = w.rows("container", 15_000).map(({ subject }) => subject);
    expect(acts.some((subject) => /^start/.test(subject))).toBe(true);
    expect(w.rows("write", 15_001)).toEqual([]);
    expect(w.rows("bind", 15_001)).toEqual([]);
    w.cluster.startAgain("kube-apiserver");
    await w.until(100);
    expect(w.pods().map(({ metadata }) => metadata.uid)).toEqual(before);
    const flaky = w.object("pods", "flaky") as {
      status?: { containerStatuses?: { restartCount: number }[] };
    };
    expect(flaky.status?.containerStatuses?.[0]?.restartCount).toBeGreaterThan(0);
  });

  it("one-load-balancer: when it stops, three healthy API servers are out of reach", async () => {
    const w = world({ nodes: 1, controlPlanes: 3 });
    await w.until(15);
    expect(await w.kubectl("get nodes")).toContain("node-1");
    w.cluster.stop("load-balancer");
    expect(await w.kubectl("get nodes")).toContain("load-balancer was refused");
    for (const { actor } of w.cluster.controlPlane.servers) {
      expect(w.kernel.faults.stopped(actor)).toBe(false);
    }
  });

  it("control-plane-deployments: a kubelet starts static Pods from files, with no API server", async () => {
    const path = "/etc/kubernetes/manifests/kube-scheduler.yaml";
    const text = pod("kube-scheduler", "hostNetwork: true").replace(
      "labels",
      "namespace: kube-system, labels",
    );
    const w = world({ nodes: [{ name: "cp-1", files: [{ path, text }] }] }, [
      stop("kube-apiserver", 0),
    ]);
    await w.until(30);
    const started = w.rows("container").filter(({ subject }) => /^start/.test(subject));
    expect(started.length).toBeGreaterThan(0);
    expect(w.objects("pods", "kube-system")).toEqual([]);
    w.cluster.startAgain("kube-apiserver");
    await w.more(60);
    const mirror = w.object("pods", "kube-scheduler-cp-1", "kube-system");
    expect(isReady(mirror!)).toBe(true);
    expect(mirror?.metadata.ownerReferences?.[0]?.kind).toBe("Node");
  });

  it("webhooks-see-my-yaml: mutating ones run in turn, validating ones see the result", async () => {
    const w = world({ nodes: 1 });
    await w.until(5);
    const calls: string[] = [];
    const hook = (name: string, patch?: string) => {
      w.cluster.server.webhooks.set(`https://${name}.example.com/`, {
        actor: name,
        review: async (review: AdmissionReview) => {
          const { request } = review;
          const labels = request?.object?.metadata.labels ?? {};
          calls.push(`${name} sees ${Object.keys(labels).sort().join(" ") || "none"}`);
          const value = { ...labels, [patch ?? ""]: "yes" };
          const change = [{ op: "add" as const, path: "/metadata/labels", value }];
          const response = patch
            ? { allowed: true, patch: change, patchType: "JSONPatch" as const }
            : { allowed: true };
          return { ...review, response };
        },
      });
    };
    hook("one", "a");
    hook("two", "b");
    hook("check");
    for (const [kind, name] of [
      ["Mutating", "one"],
      ["Mutating", "two"],
      ["Validating", "check"],
    ]) {
      await w.apply(
        `apiVersion: admissionregistration.k8s.io/v1
kind: ${kind}WebhookConfiguration
metadata: { name: ${name} }
webhooks:
  - name: ${name}.example.com
    clientConfig: { url: "https://${name}.example.com/" }
    admissionReviewVersions: [v1]
    sideEffects: None
    reinvocationPolicy: ${kind === "Mutating" ? "IfNeeded" : "Never"}
    rules: [{ apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [configmaps] }]
`.replace(/ {4}reinvocationPolicy: Never\n/, ""),
      );
    }
    await w.more(3);
    calls.length = 0;
    await w.act((client) => client.create(ConfigMap, map("mine")));
    expect(calls).toEqual(["one sees none", "two sees a", "one sees a b", "check sees a b"]);
  });

  it("rbac-denies: a role only adds, and what it allows admission can still refuse", async () => {
    const w = world({ nodes: 1 });
    await w.until(5);
    const jane = { certificate: { commonName: "jane", organizations: [] } };
    expect(await w.kubectl("get pods", "", jane)).toContain(
      'User "jane" cannot list resource "pods"',
    );
    await w.kubectl("create rolebinding wide --clusterrole=edit --user=jane");
    await w.kubectl("create role nothing --verb=get --resource=configmaps --resource-name=none");
    await w.kubectl("create rolebinding narrow --role=nothing --user=jane");
    await w.more(1);
    const make = () => w.act((client) => client.create(ConfigMap, map("a")), jane);
    expect((await make()).metadata.name).toBe("a");
    await w.kubectl("create quota none --hard=configmaps=0");
    await w.more(2);
    const second = w.act((client) => client.create(ConfigMap, map("b")), jane);
    await expect(second).rejects.toThrow("exceeded quota: none");
  });

  /** A webhook of either sort that concerns all verbs of ConfigMaps, and never answers. */
  async function silentWebhook(kind: string, more: string) {
    const w = world({ nodes: 1 });
    await w.until(5);
    let asked = 0;
    w.cluster.server.webhooks.set("https://silent.example.com/", {
      actor: "silent",
      review: () => {
        asked++;
        return w.kernel.wait(() => {});
      },
    });
    await w.apply(`apiVersion: admissionregistration.k8s.io/v1
kind: ${kind}WebhookConfiguration
metadata: { name: silent }
webhooks:
  - name: silent.example.com
    clientConfig: { url: "https://silent.example.com/" }
    admissionReviewVersions: [v1]
    sideEffects: None
    timeoutSeconds: 5
    ${more}
    rules: [{ apiGroups: [""], apiVersions: [v1], operations: ["*"], resources: [configmaps] }]
`);
    await w.more(1);
    return { w, asked: () => asked };
  }

  it("ignore-costs-nothing: the write waits for the time-out, then goes through", async () => {
    const { w, asked } = await silentWebhook("Mutating", "failurePolicy: Ignore");
    const startedMs = w.kernel.now();
    await w.act((client) => client.create(ConfigMap, map("mine")));
    expect(asked()).toBe(1);
    expect(w.kernel.now() - startedMs).toBeGreaterThanOrEqual(5000);
  });

  it("admission-sees-reads: a webhook that refuses everything is not asked about a read", async () => {
    const { w, asked } = await silentWebhook("Validating", "failurePolicy: Fail");
    expect(await w.kubectl("get configmaps -n default")).toContain("kube-root-ca.crt");
    expect(asked()).toBe(0);
    await expect(w.act((client) => client.create(ConfigMap, map("mine")))).rejects.toThrow(
      "deadline exceeded",
    );
    expect(asked()).toBe(1);
  });

  it("user-object: there is no such kind; the name comes from the certificate", async () => {
    const w = world({ nodes: 1 });
    await w.until(5);
    expect(await w.kubectl("get users")).toContain(
      `the server doesn't have a resource type "users"`,
    );
    const jane = { certificate: { commonName: "jane", organizations: ["team"] } };
    expect(await w.kubectl("auth whoami", "", jane)).toMatch(/jane[\s\S]*team/);
  });

  it("token-secret: a new ServiceAccount brings no Secret; a token is asked for and bound", async () => {
    const w = world({ nodes: 1 });
    await w.until(5);
    await w.kubectl("create serviceaccount robot");
    await w.more(10);
    expect(w.object("serviceaccounts", "robot")).toBeDefined();
    expect(w.objects("secrets", "")).toEqual([]);
    const body = {
      apiVersion: "authentication.k8s.io/v1",
      kind: "TokenRequest",
      spec: { audiences: [] },
    };
    const answer = await w.act((client) =>
      client.createSub<ServiceAccount, { status: { token: string } }>(
        ServiceAccount,
        "default",
        "robot",
        "token",
        body,
      ),
    );
    expect(answer.status.token.split(".")).toHaveLength(3);
    expect(w.objects("secrets", "")).toEqual([]);
  });

  it("dropping-replicas: applying a file without it makes the count 1, whatever the autoscaler said", async () => {
    const w = world({ nodes: 1 });
    await w.until(5);
    await w.apply(deployment({ replicas: 3 }));
    await w.kubectl("scale deployment web --replicas=5");
    await w.apply(deployment().replace("  replicas: 2\n", ""));
    expect(spec(w.object("deployments", "web")).replicas).toBe(1);
  });

  it("apply-equals-file: what others wrote stays", async () => {
    const w = world({ nodes: 1 });
    await w.until(5);
    await w.apply(deployment());
    await w.kubectl("annotate deployment web team=blue");
    await w.kubectl("scale deployment web --replicas=4");
    await w.apply(
      deployment({ image: "nginx:1.28" }).replace(
        "  replicas: 2\n",
        "  replicas: 2\n  revisionHistoryLimit: 3\n",
      ),
    );
    const live = w.object("deployments", "web");
    expect(live?.metadata.annotations?.team).toBe("blue");
    expect(spec(live)).toMatchObject({ replicas: 2, revisionHistoryLimit: 3 });
  });
});

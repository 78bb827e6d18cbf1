/** The real kubectl 1.35.2 against the simulated API server. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Served, unpackKubectl, WEB } from "./served.ts";

const BUDGET = `apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: {name: keep}
spec: {minAvailable: 1, selector: {matchLabels: {app: web}}}
`;

/** A kind that does not exist, then two objects with fields that do not. */
const WRONG = `apiVersion: apps/v1
kind: Deploymnt
metadata: {name: x}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: cm, lables: {a: b}}
dta: {a: b}
---
apiVersion: v1
kind: Service
metadata: {name: s}
spec: {prots: []}
`;

/** Commands that send protobuf, and what they say. */
const CREATED = [
  ["create deployment d --image=nginx:1.27 --replicas=2 --port=80", "deployment.apps/d created"],
  ["create job j --image=nginx:1.27 -- sleep 1", "job.batch/j created"],
  ["create configmap c --from-literal=a=b", "configmap/c created"],
  ["create secret generic s --from-literal=a=b", "secret/s created"],
  ["create service nodeport np --tcp=80:web", "service/np created"],
  ["create namespace n1", "namespace/n1 created"],
  ["create serviceaccount robot", "serviceaccount/robot created"],
  ["create role r --verb=get --resource=pods", "role.rbac.authorization.k8s.io/r created"],
  [
    "create rolebinding rb --role=r --serviceaccount=default:robot",
    "rolebinding.rbac.authorization.k8s.io/rb created",
  ],
  ["create quota q --hard=requests.cpu=2 -n n1", "resourcequota/q created"],
  ["create pdb p --selector=app=d --min-available=50%", "poddisruptionbudget.policy/p created"],
  ["create priorityclass pc --value=-10", "priorityclass.scheduling.k8s.io/pc created"],
  ["create ingress i --rule=a.b/c*=s:80", "ingress.networking.k8s.io/i created"],
  ["autoscale deployment d --min=1 --max=3 --cpu=50%", "horizontalpodautoscaler.autoscaling/d"],
  ["auth can-i create pods", "yes"],
  ["auth can-i delete nodes --as=system:serviceaccount:default:robot", "no"],
  ["auth whoami", "kubernetes-admin"],
];

describe("kubectl 1.35.2", () => {
  let served: Served;

  beforeAll(async () => {
    unpackKubectl();
    served = await Served.start(4);
    await served.kubectl(["apply", "-f", "-"], WEB);
    await served.kubectl(["rollout", "status", "deploy/web"]);
  }, 40_000);

  afterAll(() => served.close());

  const run = async (line: string, stdin = "") => served.kubectl(line.split(" "), stdin);

  it("knows the server's version", async () => {
    expect((await run("version")).text).toContain("Server Version: v1.36.2");
  });

  it("applies a manifest again without a change", async () => {
    const { text, exit } = await run("apply -f -", WEB);
    expect({ text, exit }).toEqual({ text: "deployment.apps/web unchanged\n", exit: 0 });
  });

  it("sends the selector of a budget each time, so it is never unchanged", async () => {
    expect((await run("apply -f -", BUDGET)).text).toContain("keep created");
    const { text } = await run("apply -f - -v6", BUDGET);
    expect(text).toContain("poddisruptionbudget.policy/keep configured");
    // From the OpenAPI document, not from the types that it was built with.
    expect(text).not.toContain("does not support strategic merge patch");
    await run("delete pdb keep");
  }, 15_000);

  it("names every wrong field, also after a kind that does not exist", async () => {
    const { text, exit } = await run("apply -f -", WRONG);
    expect(exit).toBe(1);
    expect(text).toContain('no matches for kind "Deploymnt" in version "apps/v1"');
    expect(text).toContain('unknown field "dta", unknown field "metadata.lables"');
    expect(text).toContain('unknown field "spec.prots"');
  });

  it("creates by its generators, which send protobuf", async () => {
    for (const [line = "", said = ""] of CREATED) expect((await run(line)).text).toContain(said);
    const { text } = await run("get svc np -o jsonpath={.spec.ports[0].targetPort}");
    expect(text).toBe("web");
    expect((await run("get secret s -o jsonpath={.data.a}")).text).toBe("Yg==");
    await run("delete deploy d");
  }, 60_000);

  it("sees a finished rollout", async () => {
    const { text } = await run("rollout status deploy/web");
    expect(text).toBe('deployment "web" successfully rolled out\n');
  });

  it("gets a table, with the columns of the server", async () => {
    const { text } = await run("get deploy web");
    expect(text).toMatch(/^NAME +READY +UP-TO-DATE +AVAILABLE +AGE\nweb +2\/2 +2 +2 +\d+/);
  });

  it("describes a Deployment with its Events", async () => {
    const { text } = await run("describe deploy web");
    expect(text).toContain("2 desired | 2 updated | 2 total | 2 available | 0 unavailable");
    expect(text).toMatch(/ScalingReplicaSet .* from 0 to 2/);
  });

  it("explains a field from the server's OpenAPI", async () => {
    const { text } = await run("explain deploy.spec.replicas");
    expect(text).toContain("FIELD: replicas <integer>");
    const limits = await run("explain pod.spec.containers.resources.limits");
    expect(limits.text).toContain("FIELD: limits <map[string]Quantity>");
  });

  it("diffs by a dry run of the server", async () => {
    const { text, exit } = await run("diff -f -", WEB.replace("nginx:1.27", "nginx:1.28"));
    expect(exit).toBe(1);
    expect(text).toContain("-      - image: nginx:1.27\n+      - image: nginx:1.28\n");
  });

  it("reads a container's log", async () => {
    const { text, exit } = await run("logs deploy/web");
    expect(text).toContain("using pod/web-");
    expect(exit).toBe(0);
  });

  it("is refused server-side apply where others own the field", async () => {
    const changed = WEB.replace("nginx:1.27", "nginx:9");
    const { text, exit } = await run("apply --server-side --field-manager=me -f -", changed);
    expect(text).toContain('conflict with "kubectl-client-side-apply" using apps/v1: .spec.');
    expect(exit).toBe(1);
  });

  it("scales, and a watch shows each change", async () => {
    const watch = served.spawn(["get", "deploy", "web", "-w"]);
    let seen = "";
    watch.stdout?.on("data", (chunk: Buffer) => {
      seen += chunk.toString();
    });
    await expect.poll(() => seen, { timeout: 10_000 }).toMatch(/2\/2/);
    expect((await run("scale deploy web --replicas=3")).text).toBe("deployment.apps/web scaled\n");
    await expect.poll(() => seen, { timeout: 10_000 }).toMatch(/3\/3/);
    watch.kill("SIGKILL");
  }, 25_000);

  it("evicts the Pods of a Node, and lets it in again", async () => {
    const drained = await run("drain node-1 --ignore-daemonsets --timeout=20s");
    expect(drained.text).toContain("node/node-1 drained");
    expect((await run("uncordon node-1")).text).toBe("node/node-1 uncordoned\n");
  }, 25_000);

  it("deletes and waits until it is gone", async () => {
    const { text } = await run("delete deploy web");
    expect(text).toBe('deployment.apps "web" deleted from default namespace\n');
    const { text: after, exit } = await run("get deploy web");
    expect(after).toContain('deployments.apps "web" not found');
    expect(exit).toBe(1);
  }, 25_000);
});

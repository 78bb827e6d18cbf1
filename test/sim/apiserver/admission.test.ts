import { describe, expect, it } from "vitest";
import type { AdmissionResponse, AdmissionReview } from "../../../sim/src/api/admission-review.ts";
import type { KubeObject } from "../../../sim/src/api/types.ts";
import { account, type Bench, configMap, messageOf, newServer, pod } from "./server.ts";

const maps = { resource: "configmaps" } as const;
const registration = { group: "admissionregistration.k8s.io", namespace: "" } as const;
const RULE = { apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"] };

function hook(bench: Bench, mutating: boolean, more: object, answer: Answer): void {
  const resource = mutating ? "mutatingwebhookconfigurations" : "validatingwebhookconfigurations";
  const url = `https://hook-${bench.server.webhooks.size}.example.com/`;
  const webhook = {
    name: "hook.example.com",
    admissionReviewVersions: ["v1"],
    sideEffects: "None",
    clientConfig: { url },
    rules: [{ ...RULE, resources: ["configmaps"] }],
    ...more,
  };
  const kind = mutating ? "MutatingWebhookConfiguration" : "ValidatingWebhookConfiguration";
  const body = {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind,
    metadata: { name: `config-${bench.server.webhooks.size}` },
    webhooks: [webhook],
  };
  bench.server.webhooks.set(url, {
    actor: "webhook",
    review: async (review: AdmissionReview) => ({ ...review, response: await answer(review) }),
  });
  const { code } = bench.ask({ verb: "create", ...registration, resource, body });
  expect(code).toBe(201);
}

type Answer = (review: AdmissionReview) => AdmissionResponse | Promise<AdmissionResponse>;

describe("webhooks", () => {
  it("change an object before it is stored", async () => {
    const bench = newServer();
    hook(bench, true, {}, () => ({
      allowed: true,
      patch: [{ op: "add", path: "/data", value: { injected: "yes" } }],
    }));
    const { code } = await bench.later({ verb: "create", ...maps, body: configMap("a") });
    expect(code).toBe(201);
    const { body } = bench.ask({ verb: "get", ...maps, name: "a" });
    expect((body as KubeObject & { data: object }).data).toEqual({ injected: "yes" });
  });

  it("look again at what others changed, if they ask for it, as built-in plugins do", async () => {
    const seen = async (more: object) => {
      const bench = newServer();
      account(bench);
      const asked: number[] = [];
      const rules = [{ ...RULE, resources: ["pods"] }];
      hook(bench, true, { rules, ...more }, ({ request }) => {
        const { containers } = (request!.object as unknown as { spec: { containers: [] } }).spec;
        asked.push(containers.length);
        const value = { name: "proxy", image: "envoy" };
        const patch = [{ op: "add" as const, path: "/spec/containers/-", value }];
        return { allowed: true, patch: containers.length > 1 ? [] : patch };
      });
      const { code } = await bench.later({ verb: "create", body: pod("a") });
      expect(code).toBe(201);
      const { body } = bench.ask({ verb: "get", name: "a" });
      const { containers } = (body as unknown as { spec: { containers: object[] } }).spec;
      return { asked, mounts: containers.map((one) => "volumeMounts" in one) };
    };
    // ServiceAccount mounts the token into the new container too, which is a change after the webhook.
    expect(await seen({})).toEqual({ asked: [1], mounts: [true, true] });
    const again = { reinvocationPolicy: "IfNeeded" };
    expect(await seen(again)).toEqual({ asked: [1, 2], mounts: [true, true] });
    const other = { ...again, objectSelector: { matchLabels: { no: "such" } } };
    expect(await seen(other)).toEqual({ asked: [], mounts: [true] });
  });

  it("that only validate are asked at once", async () => {
    const bench = newServer();
    const startedMs: number[] = [];
    for (const _ of [1, 2]) {
      hook(bench, false, {}, async () => {
        startedMs.push(bench.kernel.now());
        await bench.kernel.sleep(1000);
        return { allowed: true };
      });
    }
    await bench.later({ verb: "create", ...maps, body: configMap("a") });
    expect(startedMs.length).toBe(2);
    expect(Math.max(...startedMs)).toBeLessThan(100);
  });

  it("behind a Service need one that is there, with a Pod that is ready", async () => {
    const bench = newServer();
    const clientConfig = { service: { namespace: "default", name: "hooks" } };
    hook(bench, false, { clientConfig }, () => ({ allowed: true }));
    const [server] = bench.server.webhooks.values();
    bench.server.webhooks.set("default/hooks", {
      ...server!,
      review: async (review) => ({ ...review, response: { allowed: true } }),
    });
    const create = () => bench.later({ verb: "create", ...maps, body: configMap("a") });
    expect(messageOf(await create())).toContain('service "hooks" not found');
    const spec = { ports: [{ port: 443 }] };
    const service = { metadata: { name: "hooks" }, spec };
    bench.ask({ verb: "create", resource: "services", body: service });
    expect(messageOf(await create())).toContain('no endpoints available for service "hooks"');
    const slice = {
      metadata: { name: "hooks-1", labels: { "kubernetes.io/service-name": "hooks" } },
      addressType: "IPv4",
      endpoints: [{ addresses: ["10.244.0.2"], conditions: { ready: true } }],
    };
    const slices = { group: "discovery.k8s.io", resource: "endpointslices" };
    expect(bench.ask({ verb: "create", ...slices, body: slice }).code).toBe(201);
    expect((await create()).code).toBe(201);
  });

  it("refuse in their own name", async () => {
    const bench = newServer();
    const status = { message: "no", code: 403 };
    hook(bench, false, {}, () => ({ allowed: false, status }));
    const answer = await bench.later({ verb: "create", ...maps, body: configMap("a") });
    expect([answer.code, messageOf(answer)]).toEqual([
      403,
      'admission webhook "hook.example.com" denied the request: no',
    ]);
  });

  it("that do not answer stop the write, unless they are to be ignored", async () => {
    for (const failurePolicy of ["Fail", "Ignore"]) {
      const bench = newServer();
      const more = { failurePolicy, timeoutSeconds: 2 };
      hook(bench, false, more, () => bench.kernel.wait(() => {}));
      const answer = await bench.later({ verb: "create", ...maps, body: configMap("a") });
      expect(answer.code).toBe(failurePolicy === "Ignore" ? 201 : 500);
      expect(bench.kernel.now()).toBeGreaterThanOrEqual(2000);
      if (failurePolicy === "Fail") expect(messageOf(answer)).toContain("deadline exceeded");
    }
  });

  it("are not asked where no rule, selector or condition calls for them", async () => {
    const bench = newServer();
    let asked = 0;
    const count: Answer = () => {
      asked++;
      return { allowed: true };
    };
    hook(bench, false, { objectSelector: { matchLabels: { a: "b" } } }, count);
    const matchConditions = [{ name: "c", expression: "object.metadata.name.startsWith('x')" }];
    hook(bench, false, { matchConditions }, count);
    await bench.later({ verb: "create", ...maps, body: configMap("a") });
    expect(asked).toBe(0);
    await bench.later({ verb: "create", ...maps, body: configMap("x") });
    expect(asked).toBe(1);
  });
});

function policy(bench: Bench, expression: string, more = {}, actions = ["Deny"]): void {
  const make = (resource: string, kind: string, name: string, spec: object) =>
    bench.ask({
      verb: "create",
      ...registration,
      resource,
      body: { apiVersion: "admissionregistration.k8s.io/v1", kind, metadata: { name }, spec },
    });
  const resourceRules = [{ ...RULE, operations: ["CREATE", "UPDATE"], resources: ["configmaps"] }];
  const spec = { matchConstraints: { resourceRules }, validations: [{ expression, ...more }] };
  const policies = "validatingadmissionpolicies";
  expect(make(policies, "ValidatingAdmissionPolicy", "p", spec).code).toBe(201);
  const binding = { policyName: "p", validationActions: actions };
  const kind = "ValidatingAdmissionPolicyBinding";
  expect(make("validatingadmissionpolicybindings", kind, "b", binding).code).toBe(201);
}

describe("policies", () => {
  it("refuse what their expression does not hold for", () => {
    const bench = newServer();
    policy(bench, "size(object.data) <= 1", { message: "one key at most" });
    const ok = bench.ask({ verb: "create", ...maps, body: configMap("a", { k: "1" }) });
    expect(ok.code).toBe(201);
    const answer = bench.ask({ verb: "create", ...maps, body: configMap("b", { k: "", l: "" }) });
    expect([answer.code, messageOf(answer)]).toEqual([
      422,
      `configmaps "b" is forbidden: ValidatingAdmissionPolicy 'p' with binding 'b' denied request: one key at most`,
    ]);
  });

  it("warn where the binding says so", () => {
    const bench = newServer();
    policy(bench, "has(object.data)", {}, ["Warn"]);
    const { code, warnings } = bench.ask({ verb: "create", ...maps, body: configMap("a") });
    expect(code).toBe(201);
    expect(warnings).toEqual([
      "Validation failed for ValidatingAdmissionPolicy 'p' with binding 'b': failed expression: has(object.data)",
    ]);
  });
});

type Spec = KubeObject & { spec: Record<string, unknown> };

/** A server with a quota `q` of this status. */
function counted(status: { hard: object; used: object }): Bench {
  const bench = newServer();
  account(bench);
  const quotas = { resource: "resourcequotas", name: "q" } as const;
  const { hard } = status;
  const quota = {
    apiVersion: "v1",
    kind: "ResourceQuota",
    metadata: { name: "q" },
    spec: { hard },
  };
  bench.ask({ verb: "create", ...quotas, name: undefined, body: quota });
  bench.ask({ verb: "update", ...quotas, subresource: "status", body: { ...quota, status } });
  return bench;
}

describe("built-in plugins", () => {
  it("keep the quota: what is used is counted, what is over is refused", () => {
    const bench = newServer();
    account(bench);
    const quotas = { resource: "resourcequotas", name: "q" } as const;
    const quota = (status = {}) => ({
      apiVersion: "v1",
      kind: "ResourceQuota",
      metadata: { name: "q" },
      spec: { hard: { pods: "1" } },
      status,
    });
    bench.ask({ verb: "create", ...quotas, name: undefined, body: quota() });
    const status = { hard: { pods: "1" }, used: { pods: "0" } };
    bench.ask({ verb: "update", ...quotas, subresource: "status", body: quota(status) });
    expect(bench.ask({ verb: "create", body: pod("a") }).code).toBe(201);
    const answer = bench.ask({ verb: "create", body: pod("b") });
    expect(messageOf(answer)).toBe(
      'pods "b" is forbidden: exceeded quota: q, requested: pods=1, used: pods=1, limited: pods=1',
    );
  });

  it("refuse what a quota limits whose use nobody has counted", () => {
    const { ask } = counted({ hard: { pods: "1", "requests.cpu": "1" }, used: { pods: "0" } });
    const resources = { requests: { cpu: "100m" } };
    const containers = [{ name: "c", image: "nginx", resources }];
    const refused = ask({ verb: "create", body: pod("a", {}, { containers }) });
    expect(messageOf(refused)).toBe(
      'pods "a" is forbidden: status unknown for quota: q, resources: pods,requests.cpu',
    );
    // Updates of a Pod use nothing more: they are not looked at.
    const all = counted({ hard: { pods: "1" }, used: { pods: "0" } });
    all.ask({ verb: "create", body: pod("a") });
    const status = { hard: { pods: "1", "requests.cpu": "1" }, used: {} };
    const quota = all.ask({ verb: "get", resource: "resourcequotas", name: "q" })
      .body as KubeObject;
    const where = { resource: "resourcequotas", name: "q", subresource: "status" } as const;
    all.ask({ verb: "update", ...where, body: { ...quota, status } });
    const patchType = "application/merge-patch+json" as const;
    const body = { metadata: { labels: { a: "b" } } };
    expect(all.ask({ verb: "patch", name: "a", patchType, body }).code).toBe(200);
  });

  it("take from a runtime class what it says, and nothing else", () => {
    const bench = newServer();
    account(bench);
    const make = (name: string, more: object) => {
      const body = { apiVersion: "node.k8s.io/v1", kind: "RuntimeClass", metadata: { name } };
      const where = { group: "node.k8s.io", resource: "runtimeclasses", namespace: "" } as const;
      bench.ask({ verb: "create", ...where, body: { ...body, handler: "h", ...more } });
    };
    make("bare", {});
    make("placed", { scheduling: { nodeSelector: { zone: "a" } } });
    const ask = (spec: object) =>
      messageOf(bench.ask({ verb: "create", body: pod("a", {}, spec) }));
    expect(ask({ runtimeClassName: "bare", overhead: { cpu: "1" } })).toBe(
      'pods "a" is forbidden: pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead',
    );
    expect(ask({ runtimeClassName: "placed", nodeSelector: { zone: "b" } })).toBe(
      'pods "a" is forbidden: conflict: runtimeClass.scheduling.nodeSelector[zone] = a; pod.spec.nodeSelector[zone] = b',
    );
  });

  it("keep a Pod's priority when an update does not name it", () => {
    const bench = newServer();
    account(bench);
    const made = bench.ask({ verb: "create", body: pod("a", {}, {}) }).body as Spec;
    const { priority: _p, preemptionPolicy: _q, ...spec } = made.spec;
    const labels = { a: "b" };
    const body = { ...made, metadata: { ...made.metadata, labels }, spec };
    const answer = bench.ask({ verb: "update", name: "a", body });
    expect(messageOf(answer)).toBe("");
    expect((answer.body as Spec).spec).toMatchObject({
      priority: 0,
      preemptionPolicy: "PreemptLowerPriority",
    });
  });

  it("let a Pod have the Secrets that its account mentions, where that counts", () => {
    const bench = newServer();
    const annotations = { "kubernetes.io/enforce-mountable-secrets": "true" };
    const body = { metadata: { name: "default", annotations }, secrets: [{ name: "mine" }] };
    bench.ask({ verb: "create", resource: "serviceaccounts", body });
    const volumes = (secretName: string) => [{ name: "v", secret: { secretName } }];
    const ask = (spec: object) =>
      messageOf(bench.ask({ verb: "create", body: pod("a", {}, spec) }));
    expect(ask({ volumes: volumes("other") })).toBe(
      'pods "a" is forbidden: volume with secret.secretName="other" is not allowed because service account default does not reference that secret',
    );
    const valueFrom = { secretKeyRef: { name: "other", key: "k" } };
    const containers = [{ name: "c", image: "nginx", env: [{ name: "E", valueFrom }] }];
    expect(ask({ containers })).toBe(
      'pods "a" is forbidden: container c with envVar E referencing secret.secretName="other" is not allowed because service account default does not reference that secret',
    );
    expect(ask({ volumes: volumes("mine") })).toBe("");
  });

  it("let a mirror Pod name no Secret and no token", () => {
    const bench = newServer();
    const mirror = { annotations: { "kubernetes.io/config.mirror": "x" } };
    const ask = (spec: object) =>
      messageOf(bench.ask({ verb: "create", body: pod("m", mirror, { nodeName: "n", ...spec }) }));
    const secret = { secretName: "s" };
    expect(ask({ volumes: [{ name: "v", secret }] })).toBe(
      'pods "m" is forbidden: a mirror pod may not reference secrets',
    );
    const sources = [{ serviceAccountToken: { path: "token" } }];
    expect(ask({ volumes: [{ name: "v", projected: { sources } }] })).toBe(
      'pods "m" is forbidden: a mirror pod may not use ServiceAccountToken volume projections',
    );
  });

  it("let nothing into a namespace that is not there", () => {
    const { ask } = newServer();
    const answer = ask({ verb: "create", ...maps, namespace: "nope", body: configMap("a") });
    expect(messageOf(answer)).toBe('namespaces "nope" not found');
  });
});

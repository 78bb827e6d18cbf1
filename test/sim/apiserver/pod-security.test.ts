/** PodSecurity: what a namespace's labels let its Pods ask for; texts as upstream's tests expect them. */
import { describe, expect, it } from "vitest";
import { policyOf, policyText } from "../../../sim/src/apiserver/admission/pod-security/policy.ts";
import type { AuditEvent } from "../../../sim/src/apiserver/audit.ts";
import { account, type Bench, messageOf, newServer, pod } from "./server.ts";

const label = (mode: string) => `pod-security.kubernetes.io/${mode}`;

function labelled(bench: Bench, labels: Record<string, string>) {
  const named = Object.entries(labels).map(([mode, value]) => [label(mode), value]);
  return bench.ask({
    ...{ verb: "patch", resource: "namespaces", namespace: undefined, name: "default" },
    patchType: "application/merge-patch+json",
    body: { metadata: { labels: Object.fromEntries(named) } },
  });
}

function inNamespace(labels: Record<string, string>): Bench {
  const bench = newServer();
  account(bench);
  expect(labelled(bench, labels).code).toBe(200);
  return bench;
}

let count = 0;
const refusal = (bench: Bench, spec: object, metadata = {}) => {
  const body = pod(`p${count++}`, metadata, spec);
  return messageOf(bench.ask({ verb: "create", body })).replace(/^pods "p\d+" is forbidden: /, "");
};
const container = (securityContext: object, more = {}) => ({
  containers: [{ name: "a", image: "i", securityContext, ...more }],
});
const GOOD = {
  allowPrivilegeEscalation: false,
  capabilities: { drop: ["ALL"] },
  runAsNonRoot: true,
  seccompProfile: { type: "RuntimeDefault" },
};

describe("PodSecurity", () => {
  it("says all that is wrong with a plain Pod under restricted, as upstream does", () => {
    const bench = inNamespace({ enforce: "restricted" });
    const answer = bench.ask({ verb: "create", body: pod("web") });
    expect([answer.code, messageOf(answer)]).toEqual([
      403,
      'pods "web" is forbidden: violates PodSecurity "restricted:latest": ' +
        'allowPrivilegeEscalation != false (container "c" must set securityContext.allowPrivilegeEscalation=false), ' +
        'unrestricted capabilities (container "c" must set securityContext.capabilities.drop=["ALL"]), ' +
        'runAsNonRoot != true (pod or container "c" must set securityContext.runAsNonRoot=true), ' +
        'seccompProfile (pod or container "c" must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost")',
    ]);
    expect(refusal(bench, container(GOOD))).toBe("");
  });

  it.each<[string, object, string, object?]>([
    ["host namespaces", { hostNetwork: true, hostPID: true }, "hostNetwork=true, hostPID=true"],
    ["hostPath volumes", { volumes: [{ name: "v", hostPath: { path: "/" } }] }, 'volume "v"'],
    [
      "hostPort",
      container({}, { ports: [{ containerPort: 1, hostPort: 12 }] }),
      'container "a" uses hostPort 12',
    ],
    [
      "privileged",
      container({ privileged: true }),
      'container "a" must not set securityContext.privileged=true',
    ],
    [
      "non-default capabilities",
      container({ capabilities: { add: ["SYS_ADMIN", "NET_RAW", "CHOWN"] } }),
      'container "a" must not include "NET_RAW", "SYS_ADMIN" in securityContext.capabilities.add',
    ],
    [
      "seLinuxOptions",
      { securityContext: { seLinuxOptions: { type: "foo", user: "bar", role: "baz" } } },
      'pod set forbidden securityContext.seLinuxOptions: type "foo"; user may not be set; role may not be set',
    ],
    [
      "forbidden sysctls",
      {
        securityContext: {
          sysctls: [
            { name: "net.core.somaxconn", value: "1" },
            { name: "net.ipv4.tcp_rmem", value: "1" },
          ],
        },
      },
      "net.core.somaxconn",
    ],
    [
      "procMount",
      { ...container({ procMount: "Unmasked" }), hostUsers: false },
      'container "a" must not set securityContext.procMount to "Unmasked"',
    ],
    [
      "seccompProfile",
      { securityContext: { seccompProfile: { type: "Unconfined" } } },
      'pod must not set securityContext.seccompProfile.type to "Unconfined"',
    ],
    [
      "forbidden AppArmor profile",
      container({ appArmorProfile: { type: "Unconfined" } }),
      'container "a" must not set AppArmor profile type to "Unconfined"',
    ],
    [
      "probe or lifecycle host",
      container({}, { livenessProbe: { tcpSocket: { host: "1.2.3.4", port: 1 } } }),
      'container "a" uses probe or lifecycle host "1.2.3.4"',
    ],
  ])("refuses under baseline: %s", (reason, spec, detail) => {
    const bench = inNamespace({ enforce: "baseline" });
    const whole = { ...container({}), ...spec };
    expect(refusal(bench, whole)).toBe(
      `violates PodSecurity "baseline:latest": ${reason} (${detail})`,
    );
    expect(refusal(bench, {})).toBe("");
  });

  it.each<[string, object, string]>([
    [
      "restricted volume types",
      {
        ...container(GOOD),
        volumes: [
          { name: "v", hostPath: { path: "/" } },
          { name: "w", nfs: { server: "s", path: "/" } },
        ],
      },
      'volumes "v", "w" use restricted volume types "hostPath", "nfs"',
    ],
    [
      "runAsNonRoot != true",
      { ...container({ ...GOOD, runAsNonRoot: false }), securityContext: { runAsNonRoot: false } },
      'pod and container "a" must not set securityContext.runAsNonRoot=false',
    ],
    [
      "runAsUser=0",
      { ...container(GOOD), securityContext: { runAsUser: 0 } },
      "pod must not set runAsUser=0",
    ],
    [
      "unrestricted capabilities",
      container({ ...GOOD, capabilities: { add: ["CHOWN", "NET_BIND_SERVICE"] } }),
      'container "a" must set securityContext.capabilities.drop=["ALL"]; container "a" must not include "CHOWN" in securityContext.capabilities.add',
    ],
  ])("refuses under restricted: %s", (reason, spec, detail) => {
    const bench = inNamespace({ enforce: "restricted" });
    expect(refusal(bench, spec)).toBe(
      `violates PodSecurity "restricted:latest": ${reason} (${detail})`,
    );
  });

  it("keeps to the rules of an older version", () => {
    const bench = inNamespace({ enforce: "restricted", "enforce-version": "v1.21" });
    const spec = container({ ...GOOD, capabilities: undefined });
    expect(refusal(bench, { ...spec, securityContext: { runAsUser: 0 } })).toBe("");
    expect(refusal(bench, {})).toContain('violates PodSecurity "restricted:v1.21": ');
  });

  it("warns of what is enforced where nothing else is said, also of templates", () => {
    const bench = inNamespace({ enforce: "restricted" });
    const template = { metadata: { labels: { a: "b" } }, spec: pod("x").spec };
    const spec = { selector: { matchLabels: { a: "b" } }, template };
    const body = { apiVersion: "apps/v1", kind: "Deployment", metadata: { name: "web" }, spec };
    const make = () => bench.ask({ verb: "create", group: "apps", resource: "deployments", body });
    const { code, warnings = [] } = make();
    expect(code).toBe(201);
    expect(warnings[0]).toContain('would violate PodSecurity "restricted:latest": allowPriv');
    labelled(bench, { warn: "privileged" });
    bench.ask({ verb: "delete", group: "apps", resource: "deployments", name: "web" });
    expect(make().warnings).toBeUndefined();
  });

  it.each<[Record<string, string>, string, string]>([
    [{ enforce: "baseline" }, "baseline:latest", "privileged:latest"],
    [{ warn: "restricted" }, "restricted:latest", "privileged:latest"],
    [{ audit: "baseline" }, "privileged:latest", "baseline:latest"],
    [{ enforce: "baseline", "enforce-version": "v1.22" }, "baseline:v1.22", "privileged:latest"],
    [
      { enforce: "baseline", "enforce-version": "v1.22", "warn-version": "latest" },
      "baseline:latest",
      "privileged:latest",
    ],
    [
      { enforce: "baseline", "enforce-version": "v1.20", warn: "restricted" },
      "restricted:latest",
      "privileged:latest",
    ],
    [{ enforce: "baseline", "warn-version": "v1.23" }, "baseline:v1.23", "privileged:latest"],
    [{ enforce: "baseline", warn: "privileged" }, "privileged:latest", "privileged:latest"],
    [{ enforce: "baseline", warn: "foo" }, "privileged:latest", "privileged:latest"],
    [{ enforce: "foo" }, "privileged:latest", "privileged:latest"],
    [{ enforce: "baseline", audit: "foo" }, "baseline:latest", "privileged:latest"],
  ])("reads what is to be warned of, and what noted, from %j", (labels, warned, audited) => {
    const named = Object.entries(labels).map(([mode, value]) => [label(mode), value]);
    const { warn, audit } = policyOf(Object.fromEntries(named));
    expect([policyText(warn), policyText(audit)]).toEqual([warned, audited]);
  });

  it("tells the audit log what would be refused, and what was asked", () => {
    const events: AuditEvent[] = [];
    const log = (event: AuditEvent) => events.push(event);
    const bench = newServer({ audit: { level: "Metadata", log } });
    account(bench);
    bench.ask({ verb: "create", body: pod("free") });
    expect(events.at(-1)?.annotations).toEqual({ [label("enforce-policy")]: "privileged:latest" });
    labelled(bench, { enforce: "baseline", audit: "restricted" });
    bench.ask({ verb: "create", body: pod("web") });
    expect(events.at(-1)?.annotations).toMatchObject({
      [label("enforce-policy")]: "baseline:latest",
      [label("audit-violations")]: expect.stringContaining(
        'would violate PodSecurity "restricted:latest": ',
      ),
    });
  });

  it("lets a Pod that is there be labelled, but not change its image", () => {
    const bench = newServer();
    account(bench);
    bench.ask({ verb: "create", body: pod("web") });
    labelled(bench, { enforce: "restricted" });
    const patch = (body: object) =>
      bench.ask({
        ...{ verb: "patch", name: "web", body },
        patchType: "application/strategic-merge-patch+json",
      }).code;
    expect(patch({ metadata: { labels: { a: "b" } } })).toBe(200);
    expect(patch({ spec: { containers: [{ name: "c", image: "other" }] } })).toBe(403);
  });

  it("refuses labels that it cannot read, and tells of Pods that would not be let in", () => {
    const bench = newServer();
    account(bench);
    for (const name of ["a", "b", "c"]) bench.ask({ verb: "create", body: pod(name) });
    bench.ask({ verb: "create", body: pod("d", {}, { hostNetwork: true }) });
    expect(messageOf(labelled(bench, { enforce: "strict", "warn-version": "1.30" }))).toBe(
      'Namespace "default" is invalid: [metadata.labels[pod-security.kubernetes.io/enforce]: Invalid value: "strict": must be one of privileged, baseline, restricted, ' +
        'metadata.labels[pod-security.kubernetes.io/warn-version]: Invalid value: "1.30": must be "latest" or "v1.x"]',
    );
    const rest =
      "allowPrivilegeEscalation != false, unrestricted capabilities, runAsNonRoot != true, seccompProfile";
    expect(labelled(bench, { enforce: "restricted" }).warnings).toEqual([
      'existing pods in namespace "default" violate the new PodSecurity enforce level "restricted:latest"',
      `a (and 2 other pods): ${rest}`,
      `d: host namespaces, ${rest}`,
    ]);
    expect(labelled(bench, { enforce: "baseline" }).warnings).toBeUndefined();
  });
});

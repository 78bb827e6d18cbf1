/**
 * PodSecurity: a namespace's labels say how much its Pods may ask of their
 * node: `pod-security.kubernetes.io/enforce: restricted`.
 * Models:     plugin/pkg/admission/security/podsecurity,
 *             k8s.io/pod-security-admission @ v1.36
 * Leaves out: a configuration file, with its exemptions.
 * Try:        label the namespace default, and run nginx in it.
 */
import type { KubeObject } from "../../../api/types.ts";
import type { AdmissionPlugin } from "../plugin.ts";
import { checkNamespace } from "../pod-security/namespace.ts";
import { checkPods } from "../pod-security/pod.ts";
import { type Policy, PREFIX, policyOf } from "../pod-security/policy.ts";

const IN_SPEC = ["spec", "template"];
/** Where a kind describes its Pods. */
const TEMPLATES: { readonly [resource: string]: readonly string[] } = {
  "/podtemplates": ["template"],
  "/replicationcontrollers": IN_SPEC,
  "apps/deployments": IN_SPEC,
  "apps/replicasets": IN_SPEC,
  "apps/statefulsets": IN_SPEC,
  "apps/daemonsets": IN_SPEC,
  "batch/jobs": IN_SPEC,
  "batch/cronjobs": ["spec", "jobTemplate", "spec", "template"],
};

export const podSecurity: AdmissionPlugin = {
  name: "PodSecurity",
  handles({ operation, group, resource, subresource }) {
    if (operation !== "CREATE" && operation !== "UPDATE") return false;
    const path = `${group}/${resource}`;
    if (path === "/pods") {
      return subresource === "" || subresource === "ephemeralcontainers";
    }
    const known = path === "/namespaces" || path in TEMPLATES;
    return known && subresource === "";
  },
  validate(ctx) {
    const { request, server, namespace, object, old } = ctx;
    const path = `${request.group}/${request.resource}`;
    if (path === "/namespaces") {
      if (isLabelled(object) || isLabelled(old)) checkNamespace(ctx);
      return;
    }
    const found = server.storageOf("namespaces").get("", namespace);
    const policy = policyFor(found);
    if (policy) checkPods(ctx, policy, TEMPLATES[path]);
    else if (path === "/pods") ctx.annotations = UNRESTRICTED;
  },
};

/** The audit log is told even where all is allowed. */
const UNRESTRICTED = new Map([
  [`${PREFIX}enforce-policy`, "privileged:latest"],
]);

/** What namespaces ask, as read once; nothing where all is allowed. */
const policies = new WeakMap<KubeObject, Policy | false>();

function policyFor(namespace: KubeObject | undefined): Policy | false {
  if (!namespace) return false;
  let policy = policies.get(namespace);
  if (policy === undefined) {
    policy = isLabelled(namespace) && strictPolicy(namespace.metadata.labels);
    policies.set(namespace, policy);
  }
  return policy;
}

function isLabelled(namespace: KubeObject | undefined): boolean {
  const labels = Object.keys(namespace?.metadata.labels ?? {});
  return labels.some((label) => label.startsWith(PREFIX));
}

function strictPolicy(labels: Readonly<Record<string, string>> | undefined) {
  const read = policyOf(labels);
  const asks = [read.enforce, read.audit, read.warn];
  return asks.some(({ level }) => level !== "privileged") && read;
}

/**
 * /livez, /readyz and the older /healthz: a list of checks, all of which must
 * pass. Why one failed is not told to everybody.
 * Models:     apiserver/pkg/server/healthz/healthz.go, the post-start hooks of
 *             cmd/kube-apiserver @ v1.36
 * Leaves out: hooks that fail: what they start is there from the beginning.
 */
import { resourceNotFound } from "../../api/status.ts";
import { etcdProblem } from "../health.ts";
import { andThen, type MaybePromise } from "../maybe.ts";
import type { ApiServer } from "../server.ts";
import { plainText } from "./encode.ts";

export const HEALTH_PATH = /^\/(livez|readyz|healthz)(?:\/(.*))?$/;

/** `+`: a hook after the start; `*`: of readiness alone. */
const CHECKS = `ping log etcd *etcd-readiness *informer-sync
+start-apiserver-admission-initializer +generic-apiserver-start-informers
+priority-and-fairness-config-consumer +priority-and-fairness-filter
+storage-object-count-tracker-hook +start-apiextensions-informers
+start-apiextensions-controllers +crd-informer-synced
+start-system-namespaces-controller
+start-cluster-authentication-info-controller
+start-kube-apiserver-identity-lease-controller
+start-kube-apiserver-identity-lease-garbage-collector
+start-legacy-token-tracking-controller +start-service-ip-repair-controllers
+rbac/bootstrap-roles +scheduling/bootstrap-system-priority-classes
+priority-and-fairness-config-producer +bootstrap-controller
+start-kubernetes-service-cidr-controller +aggregator-reload-proxy-client-cert
+start-kube-aggregator-informers +apiservice-status-local-available-controller
+apiservice-status-remote-available-controller
+apiservice-registration-controller +apiservice-discovery-controller
+kube-apiserver-autoregistration autoregister-completion
+apiservice-openapi-controller +apiservice-openapiv3-controller *shutdown`;

function checksOf(what: string): string[] {
  return CHECKS.split(/\s+/)
    .filter((name) => what === "readyz" || !name.startsWith("*"))
    .map((name) => name.replace("*", "").replace("+", "poststarthook/"));
}

/** Answers a path that HEALTH_PATH takes. Throws 404 for no such check. */
export function health(
  server: ApiServer,
  url: URL,
  path: string,
): MaybePromise<Response> {
  const [, what = "", check] = HEALTH_PATH.exec(path) ?? [];
  const checks = checksOf(what);
  if (check && !checks.includes(check)) throw resourceNotFound();
  const asked = check ? [check] : checks;
  const excluded = check ? [] : url.searchParams.getAll("exclude");
  const probes = asked.some((name) => isOfEtcd(name, excluded));
  return andThen(probes ? etcdProblem(server) : "", (problem) => {
    const failed = (name: string) => problem !== "" && isOfEtcd(name, excluded);
    if (check) {
      const text = `internal server error: ${problem}\n`;
      return failed(check) ? plainText(text, 500) : plainText("ok");
    }
    const lines = checks.map((name) => {
      if (excluded.includes(name)) return `[+]${name} excluded: ok\n`;
      return failed(name)
        ? `[-]${name} failed: reason withheld\n`
        : `[+]${name} ok\n`;
    });
    const told = lines.join("") + notExcluded(excluded, checks);
    if (checks.some(failed))
      return plainText(`${told}${what} check failed\n`, 500);
    const verbose = url.searchParams.has("verbose");
    return plainText(verbose ? `${told}${what} check passed\n` : "ok");
  });
}

function isOfEtcd(name: string, excluded: readonly string[]): boolean {
  return name.startsWith("etcd") && !excluded.includes(name);
}

function notExcluded(
  excluded: readonly string[],
  checks: readonly string[],
): string {
  const unknown = [...new Set(excluded)].filter((one) => !checks.includes(one));
  if (unknown.length === 0) return "";
  const names = unknown.sort().map((name) => JSON.stringify(name));
  return `warn: some health checks cannot be excluded: no matches for ${names.join(",")}\n`;
}

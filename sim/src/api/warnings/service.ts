/**
 * What is accepted in a Service and has no effect, or is on its way out.
 * Models:     pkg/api/service/warnings.go @ v1.36
 * Leaves out: addresses that are written in an unusual way.
 */
import { obj, strings } from "../kinds/access.ts";
import type { Obj } from "../kinds/definition.ts";

const oldHints = "service.kubernetes.io/topology-aware-hints";
const hints = "service.kubernetes.io/topology-mode";

export function serviceWarnings({ metadata, spec: fields }: Obj): string[] {
  const spec = obj(fields);
  const { type } = spec;
  const warnings: string[] = [];
  const say = (wrong: unknown, text: string) => {
    if (wrong) warnings.push(text);
  };
  const headless = type === "ClusterIP" && spec.clusterIP === "None";
  const elsewhere = type === "ExternalName";
  const outside = strings(spec.externalIPs).length > 0;
  say(
    metadata.annotations?.[oldHints] !== undefined,
    `annotation ${oldHints} is deprecated, please use ${hints} instead`,
  );
  const ignored = "is ignored for headless services";
  say(headless && spec.loadBalancerIP, `spec.loadBalancerIP ${ignored}`);
  say(headless && outside, `spec.externalIPs ${ignored}`);
  say(
    headless && spec.sessionAffinity !== "None",
    `spec.SessionAffinity ${ignored}`,
  );
  say(
    outside && !headless && !elsewhere,
    "spec.externalIPs is deprecated and may no longer be implemented in some clusters",
  );
  say(
    elsewhere && outside,
    'spec.externalIPs is ignored when spec.type is "ExternalName"',
  );
  say(
    !elsewhere && spec.externalName,
    'spec.externalName is ignored when spec.type is not "ExternalName"',
  );
  say(
    spec.trafficDistribution === "PreferClose",
    'spec.trafficDistribution: "PreferClose" is deprecated; use "PreferSameZone"',
  );
  return warnings;
}

/**
 * IP families of a Service in a cluster that has IPv4 alone.
 * Models:     initIPFamilyFields of pkg/registry/core/service/storage/alloc.go
 * Leaves out: IPv6 addresses; dual-stack is told as what is asked, not given.
 */
import { obj, str, strings } from "../../../api/kinds/access.ts";
import type { JsonObject } from "../../../api/types.ts";

/** `spec` with families and policy, as its addresses and selector imply. */
export function withFamilies(spec: JsonObject): JsonObject {
  if (spec.type === "ExternalName") return spec;
  const families = strings(spec.ipFamilies);
  let policy = str(spec.ipFamilyPolicy);
  const headless =
    (str(spec.clusterIP) || strings(spec.clusterIPs)[0]) === "None";
  const selects = Object.keys(obj(spec.selector)).length > 0;
  if (headless && !selects) {
    // Nobody knows what the endpoints will be: allow both.
    policy ||= families.length === 1 ? "SingleStack" : "RequireDualStack";
    const both = policy === "SingleStack" ? ["IPv4"] : ["IPv4", "IPv6"];
    const ipFamilies = families.length > 0 ? completed(families, both) : both;
    return { ...spec, ipFamilies, ipFamilyPolicy: policy };
  }
  policy ||= "SingleStack";
  const ipFamilies = families.length > 0 ? families : ["IPv4"];
  return { ...spec, ipFamilies, ipFamilyPolicy: policy };
}

function completed(asked: readonly string[], both: readonly string[]) {
  if (both.length === 1) return asked;
  return [...asked, ...both.filter((family) => !asked.includes(family))];
}

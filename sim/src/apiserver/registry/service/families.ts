/**
 * IP families of a Service in a cluster that has IPv4 alone: what is wrong
 * with those asked for, else those that its addresses and selector imply.
 * Models:     initIPFamilyFields of pkg/registry/core/service/storage/alloc.go
 * Leaves out: a second range of addresses.
 */
import { type FieldError, invalid } from "../../../api/field-error.ts";
import { isIpv6 } from "../../../api/ip.ts";
import { obj, same, str, strings } from "../../../api/kinds/access.ts";
import { addressErrors } from "../../../api/kinds/service-addresses.ts";
import type { JsonObject } from "../../../api/types.ts";

/** Called with what is wrong; does not return. */
export type Refuse = (errors: readonly FieldError[]) => never;

/** `spec` with families and policy; `before` is empty for a new Service. */
export function withFamilies(
  spec: JsonObject,
  before: JsonObject,
  refuse: Refuse,
): JsonObject {
  if (spec.type === "ExternalName") return spec;
  const ipFamilies = spec.ipFamilies ?? ["IPv4"];
  const said = spec.ipFamilyPolicy ?? before.ipFamilyPolicy ?? "SingleStack";
  const next = { ...spec, ipFamilies, ipFamilyPolicy: "SingleStack" };
  // Almost all are so.
  return `${ipFamilies} ${said} ${spec.clusterIP ?? ""}`.match(
    /^IPv4 SingleStack (?!None)/,
  ) && addressErrors(next).length === 0
    ? next
    : unusual(spec, before, refuse);
}

function unusual(
  spec: JsonObject,
  before: JsonObject,
  refuse: Refuse,
): JsonObject {
  const selects = Object.keys(obj(spec.selector)).length > 0;
  const open = spec.clusterIP === "None" && !selects;
  const ipFamilyPolicy =
    str(spec.ipFamilyPolicy) ||
    str(before.ipFamilyPolicy) ||
    (open ? "RequireDualStack" : "SingleStack");
  const next = { ...spec, ipFamilyPolicy };
  const wrong = addressErrors(next);
  if (wrong.length > 0) refuse(wrong);
  const families = asked(next, before);
  const clashes = [
    ...policyErrors(next, families, before),
    ...addressFamilyErrors(next, families),
  ];
  if (clashes.length > 0) refuse(clashes);
  if (open) {
    // Nobody knows what the endpoints will be: both may be allowed.
    const ipFamilies = completed(families, ipFamilyPolicy);
    return { ...next, ipFamilies };
  }
  const unknown = configErrors(next, families);
  if (unknown.length > 0) refuse(unknown);
  return { ...next, ipFamilies: families.length > 0 ? families : ["IPv4"] };
}

/** To go back to one family it is enough to say so. */
function asked(spec: JsonObject, before: JsonObject): readonly string[] {
  const families = strings(spec.ipFamilies);
  const single = spec.ipFamilyPolicy === "SingleStack";
  const kept = same(families, strings(before.ipFamilies));
  return single && kept ? families.slice(0, 1) : families;
}

const policyPath = "spec.ipFamilyPolicy";

function policyErrors(
  { ipFamilyPolicy: policy, clusterIPs }: JsonObject,
  families: readonly string[],
  before: JsonObject,
): FieldError[] {
  const wrong = (is: boolean, why: string) =>
    is ? [invalid(policyPath, policy, why)] : [];
  if (policy !== "SingleStack") {
    const had = strings(before.ipFamilies).length;
    const less = families.length > 0 && families.length < had;
    const rule = "must be 'SingleStack' to release the secondary IP family";
    return wrong(less, rule);
  }
  const rule = "must be 'RequireDualStack' or 'PreferDualStack' when multiple";
  return [
    ...wrong(
      strings(clusterIPs).length === 2,
      `${rule} cluster IPs are specified`,
    ),
    ...wrong(families.length === 2, `${rule} IP families are specified`),
  ];
}

function addressFamilyErrors(
  { clusterIPs }: JsonObject,
  families: readonly string[],
): FieldError[] {
  const why = "IPv6 is not configured on this cluster";
  return strings(clusterIPs).flatMap((ip, i) =>
    i >= families.length && isIpv6(ip)
      ? [invalid(`spec.clusterIPs[${i}]`, strings(clusterIPs), why)]
      : [],
  );
}

function completed(families: readonly string[], policy: string) {
  const first = families[0] ?? "IPv4";
  if (families.length > 1) return families;
  if (policy === "SingleStack") return [first];
  return [first, first === "IPv4" ? "IPv6" : "IPv4"];
}

function configErrors(
  { ipFamilyPolicy: policy }: JsonObject,
  families: readonly string[],
): FieldError[] {
  const dual = "this cluster is not configured for dual-stack services";
  return [
    ...(policy === "RequireDualStack"
      ? [invalid(policyPath, policy, dual)]
      : []),
    ...families.flatMap((family, i) =>
      family === "IPv4"
        ? []
        : [
            invalid(
              `spec.ipFamilies[${i}]`,
              family,
              "not configured on this cluster",
            ),
          ],
    ),
  ];
}

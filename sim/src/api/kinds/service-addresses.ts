/**
 * What a Service may say of its own addresses and their families.
 * Models: ValidateServiceClusterIPsRelatedFields,
 *         validateUpgradeDowngrade{ClusterIPs,IPFamilies} of
 *         pkg/apis/core/validation/validation.go @ v1.36
 */
import {
  duplicate,
  type FieldError,
  invalid,
  notSupported,
  required,
} from "../field-error.ts";
import { ipErrors, isIpv6 } from "../ip.ts";
import type { JsonObject } from "../types.ts";
import { strings } from "./access.ts";
import { optionalChoiceErrors } from "./shared-validation.ts";

const families = ["IPv4", "IPv6"];
const policies = ["PreferDualStack", "RequireDualStack", "SingleStack"];

export function isHeadless(spec: JsonObject): boolean {
  const ips = strings(spec.clusterIPs);
  return ips.length === 1 && ips[0] === "None";
}

export function addressErrors(spec: JsonObject): FieldError[] {
  return spec.type === "ExternalName" || isPlain(spec) ? [] : allErrors(spec);
}

const plainIp = /^((25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(\.(?!$)|$)){4}$/;

/** One address, well written, of IPv4: as almost all Services have it. */
function isPlain(spec: JsonObject): boolean {
  const [ip, more] = strings(spec.clusterIPs);
  const said = `${spec.ipFamilies ?? "IPv4"} ${spec.ipFamilyPolicy ?? single}`;
  const one = ip === spec.clusterIP && more === undefined;
  return one && (!ip || plainIp.test(ip)) && said === `IPv4 ${single}`;
}

const single = "SingleStack";

function allErrors(spec: JsonObject): FieldError[] {
  const errors = pairErrors(spec);
  const asked = strings(spec.ipFamilies);
  for (const [i, family] of asked.entries()) {
    const path = `spec.ipFamilies[${i}]`;
    if (!families.includes(family))
      errors.push(notSupported(path, family, families));
    if (asked.indexOf(family) < i) errors.push(duplicate(path, family));
  }
  const { ipFamilyPolicy: policy } = spec;
  return [
    ...errors,
    ...optionalChoiceErrors(policy, "spec.ipFamilyPolicy", policies),
    ...ipListErrors(spec),
  ];
}

/** `clusterIP` is the first of `clusterIPs`. */
function pairErrors({ clusterIP, clusterIPs }: JsonObject): FieldError[] {
  const path = "spec.clusterIPs";
  const ips = strings(clusterIPs);
  if (!clusterIP) {
    const rule = "must be empty when `clusterIP` is not specified";
    return ips.length > 0 ? [invalid(path, ips, rule)] : [];
  }
  if (ips.length === 0) return [required(path)];
  const rule = "first value must match `clusterIP`";
  return ips[0] === clusterIP ? [] : [invalid(path, ips, rule)];
}

function ipListErrors(spec: JsonObject): FieldError[] {
  const path = "spec.clusterIPs";
  const ips = strings(spec.clusterIPs);
  const wrong = ips.flatMap((ip, i) => {
    if (i > 0 || ip !== "None") return ipErrors(ip, `${path}[${i}]`);
    const rule = "'None' must be the first and only value";
    return ips.length > 1 ? [invalid(path, ips, rule)] : [];
  });
  const errors = [...wrong];
  if (ips.length > 2) {
    errors.push(invalid(path, ips, "may only hold up to 2 values"));
  }
  if (wrong.length > 0) return errors;
  if (ips.length > 1 && !(ips.some(isIpv6) && !ips.every(isIpv6))) {
    const rule = "may specify no more than one IP for each IP family";
    errors.push(invalid(path, ips, rule));
  }
  if (isHeadless(spec)) return errors;
  for (const [i, family] of strings(spec.ipFamilies).entries()) {
    const ip = ips[i];
    if (ip === undefined || (family === "IPv6") === isIpv6(ip)) continue;
    const rule = `expected an ${family} value as indicated by \`ipFamilies[${i}]\``;
    errors.push(invalid(`${path}[${i}]`, ip, rule));
  }
  return errors;
}

const unchanging = "may not change once set";

/** What has been given stays, but where the type goes to a name or comes from one. */
export function addressChange(
  spec: JsonObject,
  before: JsonObject,
): FieldError[] {
  if (spec.type === "ExternalName" || before.type === "ExternalName") return [];
  const [headless, was] = [isHeadless(spec), isHeadless(before)];
  return [
    ...(headless && was ? [] : changed(spec, before, "clusterIPs")),
    ...(headless || was ? [] : changed(spec, before, "ipFamilies")),
  ];
}

function changed(
  spec: JsonObject,
  before: JsonObject,
  field: "clusterIPs" | "ipFamilies",
): FieldError[] {
  const [now, was] = [strings(spec[field]), strings(before[field])];
  const [path, first] = [`spec.${field}`, `spec.${field}[0]`];
  const one = field === "clusterIPs" ? "clusterIP" : "ipFamily";
  if (now.length === was.length) {
    return was.flatMap((value, i) => {
      const where = field === "clusterIPs" ? `${path}[${i}]` : first;
      return value === now[i] ? [] : [invalid(where, now, unchanging)];
    });
  }
  const errors: FieldError[] = [];
  const less = now.length < was.length;
  if (less && strings(spec.clusterIPs).length === 0) {
    errors.push(invalid(first, now, `primary ${one} can not be unset`));
  }
  if (was.length > 0 && now.length > 0 && now[0] !== was[0]) {
    // Of families upstream shows the addresses.
    errors.push(invalid(first, strings(spec.clusterIPs), unchanging));
  }
  if (less && now.length === 1 && spec.ipFamilyPolicy !== "SingleStack") {
    const rule = `must be set to 'SingleStack' when releasing the secondary ${one}`;
    const policy = spec.ipFamilyPolicy ?? null;
    errors.push(invalid("spec.ipFamilyPolicy", policy, rule));
  }
  return errors;
}

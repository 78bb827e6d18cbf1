/**
 * What a ServiceCIDR may say: one range of each family of addresses.
 * Models: ValidateServiceCIDR{,Update} of pkg/apis/networking/validation/
 *         validation.go @ v1.36
 */
import { type FieldError, invalid, required } from "../field-error.ts";
import { cidrErrors, isIpv6 } from "../ip.ts";
import { obj, strings } from "./access.ts";
import type { Obj } from "./definition.ts";

const path = "spec.cidrs";

export function serviceCidrErrors({ spec }: Obj): FieldError[] {
  const cidrs = strings(obj(spec).cidrs);
  if (cidrs.length === 0) return [required(path, "at least one CIDR required")];
  const wrong = (rule: string) => [invalid(path, { CIDRs: cidrs }, rule)];
  if (cidrs.length > 2) return wrong("may only hold up to 2 values");
  if (cidrs.length === 2 && !areOfBoth(cidrs))
    return wrong(
      "may specify no more than one IP for each IP family, i.e 192.168.0.0/24 and 2001:db8::/64",
    );
  return cidrs.flatMap((cidr, i) => cidrErrors(cidr, `${path}[${i}]`));
}

function areOfBoth(cidrs: readonly string[]): boolean {
  if (cidrs.some((cidr) => cidrErrors(cidr, path).length > 0)) return false;
  const [one, other] = cidrs.map((cidr) => isIpv6(cidr.split("/")[0]!));
  return one !== other;
}

/** The ranges stay; one of the other family may join. */
export function serviceCidrChange({ spec }: Obj, old: Obj): FieldError[] {
  const [now, before] = [
    strings(obj(spec).cidrs),
    strings(obj(old.spec).cidrs),
  ];
  const fixed = "field is immutable";
  const joins = before.length === 1 && now.length === 2;
  if (now.length !== before.length && !joins)
    return [invalid(path, now, fixed)];
  return before.flatMap((cidr, i) =>
    now[i] === cidr ? [] : [invalid(`${path}[${i}]`, now[i], fixed)],
  );
}

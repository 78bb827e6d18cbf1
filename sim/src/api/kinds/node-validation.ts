/**
 * What a Node may say, and what may change in it.
 * Models:     ValidateNode, ValidateNodeUpdate of
 *             pkg/apis/core/validation/validation.go @ v1.36
 * Leaves out: taints in annotations, and `configSource`, which nobody reads.
 */
import {
  duplicate,
  type FieldError,
  forbidden,
  internal,
  invalid,
  notSupported,
  required,
} from "../field-error.ts";
import { quote } from "../go-text.ts";
import { cidrErrors, isIpv6, isWithin } from "../ip.ts";
import { labelKey, labelValue } from "../names.ts";
import { list, map, obj, str, strings } from "./access.ts";
import type { Obj } from "./definition.ts";
import { internalFields } from "./internal-json.ts";
import { amountErrors } from "./resource-names.ts";

const effects = ["NoSchedule", "PreferNoSchedule", "NoExecute"];

export function nodeErrors(node: Obj): FieldError[] {
  const { podCIDRs } = obj(node.spec);
  return [
    ...taintsErrors(node),
    ...amountsErrors(node),
    ...(podCIDRs ? networkErrors(strings(podCIDRs)) : []),
  ];
}

function taintsErrors({ spec }: Obj): FieldError[] {
  const errors: FieldError[] = [];
  const used = new Set<string>();
  for (const [i, taint] of list(obj(spec).taints).entries()) {
    const path = `metadata.taints[${i}]`;
    const [key, value, effect] = [
      str(taint.key),
      str(taint.value),
      str(taint.effect),
    ];
    for (const text of labelKey(key))
      errors.push(invalid(`${path}.key`, key, text));
    const texts = labelValue(value);
    if (texts.length > 0)
      errors.push(invalid(`${path}.value`, value, texts.join(";")));
    if (!effect) errors.push(required(`${path}.effect`));
    else if (!effects.includes(effect)) {
      errors.push(notSupported(`${path}.effect`, effect, effects));
    }
    const pair = `${key} ${effect}`;
    if (used.has(pair)) {
      const fields = ["key", "value", "effect", "timeAdded"];
      const shown = internalFields("Taint", fields, taint);
      const rule = "taints must be unique by key and effect pair";
      errors.push(duplicate(path, shown, rule));
    }
    used.add(pair);
  }
  return errors;
}

function amountsErrors({ status }: Obj): FieldError[] {
  return ["capacity", "allocatable"].flatMap((field) =>
    Object.entries(map(obj(status)[field])).flatMap(([name, amount]) =>
      amountErrors(name, amount, `status.${field}.${name}`),
    ),
  );
}

/** Networks of its Pods: one, or one of each family. */
function networkErrors(cidrs: readonly string[]): FieldError[] {
  const path = "spec.podCIDRs";
  const errors = cidrs.flatMap((cidr, i) => cidrErrors(cidr, `${path}[${i}]`));
  if (cidrs.length < 2) return errors;
  const bad = cidrs.find((cidr) => isWithin(cidr, "::/0") === "no inner");
  if (bad !== undefined) {
    const why = `failed to parse cidr value:${quote(bad)} with error:invalid CIDR address: ${bad}`;
    const rule = `invalid PodCIDRs. failed to check with dual stack with error:${why}`;
    errors.push(internal(path, rule));
  }
  const six = cidrs.filter((cidr) => isIpv6(cidr.split("/")[0] ?? ""));
  const dual = bad === undefined && six.length > 0 && six.length < cidrs.length;
  if (!dual || cidrs.length > 2) {
    const rule = "may specify no more than one CIDR for each IP family";
    errors.push(invalid(path, cidrs, rule));
  }
  return errors.concat(
    cidrs.flatMap((cidr, i) =>
      cidrs.indexOf(cidr) < i ? [duplicate(`${path}[${i}]`, cidr)] : [],
    ),
  );
}

export function nodeChange(node: Obj, old: Obj): FieldError[] {
  const [spec, before] = [obj(node.spec), obj(old.spec)];
  const errors = [...amountsErrors(node), ...addressErrors(node)];
  const [last, next] = [strings(before.podCIDRs), strings(spec.podCIDRs)];
  // Networks and the provider's name are given once.
  const fixed = (field: string, name: string) => {
    const rule = `node updates may not change ${name} except from "" to valid`;
    errors.push(forbidden(`spec.${field}`, rule));
  };
  if (last.length > 0 && last.length !== next.length)
    fixed("podCIDRs", "podCIDR");
  else {
    for (const [i, cidr] of last.entries())
      if (cidr !== next[i]) fixed("podCIDRs", "podCIDR");
  }
  if (before.providerID && spec.providerID !== before.providerID)
    fixed("providerID", "providerID");
  errors.push(...taintsErrors(node));
  if ((spec.externalID ?? "") !== (before.externalID ?? ""))
    errors.push(forbidden("spec.externalID", "may not be updated"));
  return errors;
}

function addressErrors({ status }: Obj): FieldError[] {
  const seen = new Set<string>();
  return list(obj(status).addresses).flatMap((one, i) => {
    const shown = { Type: str(one.type), Address: str(one.address) };
    const key = `${shown.Type} ${shown.Address}`;
    const again = seen.has(key);
    seen.add(key);
    return again ? [duplicate(`status.addresses[${i}]`, shown)] : [];
  });
}

/**
 * What a PriorityLevelConfiguration may say.
 * Models: ValidatePriorityLevelConfiguration of
 *         pkg/apis/flowcontrol/validation/validation.go @ v1.36
 */
import {
  type FieldError,
  forbidden,
  invalid,
  notSupported,
  required,
} from "../field-error.ts";
import type { JsonObject } from "../types.ts";
import { num, obj, same, str } from "./access.ts";
import type { Obj } from "./definition.ts";
import { mandatoryLevel } from "./flow-mandatory.ts";
import { internalJson } from "./internal-json.ts";
import { rangeErrors } from "./shared-validation.ts";

const queuesMax = 10_000_000;
/** Bits of the hash that deals a flow its hand of queues. */
const hashBits = 60;
const notNegative = "must be a non-negative integer";

export function priorityLevelErrors({ metadata, spec }: Obj): FieldError[] {
  const name = metadata.name ?? "";
  const said = obj(spec);
  const isExempt = name === "exempt";
  const errors: FieldError[] = [];
  if (isExempt !== (said.type === "Exempt")) {
    const rule = "type must be 'Exempt' if and only if name is 'exempt'";
    errors.push(invalid("spec.type", str(said.type), rule));
  }
  errors.push(...typeErrors(said));
  const fixed = mandatoryLevel(name);
  if (!fixed) return errors;
  // What the exempt level lends is the administrator's.
  const compared = isExempt ? { ...said, exempt: fixed.exempt } : said;
  if (same(fixed, compared)) return errors;
  const but = isExempt ? " except the 'spec.exempt' field" : "";
  const shown = internalJson("PriorityLevelConfigurationSpec", said);
  const rule = `spec of '${name}'${but} must equal the fixed value`;
  return [...errors, invalid("spec", shown, rule)];
}

function typeErrors({ type, exempt, limited }: JsonObject): FieldError[] {
  if (type === "Exempt") {
    const rule = "must be nil if the type is not Limited";
    return [
      ...(limited ? [forbidden("spec.limited", rule)] : []),
      ...(exempt
        ? exemptErrors(obj(exempt))
        : [required("spec.exempt", "must not be empty when type is Exempt")]),
    ];
  }
  if (type !== "Limited")
    return [notSupported("spec.type", str(type), ["Exempt", "Limited"])];
  const rule = "must be nil if the type is Limited";
  return [
    ...(exempt ? [forbidden("spec.exempt", rule)] : []),
    ...(limited
      ? limitedErrors(obj(limited))
      : [required("spec.limited", "must not be empty when type is Limited")]),
  ];
}

function exemptErrors(exempt: JsonObject): FieldError[] {
  return [
    ...shareErrors(exempt, "spec.exempt"),
    ...rangeErrors(
      exempt.lendablePercent,
      "spec.exempt.lendablePercent",
      0,
      100,
    ),
  ];
}

function shareErrors(level: JsonObject, path: string): FieldError[] {
  const shares = num(level.nominalConcurrencyShares);
  if (shares >= 0) return [];
  return [invalid(`${path}.nominalConcurrencyShares`, shares, notNegative)];
}

function limitedErrors(limited: JsonObject): FieldError[] {
  const path = "spec.limited";
  const { lendablePercent: lent, borrowingLimitPercent } = limited;
  const errors = [
    ...shareErrors(limited, path),
    ...responseErrors(obj(limited.limitResponse), `${path}.limitResponse`),
    ...rangeErrors(lent, `${path}.lendablePercent`, 0, 100),
  ];
  if (num(borrowingLimitPercent) >= 0) return errors;
  const rule = `if specified, ${notNegative}`;
  const where = `${path}.borrowingLimitPercent`;
  return [...errors, invalid(where, borrowingLimitPercent, rule)];
}

function responseErrors(
  { type, queuing }: JsonObject,
  path: string,
): FieldError[] {
  const where = `${path}.queuing`;
  // Upstream's own words: the type is meant to be Queue.
  const when = "if limited.limitResponse.type is";
  if (type === "Reject") {
    const rule = `must be nil ${when} not Limited`;
    return queuing ? [forbidden(where, rule)] : [];
  }
  if (type !== "Queue")
    return [notSupported(`${path}.type`, str(type), ["Queue", "Reject"])];
  if (queuing) return queuingErrors(obj(queuing), where);
  return [required(where, `must not be empty ${when} Limited`)];
}

function queuingErrors(queuing: JsonObject, path: string): FieldError[] {
  const [queues, hand] = [num(queuing.queues), num(queuing.handSize)];
  const length = num(queuing.queueLengthLimit);
  const wrong = (field: string, value: number, rule: string) =>
    errors.push(invalid(`${path}.${field}`, value, rule));
  const errors: FieldError[] = [];
  const positive = "must be positive";
  if (length <= 0) wrong("queueLengthLimit", length, positive);
  if (queues <= 0) wrong("queues", queues, positive);
  else if (queues > queuesMax)
    wrong("queues", queues, `must not be greater than ${queuesMax}`);
  if (hand <= 0) wrong("handSize", hand, positive);
  else if (hand > queues)
    wrong("handSize", hand, `should not be greater than queues (${queues})`);
  else if (Math.ceil(Math.log2(queues) * hand) > hashBits) {
    const rule = `required entropy bits of deckSize ${queues} and handSize ${hand} should not be greater than ${hashBits}`;
    wrong("handSize", hand, rule);
  }
  return errors;
}

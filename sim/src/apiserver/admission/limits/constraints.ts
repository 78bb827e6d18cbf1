/**
 * What a LimitRange says of one container, Pod or claim; each breach in
 * upstream's words.
 * Models: plugin/pkg/admission/limitranger/admission.go @ v1.36
 */
import { map, str } from "../../../api/kinds/access.ts";
import { isMore, milliValue, parseQuantity } from "../../../api/quantity.ts";
import type { JsonObject } from "../../../api/types.ts";
import type { Amounts } from "./amounts.ts";

/** Everything in `amounts` that the item of a LimitRange forbids. */
export function breaches(item: JsonObject, amounts: Amounts): string[] {
  const type = str(item.type);
  return [
    ...each(item.min, (name, least) => tooLittle(name, type, least, amounts)),
    ...each(item.max, (name, most) => tooMuch(name, type, most, amounts)),
    ...each(item.maxLimitRequestRatio, (name, ratio) =>
      tooUneven(name, type, ratio, amounts),
    ),
  ];
}

function each(
  constraints: JsonObject[string],
  check: (name: string, bound: string) => string | undefined,
): string[] {
  return Object.entries(map(constraints)).flatMap(
    ([name, bound]) => check(name, bound) ?? [],
  );
}

function tooLittle(
  name: string,
  type: string,
  least: string,
  { requests, limits }: Amounts,
): string | undefined {
  const rule = `minimum ${name} usage per ${type} is ${least}`;
  const [request, limit] = [requests[name], limits[name]];
  if (request === undefined) return `${rule}.  No request is specified`;
  if (isMore(least, request)) return `${rule}, but request is ${request}`;
  if (limit !== undefined && isMore(least, limit)) {
    return `${rule}, but limit is ${limit}`;
  }
  return undefined;
}

function tooMuch(
  name: string,
  type: string,
  most: string,
  { requests, limits }: Amounts,
): string | undefined {
  const rule = `maximum ${name} usage per ${type} is ${most}`;
  const [request, limit] = [requests[name], limits[name]];
  if (limit === undefined) return `${rule}.  No limit is specified`;
  if (isMore(limit, most)) return `${rule}, but limit is ${limit}`;
  if (request !== undefined && isMore(request, most)) {
    return `${rule}, but request is ${request}`;
  }
  return undefined;
}

function tooUneven(
  name: string,
  type: string,
  most: string,
  { requests, limits }: Amounts,
): string | undefined {
  const rule = `${name} max limit to request ratio per ${type} is ${most}`;
  const [request, limit] = [milli(requests[name]), milli(limits[name])];
  if (request === 0) {
    return `${rule}, but no request is specified or request is 0`;
  }
  if (limit === 0) return `${rule}, but no limit is specified or limit is 0`;
  const ratio = limit / request;
  if (ratio * 1000 <= milli(most)) return undefined;
  return `${rule}, but provided ratio is ${ratio.toFixed(6)}`;
}

function milli(text: string | undefined): number {
  return text === undefined ? 0 : Number(milliValue(parseQuantity(text)));
}

/** A claim asks for storage only: bounds of its request. */
export function claimBreaches(item: JsonObject, request: string): string[] {
  const type = str(item.type);
  const [least, most] = [map(item.min).storage, map(item.max).storage];
  const found: string[] = [];
  if (least !== undefined && isMore(least, request)) {
    found.push(
      `minimum storage usage per ${type} is ${least}, but request is ${request}`,
    );
  }
  if (most !== undefined && isMore(request, most)) {
    found.push(
      `maximum storage usage per ${type} is ${most}, but request is ${request}`,
    );
  }
  return found;
}

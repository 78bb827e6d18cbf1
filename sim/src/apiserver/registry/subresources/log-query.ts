/**
 * Which lines of a log are asked for.
 * Models:     pkg/apis/core/validation/validation.go
 *             (ValidatePodLogOptions), pkg/registry/core/pod/strategy.go @ v1.36
 */
import { forbidden, invalid } from "../../../api/field-error.ts";
import { invalidObject } from "../../../api/status.ts";
import type { RequestContext } from "../../context.ts";
import { noNumber } from "../list-options.ts";

export interface LogOptions {
  readonly container: string;
  readonly previous: boolean;
  readonly tailLines?: number;
  readonly timestamps: boolean;
  /** Lines of this moment and later, in ms since 1970. */
  readonly sinceMs?: number;
  readonly limitBytes?: number;
}

type Query = { readonly [name: string]: string | undefined };

const NUMBERS = ["sinceSeconds", "tailLines", "limitBytes"];

/** Throws 400 or 422. */
export function checkLogQuery({ name }: RequestContext, query: Query): void {
  for (const field of NUMBERS) {
    const text = query[field];
    if (text !== undefined && !/^[-+]?\d+$/.test(text)) throw noNumber(text);
  }
  const least = (field: string, count: number) => {
    const given = query[field];
    if (given === undefined || Number(given) >= count) return [];
    const why =
      count === 0
        ? "must be greater than or equal to 0"
        : "must be greater than 0";
    return [invalid(field, Number(given), why)];
  };
  const both = query.sinceSeconds && query.sinceTime;
  const why = "at most one of `sinceTime` or `sinceSeconds` may be specified";
  const errors = [
    ...least("tailLines", 0),
    ...least("limitBytes", 1),
    ...(both ? [forbidden("", why)] : least("sinceSeconds", 1)),
  ];
  if (errors.length > 0)
    throw invalidObject({ group: "", kind: "PodLogOptions" }, name, errors);
}

/** Anything counts as true. */
function isTrue(text = "0"): boolean {
  return text !== "0" && text.toLowerCase() !== "false";
}

export function logOptions(
  { server: { kernel } }: RequestContext,
  container: string,
  query: Query,
): LogOptions {
  const { tailLines, limitBytes, sinceSeconds, sinceTime } = query;
  const nowMs = Date.parse(kernel.microTimestamp());
  const sinceMs = sinceSeconds
    ? nowMs - Number(sinceSeconds) * 1000
    : Date.parse(sinceTime ?? "");
  return {
    container,
    previous: isTrue(query.previous),
    timestamps: isTrue(query.timestamps),
    ...(tailLines ? { tailLines: Number(tailLines) } : {}),
    ...(Number.isNaN(sinceMs) ? {} : { sinceMs }),
    ...(limitBytes ? { limitBytes: Number(limitBytes) } : {}),
  };
}

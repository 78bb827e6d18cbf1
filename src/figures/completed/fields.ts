/**
 * What a Pod was given on its way through the API server, by who gave it: the
 * body that kubectl sent, the object after each change, the object as stored.
 */
import type { TraceEntry } from "@shikumi/sim";
import { createsOf } from "../stations/ways.ts";

export interface Gift {
  /** `decode`, a plugin's name, or `store`. */
  readonly by: string;
  /** `spec.restartPolicy: Always`, `spec.tolerations: […]`. */
  readonly fields: readonly string[];
}

type Value = unknown;
interface Step {
  readonly by?: string;
  readonly before?: Value;
  readonly after?: Value;
  readonly verdict?: string;
}

/** Of the first Pod that kubectl makes. */
export function giftsOf(entries: readonly TraceEntry[]): Gift[] {
  const request = createsOf(entries)[0]!;
  const sent = (request.detail as { request: { body: Value } }).request.body;
  const own = entries.filter(({ causeId }) => causeId === request.id);
  const changes = own
    .filter(({ verb }) => verb === "mutate")
    .map(({ detail }) => detail as Step)
    .filter(({ verdict }) => verdict === "change");
  const write = own.findLast(
    ({ verb, subject }) => verb === "write" && subject.startsWith("Pod "),
  )!;
  const stored = (write.detail as Step).after;
  return [
    { by: "decode", fields: added(sent, changes[0]?.before).filter(isNews) },
    ...changes.map(({ by = "", before, after }) => ({ by, fields: added(before, after) })),
    { by: "store", fields: added(changes.at(-1)?.after, stored) },
  ];
}

const isNews = (field: string) => field !== "status: {}";

/** Fields of `after` that `before` has not, the outermost new one alone. */
export function added(before: Value, after: Value, path = ""): string[] {
  if (before === undefined || (isEmpty(before) && !isEmpty(after))) return [line(path, after)];
  if (typeof after !== "object" || after === null) {
    return before === after ? [] : [line(path, after)];
  }
  const old = before as Record<string, Value>;
  return Object.entries(after).flatMap(([key, value]) => {
    if (key === "managedFields") return []; // kubectl does not show it either.
    const step = Array.isArray(after) ? `[${key}]` : `${path ? "." : ""}${key}`;
    return added(old[key], value, `${path}${step}`);
  });
}

const isEmpty = (value: Value) =>
  typeof value === "object" && value !== null && Object.keys(value).length === 0;

const LONG = 40;

function line(path: string, value: Value): string {
  const more = (text: string) => `${path}: ${text}`;
  if (Array.isArray(value)) return more("[…]");
  if (isEmpty(value)) return more("{}");
  if (typeof value === "object" && value !== null) return more("{…}");
  return more(String(value).length > LONG ? "…" : String(value));
}

/**
 * kubectl describe of the limits of a namespace: ResourceQuota, LimitRange;
 * the Namespace shows both.
 * Models:     kubectl/pkg/describe/describe.go (describeQuota,
 *             describeLimitRange) @ v1.36
 */
import { list, map, obj, strings } from "../../api/kinds/access.ts";
import type { Obj } from "../../api/kinds/definition.ts";
import type { JsonObject } from "../../api/types.ts";
import { type Describer, writeName } from "./subject.ts";
import type { Writer } from "./writer.ts";

/** What a scope means; those of later versions have no sentence. */
const SCOPES: { readonly [scope: string]: string } = {
  Terminating:
    "Matches all pods that have an active deadline. These pods have a limited lifespan on a node before being actively terminated by the system.",
  NotTerminating:
    "Matches all pods that do not have an active deadline. These pods usually include long running pods whose container command is not expected to terminate.",
  BestEffort:
    "Matches all pods that do not have resource requirements set. These pods have a best effort quality of service.",
  NotBestEffort:
    "Matches all pods that have at least one resource requirement set. These pods have a burstable or guaranteed quality of service.",
};

export const describeQuota: Describer = async (subject) => {
  const { w, object } = subject;
  writeName(subject);
  writeScopes(w, object, 0, " *");
  w.line(0, "Resource\tUsed\tHard");
  w.line(0, "--------\t----\t----");
  writeAmounts(w, object, 0);
};

/** As a Namespace shows it. */
export function writeQuota(w: Writer, quota: Obj): void {
  w.field(1, "Name", quota.metadata.name);
  writeScopes(w, quota, 1, "*");
  w.line(1, "Resource\tUsed\tHard");
  w.line(1, "--------\t---\t---");
  writeAmounts(w, quota, 1);
}

function writeScopes(w: Writer, quota: Obj, level: number, mark: string): void {
  const scopes = strings(obj(quota.spec).scopes).toSorted();
  if (scopes.length === 0) return;
  w.field(level, "Scopes", scopes.join(", "));
  for (const scope of scopes) {
    if (Object.hasOwn(SCOPES, scope)) w.line(level, `${mark} ${SCOPES[scope]}`);
  }
}

function writeAmounts(w: Writer, quota: Obj, level: number): void {
  const { hard, used } = obj(quota.status);
  for (const name of Object.keys(map(hard)).toSorted())
    w.line(level, `${name}\t${map(used)[name] ?? "0"}\t${map(hard)[name]}`);
}

const LIMIT_HEADER = [
  "Type\tResource\tMin\tMax\tDefault Request\tDefault Limit\tMax Limit/Request Ratio",
  "----\t--------\t---\t---\t---------------\t-------------\t-----------------------",
];

export const describeLimitRange: Describer = async (subject) => {
  const { w, spec } = subject;
  writeName(subject);
  for (const line of LIMIT_HEADER) w.line(0, line);
  for (const line of limitLines(spec)) w.line(0, line);
};

/** As a Namespace shows them. */
export function writeLimits(w: Writer, ranges: readonly Obj[]): void {
  w.line(0, "Resource Limits");
  const lines = ranges.flatMap(({ spec }) => limitLines(obj(spec)));
  for (const line of [...LIMIT_HEADER, ...lines]) w.line(0, ` ${line}`);
}

/** A line a resource. Upstream's come in no order, ours by name. */
function limitLines(spec: JsonObject): string[] {
  const columns = ["min", "max", "defaultRequest", "default"];
  columns.push("maxLimitRequestRatio");
  return list(spec.limits).flatMap((item) => {
    const all = columns.map((column) => map(item[column]));
    const names = new Set(all.flatMap((one) => Object.keys(one)));
    return [...names].toSorted().map((name) => {
      const cells = all.map((one) => one[name] ?? "-");
      return `${item.type}\t${name}\t${cells.join("\t")}`;
    });
  });
}

/**
 * A namespace that becomes stricter: its labels must be readable, and who
 * changes them is told which of its Pods would no longer be let in.
 * Models: ValidateNamespace of
 *         k8s.io/pod-security-admission/admission/admission.go @ v1.36
 */
import { obj, same } from "../../../api/kinds/access.ts";
import type { Obj } from "../../../api/kinds/definition.ts";
import { invalidObject } from "../../../api/status.ts";
import type { RequestContext } from "../../context.ts";
import { findings, reasonsOf } from "./evaluate.ts";
import {
  compareLevels,
  type LevelVersion,
  policyOf,
  policyText,
} from "./policy.ts";
import { subjectOf } from "./words.ts";

/** Most Pods that are looked at. */
const PODS_MAX = 3000;

export function checkNamespace(ctx: RequestContext): void {
  const { object, old } = ctx;
  const labels = object!.metadata.labels;
  if (old && labels === old.metadata.labels) return;
  const { enforce, errors } = policyOf(labels);
  const before = old && policyOf(old.metadata.labels);
  // What could not be read before may stay as it is.
  if (errors.length > 0 && !same(errors, before?.errors)) {
    throw invalidObject(ctx.resource.kind, object!.metadata.name, errors);
  }
  if (before && isStricter(enforce, before.enforce)) {
    ctx.warnings.push(...warningsFor(ctx, object!.metadata.name, enforce));
  }
}

function isStricter(now: LevelVersion, before: LevelVersion): boolean {
  if (now.level === "privileged") return false;
  if (now.minor !== before.minor) return true;
  return compareLevels(now.level, before.level) > 0;
}

function warningsFor(
  { server }: RequestContext,
  namespace: string,
  enforce: LevelVersion,
): string[] {
  const pods = server.storageOf("pods").cache.list(namespace) as Obj[];
  const counts = new Map<string, { name: string; others: number }>();
  for (const { metadata, spec } of pods.slice(0, PODS_MAX)) {
    const subject = subjectOf(obj(spec), metadata.annotations);
    const reasons = reasonsOf(findings(subject, enforce));
    const known = counts.get(reasons);
    if (known) known.others++;
    else if (reasons) counts.set(reasons, { name: metadata.name, others: 0 });
  }
  const told = [...counts].map(([reasons, { name, others }]) => {
    const more = others === 1 ? "1 other pod" : `${others} other pods`;
    return `${name}${others > 0 ? ` (and ${more})` : ""}: ${reasons}`;
  });
  const warnings: string[] = [];
  if (pods.length > PODS_MAX) {
    warnings.push(
      `new PodSecurity enforce level only checked against the first ${PODS_MAX} of ${pods.length} existing pods`,
    );
  }
  if (told.length > 0) {
    warnings.push(
      `existing pods in namespace "${namespace}" violate the new PodSecurity enforce level "${policyText(enforce)}"`,
    );
  }
  return [...warnings, ...told.sort()];
}

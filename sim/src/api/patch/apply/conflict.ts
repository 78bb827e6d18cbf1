/**
 * The error of an apply that would take fields from others.
 * Models:     apimachinery/pkg/util/managedfields/internal/conflict.go @ v1.36
 */
import { quote } from "../../go-text.ts";
import { applyConflict } from "../../status.ts";
import { pathsOf, pathText } from "./field-set.ts";
import type { Ownership } from "./managers.ts";
import { idOf } from "./managers.ts";

/** Throws if there is a conflict. `set` holds the fields in conflict. */
export function conflictError(conflicts: readonly Ownership[]): void {
  const sorted = conflicts.toSorted((a, b) => (idOf(a) < idOf(b) ? -1 : 1));
  const found = sorted.flatMap((owner) =>
    pathsOf(owner.set).map((path) => ({ owner, field: pathText(path) })),
  );
  const [only] = found;
  if (!only) return;
  const causes = found.map(({ owner, field }) => ({
    reason: "FieldManagerConflict",
    message: `conflict with ${managerText(owner)}`,
    field,
  }));
  throw applyConflict(causes, message(sorted, found.length));
}

function message(owners: readonly Ownership[], count: number): string {
  const [first] = owners;
  if (count === 1 && first) {
    const [path = []] = pathsOf(first.set);
    return `Apply failed with 1 conflict: conflict with ${managerText(first)}: ${pathText(path)}`;
  }
  const lines = owners.flatMap((owner) => [
    `conflicts with ${managerText(owner)}:`,
    ...pathsOf(owner.set).map((path) => `- ${pathText(path)}`),
  ]);
  return `Apply failed with ${count} conflicts: ${lines.join("\n")}`;
}

/** `"golden" using apps/v1`; appliers have no version. */
function managerText({
  manager,
  operation,
  apiVersion,
  subresource,
}: Ownership): string {
  const where = subresource ? ` with subresource ${quote(subresource)}` : "";
  const version = operation === "Update" ? ` using ${apiVersion}` : "";
  return quote(manager) + where + version;
}

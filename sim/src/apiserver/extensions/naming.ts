/**
 * Names of a group belong to the definition that had them first.
 * Models: apiextensions-apiserver/pkg/controller/{status/naming_controller,
 *         establish/establishing_controller}.go @ v1.36
 */
import { aggregate } from "../../api/field-error.ts";
import { quote } from "../../api/go-text.ts";
import { list, obj, str, strings } from "../../api/kinds/access.ts";
import type { Obj } from "../../api/kinds/definition.ts";
import type { JsonObject } from "../../api/types.ts";

export interface NameConflict {
  readonly reason: string;
  readonly message: string;
  /** The fields of `spec.names` that are taken. */
  readonly fields: readonly string[];
}

export function isEstablished({ status }: Obj): boolean {
  return list(obj(status).conditions).some(
    (one) => one.type === "Established" && one.status === "True",
  );
}

/** The last conflict is the one that is told. */
export function nameConflict(
  crd: Obj,
  all: readonly Obj[],
): NameConflict | undefined {
  const spec = obj(crd.spec);
  const names = obj(spec.names);
  const own = obj(obj(crd.status).acceptedNames);
  const others = all
    .filter(({ spec: one }) => obj(one).group === spec.group)
    .filter(({ metadata }) => metadata.name !== crd.metadata.name)
    .map(({ status }) => obj(obj(status).acceptedNames));
  const resources = new Set(
    others.flatMap(({ plural, singular, shortNames }) => [
      ...[str(plural), str(singular)],
      ...strings(shortNames),
    ]),
  );
  const kinds = new Set(
    others.flatMap(({ kind, listKind }) => [str(kind), str(listKind)]),
  );
  const conflicts: [field: string, message: string][] = [];
  const look = (field: string, used: ReadonlySet<string>) => {
    const name = str(names[field]);
    if (name === own[field] || !used.has(name)) return;
    conflicts.push([field, inUse(name)]);
  };
  look("plural", resources);
  look("singular", resources);
  const had = strings(own.shortNames);
  const short = strings(names.shortNames)
    .filter((name) => !had.includes(name) && resources.has(name))
    .map(inUse);
  if (short.length > 0) conflicts.push(["shortNames", aggregate(short)]);
  look("kind", kinds);
  look("listKind", kinds);
  const last = conflicts.at(-1);
  if (!last) return undefined;
  const [field, message] = last;
  const reason = `${field.charAt(0).toUpperCase()}${field.slice(1)}Conflict`;
  return { reason, message, fields: conflicts.map(([one]) => one) };
}

function inUse(name: string): string {
  return `${quote(name)} is already in use`;
}

/** The status with the names that are granted, and what is said of them. */
export function namedStatus(
  crd: Obj,
  conflict: NameConflict | undefined,
  now: string,
): JsonObject {
  const status = obj(crd.status);
  const before = list(status.conditions);
  const set = (
    type: string,
    is: string,
    reason: string,
    message: string,
  ): JsonObject => {
    const known = before.find((one) => one.type === type);
    const kept = known?.status === is ? known.lastTransitionTime : now;
    return { type, status: is, lastTransitionTime: kept, reason, message };
  };
  const accepted = conflict
    ? set("NamesAccepted", "False", conflict.reason, conflict.message)
    : set("NamesAccepted", "True", "NoConflicts", "no conflicts found");
  const known = before.find((one) => one.type === "Established");
  const told = "the initial names have been accepted";
  const fresh = conflict
    ? set("Established", "False", "NotAccepted", "not all names are accepted")
    : set("Established", "True", "InitialNamesAccepted", told);
  // Once it is established it stays so.
  const established = known?.status === "True" ? known : fresh;
  const others = before.filter(
    ({ type }) => type !== "NamesAccepted" && type !== "Established",
  );
  const wanted = obj(obj(crd.spec).names);
  const own = obj(status.acceptedNames);
  const acceptedNames: { [field: string]: JsonObject[string] } = {};
  for (const field of Object.keys(wanted)) {
    const taken = conflict?.fields.includes(field);
    acceptedNames[field] = taken ? own[field] : wanted[field];
  }
  for (const field of ["kind", "plural"]) acceptedNames[field] ??= "";
  return {
    ...status,
    conditions: [...others, accepted, established],
    acceptedNames,
  };
}

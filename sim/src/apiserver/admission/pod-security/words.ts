/** How checks say what they found, and how they look at containers. */
import { list, obj, str } from "../../../api/kinds/access.ts";
import type { JsonObject } from "../../../api/types.ts";

/** A Pod as the checks see it. */
export interface Subject {
  readonly spec: JsonObject;
  /** Its own security context. */
  readonly own: JsonObject;
  readonly annotations: Readonly<Record<string, string>>;
  readonly containers: readonly JsonObject[];
}

export function subjectOf(
  spec: JsonObject,
  annotations: Readonly<Record<string, string>> = {},
): Subject {
  const containers = [
    ...list(spec.initContainers),
    ...list(spec.containers),
    ...list(spec.ephemeralContainers),
  ];
  return { spec, own: obj(spec.securityContext), annotations, containers };
}

/** `a` for one, `as` for more. */
export function plural(one: string, more: string, count: number): string {
  return count === 1 ? one : more;
}

/** `"a", "b"` */
export function quoted(items: readonly string[]): string {
  return `"${items.join('", "')}"`;
}

/** `container "a"`, `containers "a", "b"` */
export function containersText(names: readonly string[]): string {
  return `${plural("container", "containers", names.length)} ${quoted(names)}`;
}

/** `pod and container "a"`: who set what should not be set. */
export function setters(pod: boolean, names: readonly string[]): string {
  const all = names.length > 0 ? [containersText(names)] : [];
  return [...(pod ? ["pod"] : []), ...all].join(" and ");
}

/** Names of the containers that the test picks by their security context. */
export function namesWhere(
  { containers }: Subject,
  test: (context: JsonObject, container: JsonObject) => boolean,
): string[] {
  return containers
    .filter((one) => test(obj(one.securityContext), one))
    .map(({ name }) => str(name));
}

/** Each once, in order. */
export function sorted(items: Iterable<string>): string[] {
  return [...new Set(items)].sort();
}

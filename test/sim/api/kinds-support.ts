/** Small objects for the tests of kinds. */
import { aggregate, fieldErrorText } from "../../../sim/src/api/field-error.ts";
import { type Kind, newKinds } from "../../../sim/src/api/kinds/index.ts";
import type { KubeObject } from "../../../sim/src/api/types.ts";

export const kinds = newKinds();

export function kindOf(apiVersion: string, kind: string): Kind {
  const found = kinds.kindOf(apiVersion, kind);
  if (!found) throw new Error(`no kind ${apiVersion} ${kind}`);
  return found;
}

type Fields = { readonly [field: string]: unknown };

/** An object as a client sends it, in Namespace default if it has one. */
export function sent(apiVersion: string, kind: string, fields: Fields, name = "x"): KubeObject {
  const { namespaced } = kindOf(apiVersion, kind);
  const place = namespaced ? { namespace: "default" } : {};
  return { apiVersion, kind, metadata: { name, ...place }, ...fields };
}

/** The same as the server keeps it. */
export function defaulted(object: KubeObject): KubeObject {
  return kinds.applyDefaults(kindOf(object.apiVersion, object.kind), object);
}

/** What a create of it would be told; "" if it is good. */
export function complaint(object: KubeObject): string {
  const kind = kindOf(object.apiVersion, object.kind);
  const prepared = kind.strategy.prepareForCreate(defaulted(object));
  return text(kind.validateCreate(prepared));
}

/** What an update would be told. Both are defaulted first. */
export function changeComplaint(next: KubeObject, old: KubeObject): string {
  const kind = kindOf(next.apiVersion, next.kind);
  const [now, before] = [next, old].map((object) =>
    defaulted({ ...object, metadata: { ...object.metadata, resourceVersion: "1", uid: "u" } }),
  ) as [KubeObject, KubeObject];
  return text(kind.validateUpdate(kind.strategy.prepareForUpdate(now, before), before));
}

function text(errors: Parameters<typeof fieldErrorText>[0][] | readonly unknown[]): string {
  const all = errors as Parameters<typeof fieldErrorText>[0][];
  return all.length > 0 ? aggregate(all.map(fieldErrorText)) : "";
}

export const container = { name: "c", image: "nginx" };

export function pod(spec: Fields): KubeObject {
  return sent("v1", "Pod", { spec: { containers: [container], ...spec } });
}

export const template = {
  metadata: { labels: { app: "web" } },
  spec: { containers: [container] },
};
export const selector = { matchLabels: { app: "web" } };

export function workload(kind: string, spec: Fields): KubeObject {
  return sent("apps/v1", kind, { spec: { selector, template, ...spec } });
}

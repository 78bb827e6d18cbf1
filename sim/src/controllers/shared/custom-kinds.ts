/**
 * The kinds that CustomResourceDefinitions add to those that are built in.
 * Who watches all kinds looks every 30 s which there are.
 * Models: Sync of pkg/controller/{garbagecollector,resourcequota}, fed by
 *         discovery's ServerPreferredResources @ v1.36
 */
import { CustomResourceDefinition } from "../../api/kinds/customresourcedefinition.ts";
import type { ResourceRef } from "../../api/resource.ts";
import type { ComponentContext } from "../../client/component.ts";
import type { Informer } from "../../client/informer.ts";

const SYNC_MS = 30_000;

/** A kind in the version that clients prefer, and its other versions. */
export interface CustomKind {
  readonly ref: ResourceRef;
  readonly others: readonly ResourceRef[];
}

type Context = Pick<ComponentContext, "kernel" | "informers">;

/** Gives the built-in kinds and those that are added now. */
export function allKinds(
  { informers }: Context,
  builtIn: readonly ResourceRef[],
): () => readonly ResourceRef[] {
  const definitions = informers.informer(CustomResourceDefinition);
  return () => [...builtIn, ...kindsOf(definitions).map(({ ref }) => ref)];
}

/** The same with all versions of those that are added. */
export function allVersions(
  { informers }: Context,
  builtIn: readonly ResourceRef[],
): () => readonly ResourceRef[] {
  const definitions = informers.informer(CustomResourceDefinition);
  const versions = ({ ref, others }: CustomKind) => [ref, ...others];
  return () => [...builtIn, ...kindsOf(definitions).flatMap(versions)];
}

/** Tells at each look which came and which went; returns how to end it. */
export function followCustomKinds(
  { kernel, informers }: Context,
  on: { added(kind: CustomKind): void; removed(kind: CustomKind): void },
): () => void {
  const definitions = informers.informer(CustomResourceDefinition);
  const began = kernel.now();
  let known = new Map<string, CustomKind>();
  let planned = false;
  const look = () => {
    planned = false;
    const found = new Map(
      kindsOf(definitions).map((one) => [textOf(one), one]),
    );
    for (const [text, one] of known) if (!found.has(text)) on.removed(one);
    for (const [text, one] of found) if (!known.has(text)) on.added(one);
    known = found;
  };
  // Without a change there is nothing to see: no look is planned.
  const plan = () => {
    if (planned) return;
    planned = true;
    const age = kernel.now() - began;
    kernel.after(SYNC_MS - (age % SYNC_MS), look);
  };
  return definitions.onChange({ added: plan, updated: plan, deleted: plan });
}

function textOf({ ref, others }: CustomKind): string {
  return JSON.stringify([ref, others]);
}

function kindsOf(
  definitions: Informer<CustomResourceDefinition>,
): CustomKind[] {
  return definitions.list().flatMap(({ spec, status }) => {
    const isThere = status?.conditions?.some(
      ({ type, status: is }) => type === "Established" && is === "True",
    );
    const { group, names, scope } = spec;
    const namespaced = scope === "Namespaced";
    const { kind, plural: resource } = names;
    const [ref, ...others] = spec.versions
      .filter(({ served }) => served)
      .map(({ name }) => name)
      .sort(byPreference)
      .map((version) => ({ group, version, kind, resource, namespaced }));
    return ref && isThere ? [{ ref, others }] : [];
  });
}

/** v2 before v1, v1 before v1beta2, that before v1alpha1, then the rest. */
function byPreference(a: string, b: string): number {
  const [x, y] = [rankOf(a), rankOf(b)];
  const at = x.findIndex((part, i) => part !== y[i]);
  return at < 0 ? (a < b ? -1 : 1) : y[at]! - x[at]!;
}

function rankOf(version: string): number[] {
  const [, major, stage, minor] =
    /^v([1-9]\d*)(?:(alpha|beta)([1-9]\d*))?$/.exec(version) ?? [];
  if (!major) return [0, 0, 0];
  const stability = stage === "alpha" ? 1 : stage === "beta" ? 2 : 3;
  return [stability, Number(major), Number(minor ?? 0)];
}

/** All objects as the writes so far have left them, and questions about them. */
import { list, obj, str } from "../../sim/src/api/kinds/access.ts";
import type { ApiRequest, WriteDetail } from "../../sim/src/api/transport.ts";
import type { KubeObject } from "../../sim/src/api/types.ts";
import type { Plan } from "./plan.ts";

export type Loose = ReturnType<typeof obj>;

/** A law that does not hold. */
export class Broken extends Error {}

/** Something that must hold after every write; throws Broken if it does not. */
export interface Law {
  look(write: WriteDetail): void;
}

export const specOf = (object: KubeObject): Loose => obj((object as { spec?: unknown }).spec);
export const statusOf = (object: KubeObject): Loose => obj((object as { status?: unknown }).status);

export const keyOf = ({ kind, apiVersion, metadata }: KubeObject): string =>
  `${apiVersion}/${kind} ${metadata.namespace ?? ""}/${metadata.name}`;

/** uid of the owner that controls the object, "" if none does. */
export function controllerUid({ metadata }: KubeObject): string {
  return metadata.ownerReferences?.find((one) => one.controller)?.uid ?? "";
}

/** Succeeded and Failed are over; who is being deleted is no more counted. */
export function isActive(pod: KubeObject): boolean {
  return !isOver(pod) && !pod.metadata.deletionTimestamp;
}

export function isOver(pod: KubeObject): boolean {
  const phase = str(statusOf(pod).phase);
  return phase === "Succeeded" || phase === "Failed";
}

export function isReady(pod: KubeObject): boolean {
  return hasCondition(pod, "Ready");
}

export function hasCondition(object: KubeObject, name: string, reason?: string): boolean {
  return list(statusOf(object).conditions).some(
    (one) =>
      one.type === name && one.status === "True" && (reason === undefined || one.reason === reason),
  );
}

/** Ready, and not on its way out. */
export const serves = (pod: KubeObject | undefined): boolean =>
  pod !== undefined && isReady(pod) && isActive(pod);

export function matches(labels: { readonly [key: string]: string } | undefined, selector: Loose) {
  const wanted = Object.entries(obj(selector.matchLabels));
  return wanted.every(([key, value]) => labels?.[key] === value);
}

export class World {
  readonly plan: Plan;
  /** Simulated ms. */
  readonly now: () => number;
  /** Every object, by `keyOf`. */
  readonly objects = new Map<string, KubeObject>();
  /** Requests that an API server works on now. */
  readonly requests = new Set<ApiRequest>();
  private readonly byUid = new Map<string, KubeObject>();
  private readonly owned = new Map<string, Map<string, KubeObject>>();

  constructor(plan: Plan, now: () => number) {
    this.plan = plan;
    this.now = now;
  }

  take({ before, after }: WriteDetail): void {
    const object = (after ?? before)!;
    const { uid = "" } = object.metadata;
    if (after) this.objects.set(keyOf(object), after);
    else this.objects.delete(keyOf(object));
    if (after) this.byUid.set(uid, after);
    else this.byUid.delete(uid);
    if (before) this.owned.get(controllerUid(before))?.delete(uid);
    if (!after) return;
    const owner = controllerUid(after);
    if (!owner) return;
    const children = this.owned.get(owner) ?? new Map<string, KubeObject>();
    this.owned.set(owner, children.set(uid, after));
  }

  /** The object with this uid, if it is there and of this kind. */
  find(kind: string, uid: string): KubeObject | undefined {
    const found = this.byUid.get(uid);
    return found?.kind === kind ? found : undefined;
  }

  /** What the owner controls, of one kind. */
  ownedBy(uid: string, kind: string): KubeObject[] {
    return [...(this.owned.get(uid)?.values() ?? [])].filter((one) => one.kind === kind);
  }

  all(kind: string, namespace?: string): KubeObject[] {
    return [...this.objects.values()].filter(
      (one) =>
        one.kind === kind && (namespace === undefined || one.metadata.namespace === namespace),
    );
  }
}

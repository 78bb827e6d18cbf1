/**
 * The Pods of each ReplicaSet, counted as their watch events come, so that a
 * reconcile does not go through a thousand Pods because one became ready.
 * Upstream goes through them all; what it finds is the same.
 * Models: FilterActivePods, calculateStatus of pkg/controller @ v1.36
 */
import type { Pod } from "../../api/kinds/pod.ts";
import type { ReplicaSet } from "../../api/kinds/replicaset.ts";
import { selectorFor, setSelector } from "../../api/selector.ts";
import { controllerOf, keyOf, type ObjectKey } from "../../api/types.ts";
import type { ChangeHandlers, Informer } from "../../client/informer.ts";
import * as pods from "../shared/pods.ts";

/** The Pods of one ReplicaSet, and what its status says of them. */
export interface Owned {
  readonly active: readonly Pod[];
  /** Of all: asked to go, and not yet ended. */
  readonly terminating: number;
  /** Of the active ones: with all labels of the template. */
  readonly labeled: number;
  readonly ready: number;
}

const NO_LABELS = Object.freeze({});

/** Counts a list of Pods. */
export function count(rs: ReplicaSet, owned: readonly Pod[]): Owned {
  const counted = new Counted(rs);
  for (const pod of owned) counted.add(pod);
  return counted;
}

/** Keeps the counts of all ReplicaSets; hears what an informer hears. */
export class Tally implements ChangeHandlers<Pod> {
  private readonly pods: Informer<Pod>;
  private readonly byOwner = new Map<string, Counted>();

  constructor(informer: Informer<Pod>) {
    this.pods = informer;
  }

  added(pod: Pod): void {
    this.of(pod)?.add(pod);
  }

  updated(pod: Pod, old: Pod): void {
    const counted = this.of(pod);
    if (counted !== this.of(old)) this.deleted(old);
    else if (counted?.replace(pod, old)) return;
    this.deleted(pod);
  }

  /** Its owner's Pods are counted anew when next asked for. */
  deleted(pod: Pod): void {
    this.byOwner.delete(controllerOf(pod)?.uid ?? "");
  }

  /**
   * The counts as they are now; later events do not change them. Undefined
   * if a Pod is to be adopted or released, which takes a look at each.
   */
  owned(rs: ReplicaSet): Owned | undefined {
    const { namespace, uid = "" } = rs.metadata;
    const selector = selectorFor(rs.spec.selector);
    const orphans = pods.orphansIn(this.pods, namespace);
    if (orphans.some((pod) => selector.matches(pod.metadata.labels))) return;
    let counted = this.byOwner.get(uid);
    const total = this.pods.countByIndex(pods.BY_CONTROLLER, uid);
    if (counted?.total !== total || !counted.isOf(rs)) {
      counted = new Counted(rs);
      for (const pod of pods.ownedBy(this.pods, rs)) counted.add(pod);
      this.byOwner.set(uid, counted);
    }
    return counted.strays > 0 ? undefined : counted.copy();
  }

  /** The ReplicaSet is gone. */
  drop({ metadata }: ReplicaSet): void {
    this.byOwner.delete(metadata.uid ?? "");
  }

  private of(pod: Pod): Counted | undefined {
    return this.byOwner.get(controllerOf(pod)?.uid ?? "");
  }
}

class Counted implements Owned {
  readonly active: Pod[] = [];
  terminating = 0;
  labeled = 0;
  ready = 0;
  /** Not ended, and not of the selector: to be released. */
  strays = 0;
  /** With those that have ended. */
  total = 0;
  private readonly places = new Map<ObjectKey, number>();
  private readonly spec: ReplicaSet["spec"];

  constructor({ spec }: ReplicaSet) {
    this.spec = spec;
  }

  /** Labels are compared with what they were compared with before. */
  isOf({ spec }: ReplicaSet): boolean {
    const { selector, template } = this.spec;
    return spec.selector === selector && spec.template === template;
  }

  add(pod: Pod): void {
    this.total++;
    if (pods.isTerminated(pod)) return;
    this.tell(pod, 1);
    if (!pods.isActive(pod)) return;
    this.places.set(keyOf(pod), this.active.length);
    this.active.push(pod);
  }

  /** False if the Pod is no longer what it was, so that places change. */
  replace(pod: Pod, old: Pod): boolean {
    if (pods.isActive(pod) !== pods.isActive(old)) return false;
    if (pods.isTerminated(pod) !== pods.isTerminated(old)) return false;
    if (pods.isTerminated(pod)) return true;
    this.tell(old, -1);
    this.tell(pod, 1);
    const place = this.places.get(keyOf(pod));
    if (place !== undefined) this.active[place] = pod;
    return true;
  }

  copy(): Owned {
    const { terminating, labeled, ready } = this;
    return { active: this.active.slice(), terminating, labeled, ready };
  }

  private tell(pod: Pod, by: 1 | -1): void {
    const { labels = NO_LABELS } = pod.metadata;
    if (!selectorFor(this.spec.selector).matches(labels)) this.strays += by;
    if (!pods.isActive(pod)) {
      this.terminating += by;
      return;
    }
    const template = this.spec.template?.metadata?.labels ?? NO_LABELS;
    if (setSelector(template).matches(labels)) this.labeled += by;
    if (pods.isReady(pod)) this.ready += by;
  }
}

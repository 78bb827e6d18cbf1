/**
 * ControllerRevisions: the templates that a StatefulSet or DaemonSet had.
 * Models: pkg/controller/history/controller_history.go @ v1.36
 */
import { ControllerRevision } from "../../api/kinds/controllerrevision.ts";
import type { PodTemplateSpec } from "../../api/kinds/types/pod.ts";
import type { ResourceRef } from "../../api/resource.ts";
import { isAlreadyExists, isNotFound } from "../../api/status.ts";
import type { Json, KubeObject, Labels } from "../../api/types.ts";
import type { Client } from "../../client/client.ts";
import { byAge } from "./by-age.ts";
import { equal } from "./equal.ts";
import { json } from "./json.ts";
import { controllerRef } from "./owners.ts";

/** The data of a revision: a patch that puts the template in place. */
export function dataOf(template: PodTemplateSpec): Json {
  return { spec: { template: { ...json(template), $patch: "replace" } } };
}

/** Compact JSON with its keys in order, as Go writes a map. */
export function sortedJson(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(sortedJson).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const fields = Object.entries(value)
    .filter(([, child]) => child !== undefined)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, child]) => `${JSON.stringify(key)}:${sortedJson(child)}`);
  return `{${fields.join(",")}}`;
}

/** Oldest first. */
export function inOrder(
  revisions: readonly ControllerRevision[],
): ControllerRevision[] {
  return revisions.toSorted((a, b) => a.revision - b.revision || byAge(a, b));
}

export function hasData(revision: ControllerRevision, data: Json): boolean {
  return equal(revision.data, data);
}

/** A revision not yet sent. */
export function newRevision(
  ownerRef: ResourceRef,
  owner: KubeObject,
  more: { name: string; labels: Labels; data: Json; revision: number },
): ControllerRevision {
  const { name, labels, data, revision } = more;
  const { namespace, annotations } = owner.metadata;
  return {
    apiVersion: "apps/v1",
    kind: "ControllerRevision",
    metadata: {
      ...{ name, namespace, labels, annotations },
      ownerReferences: [controllerRef(ownerRef, owner)],
    },
    data,
    revision,
  };
}

/**
 * Creates a revision. `make` is called again with the next number of
 * collisions while its name is taken by other data.
 */
export async function createRevision(
  client: Client,
  collisions: number,
  make: (collisions: number) => ControllerRevision,
): Promise<{ revision: ControllerRevision; collisions: number }> {
  for (let count = collisions; ; count++) {
    const wanted = make(count);
    try {
      const revision = await client.create(ControllerRevision, wanted);
      return { revision, collisions: count };
    } catch (error) {
      if (!isAlreadyExists(error)) throw error;
      const { namespace = "", name } = wanted.metadata;
      const found = await client.get(ControllerRevision, namespace, name);
      if (hasData(found, wanted.data)) {
        return { revision: found, collisions: count };
      }
    }
  }
}

/** The same template again: its revision becomes the newest. */
export async function renumberRevision(
  client: Client,
  revision: ControllerRevision,
  number: number,
): Promise<ControllerRevision> {
  if (revision.revision === number) return revision;
  const changed = { ...revision, revision: number };
  return client.update(ControllerRevision, changed);
}

/** Deletes the oldest of `unused` until `limit` are left. */
export async function trimRevisions(
  client: Client,
  unused: readonly ControllerRevision[],
  limit: number,
): Promise<void> {
  const excess = inOrder(unused).slice(0, Math.max(0, unused.length - limit));
  for (const { metadata } of excess) {
    const { namespace = "", name } = metadata;
    try {
      await client.delete(ControllerRevision, namespace, name);
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  }
}

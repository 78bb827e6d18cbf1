/**
 * What a Deployment notes on its ReplicaSets, as annotations: the revision,
 * and how large the Deployment was when the ReplicaSet was last scaled.
 * Models: pkg/controller/deployment/util/deployment_util.go @ v1.36
 */
import type { Deployment } from "../../api/kinds/deployment.ts";
import type { ReplicaSet } from "../../api/kinds/replicaset.ts";
import type { KubeObject, Labels } from "../../api/types.ts";
import { maxSurge, replicasOf } from "./fenceposts.ts";

export const REVISION = "deployment.kubernetes.io/revision";
export const REVISION_HISTORY = "deployment.kubernetes.io/revision-history";
export const DESIRED_REPLICAS = "deployment.kubernetes.io/desired-replicas";
export const MAX_REPLICAS = "deployment.kubernetes.io/max-replicas";

/** Longest list of earlier revisions, in characters. */
const HISTORY_CHARS_MAX = 2000;

const NOT_COPIED = new Set([
  "kubectl.kubernetes.io/last-applied-configuration",
  "deprecated.deployment.rollback.to",
  REVISION,
  REVISION_HISTORY,
  DESIRED_REPLICAS,
  MAX_REPLICAS,
]);

/** The revision noted on an object; 0 if none. */
export function revisionOf(object: KubeObject): number {
  return numberAt(object, REVISION) ?? 0;
}

/** A whole number in an annotation; undefined if there is none. */
export function numberAt(object: KubeObject, key: string): number | undefined {
  const text = object.metadata.annotations?.[key];
  return text !== undefined && /^-?[0-9]+$/.test(text)
    ? Number(text)
    : undefined;
}

/** Size annotations that a ReplicaSet of `deployment` should carry now. */
export function sizeAnnotations(deployment: Deployment): Labels {
  const replicas = replicasOf(deployment);
  return {
    [DESIRED_REPLICAS]: `${replicas}`,
    [MAX_REPLICAS]: `${replicas + maxSurge(deployment)}`,
  };
}

/**
 * The annotations of a ReplicaSet that is, or becomes, the newest: those of
 * the Deployment, and the revision, which only ever rises.
 */
export function annotationsForNew(
  deployment: Deployment,
  rs: Pick<ReplicaSet, "metadata">,
  revision: number,
): Labels {
  const annotations: Record<string, string> = { ...rs.metadata.annotations };
  const source = deployment.metadata.annotations ?? {};
  for (const [key, value] of Object.entries(source)) {
    if (!NOT_COPIED.has(key)) annotations[key] = value;
  }
  const old = annotations[REVISION];
  if (Number(old ?? 0) >= revision) return annotations;
  annotations[REVISION] = `${revision}`;
  if (old === undefined) return annotations;
  const history = withRevision(annotations[REVISION_HISTORY] ?? "", old);
  return { ...annotations, [REVISION_HISTORY]: history };
}

/** Appends a revision; the oldest go when the list gets too long. */
function withRevision(history: string, revision: string): string {
  if (history === "") return revision;
  const revisions = history.split(",");
  let length = history.length + revision.length + 1;
  while (length > HISTORY_CHARS_MAX && revisions.length > 0) {
    length -= revisions.shift()!.length + 1;
  }
  return [...revisions, revision].join(",");
}

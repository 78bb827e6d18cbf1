/**
 * The ReplicaSets as a history: each template has one, numbered by revision.
 * Going back to an old template gives its ReplicaSet a new number.
 * Models: pkg/controller/deployment/sync.go @ v1.36
 */
import { Deployment } from "../../api/kinds/deployment.ts";
import { ReplicaSet } from "../../api/kinds/replicaset.ts";
import { hasCause, isAlreadyExists } from "../../api/status.ts";
import { podTemplateHash } from "../../api/template-hash.ts";
import { controllerOf } from "../../api/types.ts";
import { json } from "../shared/json.ts";
import { controllerRef } from "../shared/owners.ts";
import { NAMESPACE_TERMINATING, textOf } from "../shared/pod-control.ts";
import {
  annotationsForNew,
  REVISION,
  revisionOf,
  sizeAnnotations,
} from "./annotations.ts";
import type { Context, Rollout } from "./context.ts";
import { replicasOf } from "./fenceposts.ts";
import { newReplicas } from "./new-replicas.ts";
import { hasDeadline, progressing, withProgress } from "./progress.ts";
import { findNew, HASH_LABEL, sameTemplate } from "./replicasets.ts";

type Sets = readonly ReplicaSet[];

/** Sorts the ReplicaSets into new and old; the new one may not exist yet. */
export async function findRollout(
  deployment: Deployment,
  sets: Sets,
  ctx: Context,
): Promise<Rollout> {
  const newest = findNew(deployment, sets);
  const old = sets.filter((rs) => rs.metadata.uid !== newest?.metadata.uid);
  if (!newest) return { deployment, newest, old };
  return renumber({ deployment, newest, old }, newest, ctx);
}

/** The same; the new ReplicaSet is created if there is none. */
export async function findOrCreateRollout(
  deployment: Deployment,
  sets: Sets,
  ctx: Context,
): Promise<Rollout> {
  const found = await findRollout(deployment, sets, ctx);
  return found.newest ? found : create(found, ctx);
}

/** Highest revision so far, and one more. */
function nextRevision(old: Sets): number {
  return Math.max(0, ...old.map(revisionOf)) + 1;
}

/** Writes revision and annotations to the new ReplicaSet if they differ. */
async function renumber(
  rollout: Rollout,
  newest: ReplicaSet,
  { client, kernel }: Context,
): Promise<Rollout> {
  const { deployment, old } = rollout;
  const has = newest.metadata.annotations ?? {};
  const wants = annotationsForNew(deployment, newest, nextRevision(old));
  const { minReadySeconds } = deployment.spec;
  const noted = Object.entries(wants).every(([k, v]) => has[k] === v);
  const sameWait =
    (newest.spec.minReadySeconds ?? 0) === (minReadySeconds ?? 0);
  if (!noted || !sameWait) {
    const metadata = { ...newest.metadata, annotations: wants };
    const spec = { ...newest.spec, minReadySeconds };
    const changed = { ...newest, metadata, spec };
    const written = await client.update(ReplicaSet, changed);
    return { ...rollout, newest: written };
  }
  const revision = has[REVISION] ?? "";
  const message = `Found new replica set "${newest.metadata.name}"`;
  const unknown = hasDeadline(deployment) && !progressing(deployment.status);
  const found = unknown
    ? withProgress(deployment, "True", "FoundNewReplicaSet", message, kernel)
    : deployment;
  const numbered = withRevision(found, revision);
  if (numbered === deployment) return rollout;
  await client.updateStatus(Deployment, numbered);
  return { ...rollout, deployment: numbered };
}

function withRevision(deployment: Deployment, revision: string): Deployment {
  const { metadata } = deployment;
  if (metadata.annotations?.[REVISION] === revision) return deployment;
  const annotations = { ...metadata.annotations, [REVISION]: revision };
  return { ...deployment, metadata: { ...metadata, annotations } };
}

// region: new-replicaset
/** The ReplicaSet for the Deployment's template, sized for its first step. */
function newReplicaSet(deployment: Deployment, old: Sets): ReplicaSet {
  const { template, selector, minReadySeconds } = deployment.spec;
  const hash = podTemplateHash(
    json(template),
    deployment.status?.collisionCount,
  );
  const labels = { ...template.metadata?.labels, [HASH_LABEL]: hash };
  const { name, namespace } = deployment.metadata;
  const matchLabels = { ...selector.matchLabels, [HASH_LABEL]: hash };
  const bare: ReplicaSet = {
    apiVersion: "apps/v1",
    kind: "ReplicaSet",
    metadata: {
      name: `${name}-${hash}`,
      namespace,
      labels,
      ownerReferences: [controllerRef(Deployment, deployment)],
    },
    spec: {
      replicas: 0,
      minReadySeconds,
      selector: { ...selector, matchLabels },
      template: { ...template, metadata: { ...template.metadata, labels } },
    },
  };
  const annotations = {
    ...annotationsForNew(deployment, bare, nextRevision(old)),
    ...sizeAnnotations(deployment),
  };
  const replicas = newReplicas(deployment, [...old, bare], bare);
  return {
    ...bare,
    metadata: { ...bare.metadata, annotations },
    spec: { ...bare.spec, replicas },
  };
}
// endregion: new-replicaset

async function create(rollout: Rollout, ctx: Context): Promise<Rollout> {
  const { deployment, old } = rollout;
  const { client, events, kernel } = ctx;
  const wanted = newReplicaSet(deployment, old);
  let newest: ReplicaSet | undefined;
  try {
    newest = await client.create(ReplicaSet, wanted);
  } catch (error) {
    newest = await existing(wanted, deployment, error, ctx);
    const revision = newest.metadata.annotations?.[REVISION] ?? "";
    return writeNew(withRevision(deployment, revision), newest, old, ctx);
  }
  const { name } = newest.metadata;
  if (replicasOf(newest) > 0) {
    const message = `Scaled up replica set ${name} from 0 to ${replicasOf(newest)}`;
    events.event(deployment, "Normal", "ScalingReplicaSet", message);
  }
  const created = hasDeadline(deployment)
    ? withProgress(
        deployment,
        "True",
        "NewReplicaSetCreated",
        `Created new replica set "${name}"`,
        kernel,
      )
    : deployment;
  const revision = newest.metadata.annotations?.[REVISION] ?? "";
  return writeNew(withRevision(created, revision), newest, old, ctx);
}

/**
 * The answer is not read: the next status write of this reconcile meets a
 * conflict and is done by the retry, as upstream.
 */
async function writeNew(
  deployment: Deployment,
  newest: ReplicaSet,
  old: Sets,
  { client }: Context,
): Promise<Rollout> {
  await client.updateStatus(Deployment, deployment);
  return { deployment, newest, old };
}

/**
 * After a failed create: the ReplicaSet of that name if it is ours after all
 * (the cache did not show it yet). Else throws: for a name that another took,
 * once the collision count has changed the hash.
 */
async function existing(
  wanted: ReplicaSet,
  deployment: Deployment,
  error: unknown,
  ctx: Context,
): Promise<ReplicaSet> {
  if (hasCause(error, NAMESPACE_TERMINATING)) throw error;
  if (!isAlreadyExists(error))
    return createFailed(wanted, deployment, error, ctx);
  const { namespace = "", name } = wanted.metadata;
  const found = await ctx.client.get(ReplicaSet, namespace, name);
  const ours = controllerOf(found)?.uid === deployment.metadata.uid;
  const { template } = deployment.spec;
  if (ours && sameTemplate(found.spec.template, template)) return found;
  const collisionCount = (deployment.status?.collisionCount ?? 0) + 1;
  const status = { ...deployment.status, collisionCount };
  await ctx.client.updateStatus(Deployment, { ...deployment, status });
  throw error;
}

async function createFailed(
  wanted: ReplicaSet,
  deployment: Deployment,
  error: unknown,
  { client, events, kernel }: Context,
): Promise<never> {
  const reason = "ReplicaSetCreateError";
  const message = `Failed to create new replica set "${wanted.metadata.name}": ${textOf(error)}`;
  if (hasDeadline(deployment)) {
    const failed = withProgress(deployment, "False", reason, message, kernel);
    await client.updateStatus(Deployment, failed).catch(() => {});
  }
  events.event(deployment, "Warning", reason, message);
  throw error;
}

/**
 * Creates and deletes the Pods of a StatefulSet, with their claims.
 * Models: pkg/controller/statefulset/stateful_pod_control.go @ v1.36
 */
import { aggregate } from "../../api/field-error.ts";
import { PersistentVolumeClaim } from "../../api/kinds/persistentvolumeclaim.ts";
import { Pod } from "../../api/kinds/pod.ts";
import type { StatefulSet } from "../../api/kinds/statefulset.ts";
import { isAlreadyExists, isNotFound } from "../../api/status.ts";
import { keyOf } from "../../api/types.ts";
import { textOf } from "../shared/pod-control.ts";
import type { Context } from "./context.ts";
import { claimsFor, ordinalOf, withIdentity } from "./identity.ts";
import { claimsMatch, settleClaims } from "./retention.ts";

/** The claims first: without them the Pod cannot start. */
export async function createPod(
  set: StatefulSet,
  pod: Pod,
  ctx: Context,
): Promise<void> {
  try {
    await createClaims(set, pod, ctx);
    await ctx.client.create(Pod, pod);
  } catch (error) {
    if (!isAlreadyExists(error)) tell("create", set, pod, error, ctx);
    throw error;
  }
  await settle(set, pod, ctx);
  tell("create", set, pod, undefined, ctx);
}

export async function deletePod(
  set: StatefulSet,
  pod: Pod,
  ctx: Context,
): Promise<void> {
  const { namespace = "", name } = pod.metadata;
  try {
    await ctx.client.delete(Pod, namespace, name);
  } catch (error) {
    if (isNotFound(error)) return;
    tell("delete", set, pod, error, ctx);
    throw error;
  }
  tell("delete", set, pod, undefined, ctx);
}

async function settle(set: StatefulSet, pod: Pod, ctx: Context): Promise<void> {
  try {
    await settleClaims(set, pod, ctx);
  } catch (error) {
    tell("update", set, pod, error, ctx);
    throw error;
  }
}

/** Puts a Pod's identity right again, and the owners of its claims. */
export async function repairPod(
  set: StatefulSet,
  pod: Pod,
  ctx: Context,
): Promise<void> {
  await createClaims(set, pod, ctx);
  if (!claimsMatch(set, pod, ctx)) await settle(set, pod, ctx);
  try {
    await ctx.client.update(Pod, withIdentity(set, pod));
  } catch (error) {
    tell("update", set, pod, error, ctx);
    throw error;
  }
  tell("update", set, pod, undefined, ctx);
}

function tell(
  verb: "create" | "update" | "delete",
  set: StatefulSet,
  pod: Pod,
  error: unknown,
  { events }: Context,
): void {
  const done = verb.replace(/^./, (first) => first.toUpperCase());
  const about = `${done} Pod ${pod.metadata.name} in StatefulSet ${set.metadata.name}`;
  if (error === undefined) {
    const message = `${about} successful`;
    events.event(set, "Normal", `Successful${done}`, message);
  } else {
    const message = `${about} failed error: ${textOf(error)}`;
    events.event(set, "Warning", `Failed${done}`, message);
  }
}

/** Throws if a claim cannot be made, or is about to go. */
export async function createClaims(
  set: StatefulSet,
  pod: Pod,
  { client, claims, events }: Context,
): Promise<void> {
  const podName = pod.metadata.name;
  const errors: string[] = [];
  for (const claim of claimsFor(set, ordinalOf(set, podName))) {
    const { name } = claim.metadata;
    const known = claims.get(keyOf(claim));
    if (known?.metadata.deletionTimestamp) {
      errors.push(`pvc ${name} is being deleted`);
    }
    if (known) continue;
    const where = `Pod ${podName} in StatefulSet ${set.metadata.name}`;
    try {
      await client.create(PersistentVolumeClaim, claim);
      const message = `Create Claim ${name} ${where} success`;
      events.event(set, "Normal", "SuccessfulCreate", message);
    } catch (error) {
      errors.push(`failed to create PVC ${name}: ${textOf(error)}`);
      // It will be seen in the copy soon.
      if (isAlreadyExists(error)) continue;
      const message = `Create Claim ${name} for ${where} failed error: ${textOf(error)}`;
      events.event(set, "Warning", "FailedCreate", message);
    }
  }
  if (errors.length > 0) throw new Error(aggregate(errors));
}

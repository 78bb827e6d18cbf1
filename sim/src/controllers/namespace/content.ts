/**
 * Deletes what a namespace holds, kind by kind, and looks what is left.
 * Models: pkg/controller/namespace/deletion/namespaced_resources_deleter.go
 *         @ v1.36
 */
import type { Namespace } from "../../api/kinds/namespace.ts";
import { Pod } from "../../api/kinds/pod.ts";
import type { ResourceRef } from "../../api/resource.ts";
import type { KubeObject } from "../../api/types.ts";
import type { ComponentContext } from "../../client/component.ts";
import { isTerminated } from "../shared/pods.ts";
import type { Findings } from "./conditions.ts";

interface Context extends ComponentContext {
  kinds(): readonly ResourceRef[];
}

/** Seconds to wait for finalizers, of which nobody knows how long they take. */
const FINALIZER_SECONDS = 15;

/**
 * Pods go first: what they need should outlive them. While they are there,
 * 1.36 forgets to count them: the conditions say that all content is gone.
 */
export async function emptyAll(
  namespace: Namespace,
  ctx: Context,
): Promise<Findings> {
  const findings: Findings = {
    remaining: new Map(),
    finalizers: new Map(),
    failures: [],
    estimateSeconds: 0,
  };
  await emptyKind(Pod, namespace, findings, ctx);
  if (findings.remaining.size > 0) {
    return { ...findings, remaining: new Map(), finalizers: new Map() };
  }
  for (const ref of ctx.kinds()) {
    if (!ref.namespaced || ref.resource === Pod.resource) continue;
    await emptyKind(ref, namespace, findings, ctx);
  }
  return findings;
}

async function emptyKind(
  ref: ResourceRef,
  { metadata }: Namespace,
  findings: Findings,
  { client, kernel }: Context,
): Promise<void> {
  const { name: namespace, deletionTimestamp = "" } = metadata;
  const before = await client.list(ref, namespace);
  if (before.items.length === 0) return;
  const mayTakeSeconds = Math.max(0, ...before.items.map(graceOf));
  const since = (kernel.now() - kernel.msOf(deletionTimestamp)) / 1000;
  // Pods that had all their time since the namespace was deleted are late.
  const graceSeconds = since < mayTakeSeconds ? mayTakeSeconds : 0;
  const propagationPolicy = "Background";
  await client.deleteCollection(ref, namespace, { propagationPolicy });
  const { items } = await client.list(ref, namespace);
  if (items.length === 0) return;
  findings.remaining.set(ref, items.length);
  const names = items.flatMap((item) => item.metadata.finalizers ?? []);
  for (const name of names) {
    findings.finalizers.set(name, (findings.finalizers.get(name) ?? 0) + 1);
  }
  const wait = names.length > 0 ? FINALIZER_SECONDS : 0;
  const seconds = graceSeconds || wait;
  findings.estimateSeconds = Math.max(findings.estimateSeconds, seconds);
  if (seconds > 0) return;
  findings.failures.push(
    `unexpected items still remain in namespace: ${namespace} for gvr: ` +
      `${ref.group}/${ref.version}, Resource=${ref.resource}`,
  );
}

/** Seconds that a Pod may take to stop; 0 for all else. */
function graceOf(object: KubeObject): number {
  if (object.kind !== Pod.kind) return 0;
  // Of kind Pod, so it is one.
  const pod = object as Pod;
  return isTerminated(pod) ? 0 : (pod.spec.terminationGracePeriodSeconds ?? 0);
}

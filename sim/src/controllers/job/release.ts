/**
 * Lets go of Pods that are counted, by taking the Job's finalizer off.
 * Models: pkg/controller/job/job_controller.go
 *         (removeTrackingFinalizerFromPods) @ v1.36
 */
import { Pod } from "../../api/kinds/pod.ts";
import { isNotFound } from "../../api/status.ts";
import { sideBySide } from "../shared/slow-start.ts";
import type { Context } from "./context.ts";
import { TRACKING_FINALIZER } from "./names.ts";

/** Takes the finalizers off; a Pod that is gone has none. */
export async function release(
  pods: readonly Pod[],
  ctx: Context,
): Promise<{ released: string[]; error?: unknown }> {
  const { finalizersGone } = ctx;
  const released: string[] = [];
  for (const pod of pods) finalizersGone.add(uidOf(pod));
  const { error } = await sideBySide(pods.length, async (i) => {
    const pod = pods[i]!;
    try {
      await letGo(pod, ctx);
    } catch (caught) {
      if (!isNotFound(caught)) {
        finalizersGone.delete(uidOf(pod));
        throw caught;
      }
    }
    released.push(uidOf(pod));
  });
  return { released, error };
}

/** Takes the finalizer off one Pod. */
export async function letGo(
  { metadata }: Pod,
  { client }: Pick<Context, "client">,
): Promise<void> {
  const { namespace = "", name, uid } = metadata;
  const key = "$deleteFromPrimitiveList/finalizers";
  const body = { metadata: { uid, [key]: [TRACKING_FINALIZER] } };
  const type = "application/strategic-merge-patch+json";
  await client.patch(Pod, namespace, name, type, body);
}

function uidOf({ metadata }: Pod): string {
  return metadata.uid ?? "";
}

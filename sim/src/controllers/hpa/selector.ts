/**
 * Which Pods an autoscaler measures: those that its target's scale selects.
 * They must be its own: two autoscalers of the same Pods would fight.
 * Models: validateAndParseSelector of pkg/controller/podautoscaler/
 *         horizontal.go @ v1.36
 */
import type { Pod } from "../../api/kinds/pod.ts";
import { parseLabelSelector } from "../../api/selector.ts";
import { keyOf } from "../../api/types.ts";
import { textOf } from "../shared/pod-control.ts";
import type { Autoscaler, Context } from "./context.ts";
import type { StatusDraft } from "./status.ts";

/** The Pods; undefined, and told why, if it cannot say which. */
export function podsUnder(
  hpa: Autoscaler,
  text: string | undefined,
  draft: StatusDraft,
  ctx: Context,
): readonly Pod[] | undefined {
  const fail = (
    reason: string,
    event: string,
    message: string,
    why = message,
  ) => {
    ctx.events.event(hpa, "Warning", event, why);
    draft.set("ScalingActive", "False", reason, message);
    ctx.events.event(hpa, "Warning", "FailedComputeMetricsReplicas", why);
    return undefined;
  };
  if (!text) {
    const message = "the HPA target's scale is missing a selector";
    const event = "SelectorRequired";
    return fail("InvalidSelector", event, message, "selector is required");
  }
  const { namespace = "" } = hpa.metadata;
  try {
    const selector = parseLabelSelector(text);
    ctx.selectors.set(keyOf(hpa), selector);
    const pods = ctx.pods
      .list(namespace)
      .filter(({ metadata }) => selector.matches(metadata.labels));
    const rivals = selecting(pods, namespace, ctx);
    if (rivals.length < 2) return pods;
    const message = `pods by selector ${text} are controlled by multiple HPAs: [${rivals.join(" ")}]`;
    return fail("AmbiguousSelector", "AmbiguousSelector", message);
  } catch (error) {
    const why = "couldn't convert selector into a corresponding internal";
    const message = `${why} selector object: ${textOf(error)}`;
    return fail("InvalidSelector", "InvalidSelector", message);
  }
}

/** Keys of the autoscalers that select any of the Pods. */
function selecting(
  pods: readonly Pod[],
  namespace: string,
  { selectors }: Context,
): string[] {
  return [...selectors]
    .filter(([key]) => key.startsWith(`${namespace}/`))
    .filter(([, one]) => pods.some((pod) => one.matches(pod.metadata.labels)))
    .map(([key]) => key)
    .sort();
}

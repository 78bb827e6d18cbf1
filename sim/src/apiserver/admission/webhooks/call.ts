/**
 * Calls a webhook: over the network, with a time-out; what it does when nobody
 * answers is the failure policy's to say.
 * Models: apiserver/pkg/admission/plugin/webhook/{mutating,validating,
 *         request,errors}, apiserver/pkg/util/webhook @ v1.36
 */
import type {
  AdmissionResponse,
  AdmissionReview,
} from "../../../api/admission-review.ts";
import { num, obj, str } from "../../../api/kinds/access.ts";
import { badRequest, internalError, StatusError } from "../../../api/status.ts";
import type { JsonObject, Status } from "../../../api/types.ts";
import type { RequestContext } from "../../context.ts";
import { callServer } from "../../webhook-call.ts";
import { reviewOf } from "./review.ts";

const TIMEOUT_SECONDS = 10;

/** One entry of a webhook configuration. */
export type Webhook = JsonObject;

/** The answer; undefined if nobody answered and that is to be ignored. */
export async function callWebhook(
  ctx: RequestContext,
  hook: Webhook,
): Promise<AdmissionResponse | undefined> {
  const name = str(hook.name);
  if (ctx.dryRun && !["None", "NoneOnDryRun"].includes(str(hook.sideEffects))) {
    throw badRequest(`admission webhook "${name}" does not support dry run`);
  }
  let answer: AdmissionReview;
  try {
    answer = await ask(ctx, hook);
    if (!answer.response) throw new Error("webhook response was absent");
  } catch (error) {
    if (hook.failurePolicy === "Ignore") return undefined;
    const why = error instanceof Error ? error.message : String(error);
    throw internalError(`failed calling webhook "${name}": ${why}`);
  }
  ctx.warnings.push(...(answer.response.warnings ?? []));
  if (!answer.response.allowed) throw denied(name, answer.response.status);
  return answer.response;
}

function ask(ctx: RequestContext, hook: Webhook): Promise<AdmissionReview> {
  const review = reviewOf(ctx);
  const asked = callServer(ctx.server, {
    clientConfig: obj(hook.clientConfig),
    seconds: num(hook.timeoutSeconds) || TIMEOUT_SECONDS,
    name: str(hook.name),
    review,
    answer: (one) => one.review?.(review),
  });
  return asked.catch((error: Error) => {
    throw new Error(`failed to call webhook: ${error.message}`);
  });
}

/** The refusal in the webhook's name. */
function denied(name: string, status: Partial<Status> = {}): StatusError {
  const by = `admission webhook "${name}" denied the request`;
  const why = status.message || status.reason;
  const code = status.code && status.code >= 400 ? status.code : 400;
  return new StatusError({
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    ...status,
    status: "Failure",
    message: why ? `${by}: ${why}` : `${by} without explanation`,
    code,
  });
}

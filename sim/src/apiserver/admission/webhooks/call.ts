/**
 * Calls a webhook: over the network, with a time-out; what it does when nobody
 * answers is the failure policy's to say.
 * Models: apiserver/pkg/admission/plugin/webhook/{mutating,validating,
 *         request,errors}, apiserver/pkg/util/webhook @ v1.36
 */
import { num, obj, str } from "../../../api/kinds/access.ts";
import { badRequest, internalError, StatusError } from "../../../api/status.ts";
import type { JsonObject, Status } from "../../../api/types.ts";
import type { RequestContext } from "../../context.ts";
import {
  type AdmissionResponse,
  type AdmissionReview,
  reviewOf,
  type WebhookServer,
} from "./review.ts";

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
  const { kernel, actor } = ctx.server;
  const seconds = num(hook.timeoutSeconds) || TIMEOUT_SECONDS;
  const url = urlOf(obj(hook.clientConfig), seconds);
  const failed = (why: string) =>
    new Error(`failed to call webhook: Post "${url}": ${why}`);
  const target = serverOf(ctx, obj(hook.clientConfig));
  if (typeof target === "string") return Promise.reject(failed(target));
  return kernel.wait<AdmissionReview>((resolve, reject) => {
    const review = reviewOf(ctx);
    kernel.causeId = kernel.record(
      actor,
      "webhook",
      str(hook.name),
      target.actor,
      review,
    );
    let over = false;
    const timer = kernel.after(seconds * 1000, () => {
      over = true;
      reject(failed("context deadline exceeded"));
    });
    if (kernel.faults.blocked(actor, target.actor)) return;
    const process = kernel.spawn(target.actor, async () => {
      const delayMs = kernel.faults.delayMs(actor, target.actor);
      await kernel.sleep(ctx.server.networkMs() + delayMs);
      const answer = await target.review(review);
      timer.cancel();
      // Who answers too late is not heard.
      if (!over) resolve(answer);
    });
    process.doing = `webhook ${str(hook.name)}`;
  });
}

function urlOf(config: JsonObject, seconds: number): string {
  if (config.url) return `${config.url}?timeout=${seconds}s`;
  const { name, namespace, path = "/", port = 443 } = obj(config.service);
  return `https://${name}.${namespace}.svc:${port}${path}?timeout=${seconds}s`;
}

/** The server behind a URL or a Service; else why there is none. */
function serverOf(
  ctx: RequestContext,
  config: JsonObject,
): WebhookServer | string {
  const { webhooks } = ctx.server;
  if (config.url) {
    const url = str(config.url);
    return webhooks.get(url) ?? `dial tcp: lookup ${url}: no such host`;
  }
  const service = obj(config.service);
  const [namespace, name] = [str(service.namespace), str(service.name)];
  const found = webhooks.get(`${namespace}/${name}`);
  if (found) return found;
  const exists = ctx.server.storageOf("services").get(namespace, name);
  if (!exists) return `service "${name}" not found`;
  return `no endpoints available for service "${name}"`;
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

/**
 * A question to somebody else's server: over the network, with a time-out.
 * Models: apiserver/pkg/util/webhook @ v1.36
 */
import { list, obj, str } from "../api/kinds/access.ts";
import type { Obj } from "../api/kinds/definition.ts";
import type { JsonObject } from "../api/types.ts";
import type { WebhookServer } from "./admission/webhooks/review.ts";
import type { ApiServer } from "./server.ts";

/** What is asked of whom. */
export interface WebhookCall<A> {
  /** As configured: a URL, or a Service. */
  readonly clientConfig: JsonObject;
  readonly seconds: number;
  /** For the trace. */
  readonly name: string;
  readonly review: object;
  /** Asks the server; undefined if it does not answer such questions. */
  answer(server: WebhookServer): Promise<A> | undefined;
}

/** Resolves to the answer; rejects with upstream's words. */
export function callServer<A>(
  server: ApiServer,
  { clientConfig, seconds, name, review, answer }: WebhookCall<A>,
): Promise<A> {
  const { kernel, actor } = server;
  const url = urlOf(clientConfig, seconds);
  const failed = (why: string) => new Error(`Post "${url}": ${why}`);
  const target = serverOf(server, clientConfig);
  if (typeof target === "string") return Promise.reject(failed(target));
  return kernel.wait<A>((resolve, reject) => {
    const told = [actor, "webhook", name, target.actor, review] as const;
    kernel.causeId = kernel.record(...told);
    let over = false;
    const timer = kernel.after(seconds * 1000, () => {
      over = true;
      reject(failed("context deadline exceeded"));
    });
    if (kernel.faults.blocked(actor, target.actor)) return;
    const process = kernel.spawn(target.actor, async () => {
      const delayMs = kernel.faults.delayMs(actor, target.actor);
      await kernel.sleep(server.networkMs() + delayMs);
      const answered = await answer(target);
      timer.cancel();
      if (over) return; // Who answers too late is not heard.
      if (answered) resolve(answered);
      else reject(failed("the server could not find the requested resource"));
    });
    process.doing = `webhook ${name}`;
  });
}

function urlOf(config: JsonObject, seconds: number): string {
  if (config.url) return `${config.url}?timeout=${seconds}s`;
  const { name, namespace, path = "/", port = 443 } = obj(config.service);
  return `https://${name}.${namespace}.svc:${port}${path}?timeout=${seconds}s`;
}

/** The server behind a URL or a Service; else why there is none. */
function serverOf(server: ApiServer, config: JsonObject) {
  const { webhooks } = server;
  if (config.url) {
    const url = str(config.url);
    return webhooks.get(url) ?? `dial tcp: lookup ${url}: no such host`;
  }
  const service = obj(config.service);
  const [namespace, name] = [str(service.namespace), str(service.name)];
  const exists = server.storageOf("services").get(namespace, name);
  if (!exists) return `service "${name}" not found`;
  const found = webhooks.get(`${namespace}/${name}`);
  if (found && hasEndpoint(server, namespace, name)) return found;
  return `no endpoints available for service "${name}"`;
}

/** True if a Pod behind the Service is ready. */
function hasEndpoint(server: ApiServer, namespace: string, service: string) {
  const slices = server.storageOf("endpointslices").cache.list(namespace);
  return slices.some(
    (slice) =>
      slice.metadata.labels?.["kubernetes.io/service-name"] === service &&
      list((slice as Obj).endpoints).some(
        ({ conditions }) => obj(conditions).ready === true,
      ),
  );
}

/**
 * Where the API server finds the servers of the scenario's webhooks. A Service
 * of this name has to be there, with a ready Pod behind it: the Pods stand for
 * the machines, and what they answer is the function's to say.
 */
import type { ApiServer } from "../apiserver/server.ts";
import { review } from "../webhooks/sidecar-injector.ts";

/** Namespace and name of the Service before it. */
const INJECTOR = "mesh/sidecar-injector";

export function serveWebhooks({ webhooks }: ApiServer): void {
  webhooks.set(INJECTOR, {
    actor: "sidecar-injector",
    review: async (asked) => {
      const { uid } = asked.request!;
      return { ...asked, response: { uid, ...(await review(asked.request!)) } };
    },
  });
}

/** Reads ConfigMaps and Secrets for Pods, each time anew. */
import { ConfigMap } from "../api/kinds/configmap.ts";
import { Secret } from "../api/kinds/secret.ts";
import { isNotFound } from "../api/status.ts";
import type { Client } from "../client/client.ts";
import type { ConfigSource } from "./runtime/context.ts";

export function lookUpWith(client: Client): ConfigSource["lookUp"] {
  return async (kind, { metadata: { namespace = "" } }, name) => {
    try {
      if (kind === "secret") {
        return (await client.get(Secret, namespace, name)).data ?? {};
      }
      return (await client.get(ConfigMap, namespace, name)).data ?? {};
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  };
}

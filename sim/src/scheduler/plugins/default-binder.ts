/**
 * DefaultBinder: tells the API server which Node the Pod is bound to. That
 * one request, POST pods/NAME/binding, is all that scheduling comes to.
 * Models: pkg/scheduler/framework/plugins/defaultbinder @ v1.36
 */
import { Pod } from "../../api/kinds/pod.ts";
import type { Plugin } from "../framework.ts";
import type { Handle } from "../handle.ts";
import { status } from "../status.ts";

const name = "DefaultBinder";

// region: default-binder
export function defaultBinder({ client }: Handle): Plugin {
  return {
    name,

    async bind({ pod: { pod } }, node) {
      const { name: podName, namespace = "", uid } = pod.metadata;
      try {
        await client.createSub(Pod, namespace, podName, "binding", {
          apiVersion: "v1",
          kind: "Binding",
          metadata: { name: podName, namespace, uid },
          target: { kind: "Node", name: node.name },
        });
        return null;
      } catch (error) {
        const message = error instanceof Error ? error.message : String(error);
        return status(name, "Error", message);
      }
    },
  };
}
// endregion: default-binder

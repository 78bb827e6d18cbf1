/**
 * Where the API server gets a container's log: from the node that runs it.
 * Models:     pkg/kubelet/kubelet_pods.go (GetKubeletContainerLogs,
 *             validateContainerLogStatus) @ v1.36
 */
import { list, obj, str } from "../api/kinds/access.ts";
import { Pod } from "../api/kinds/pod.ts";
import { badRequest, notFound } from "../api/status.ts";
import type {
  LogOptions,
  LogSource,
} from "../apiserver/registry/subresources/pod-streams.ts";
import type { ApiServer } from "../apiserver/server.ts";
import { readLog } from "../cri/logs.ts";
import type { NodeHost } from "../cri/node-host.ts";

export function logSource(server: ApiServer, host: NodeHost): LogSource {
  return {
    logs(namespace, name, options) {
      const pod = server.storageOf("pods").get(namespace, name);
      if (!pod) throw notFound(Pod, name);
      const { container, previous, tailLines, timestamps } = options;
      const { core } = host.runtime;
      const { uid = "" } = pod.metadata;
      const found = readLog(core, uid, container, previous);
      if (!found) throw noLog(name, obj(pod.status), options);
      const shown = tailLines === undefined ? found : lastOf(found, tailLines);
      return shown
        .map(({ atMs, text }) => {
          const time = server.kernel.microTimestamp(atMs);
          return `${timestamps ? `${time} ` : ""}${text}\n`;
        })
        .join("");
    },
  };
}

function lastOf<T>(items: readonly T[], count: number): readonly T[] {
  return count > 0 ? items.slice(-count) : [];
}

function noLog(
  pod: string,
  status: ReturnType<typeof obj>,
  { container, previous }: LogOptions,
) {
  if (previous) {
    return badRequest(
      `previous terminated container "${container}" in pod "${pod}" not found`,
    );
  }
  const all = [
    ...list(status.containerStatuses),
    ...list(status.initContainerStatuses),
  ];
  const its = all.find(({ name }) => name === container);
  const reason = str(obj(obj(its?.state).waiting).reason);
  const why = reason || "ContainerCreating";
  return badRequest(
    `container "${container}" in pod "${pod}" is waiting to start: ${why}`,
  );
}

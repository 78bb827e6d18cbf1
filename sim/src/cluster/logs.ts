/**
 * Where the API server gets a container's log: from the node that runs it.
 * Which container of that name it is, the Pod's status says.
 * Models:     pkg/kubelet/kubelet_pods.go (GetKubeletContainerLogs,
 *             validateContainerLogStatus) @ v1.36
 */

import { at, list, obj, str } from "../api/kinds/access.ts";
import { Pod } from "../api/kinds/pod.ts";
import { badRequest, notFound, statusError } from "../api/status.ts";
import type { Json, JsonObject } from "../api/types.ts";
import type { LogOptions } from "../apiserver/registry/subresources/log-query.ts";
import type { LogSource } from "../apiserver/registry/subresources/pod-streams.ts";
import type { ApiServer } from "../apiserver/server.ts";
import { readLog } from "../cri/logs.ts";
import type { NodeHost } from "../cri/node-host.ts";
import type { LogLine } from "../cri/workload/output.ts";
import type { Kernel } from "../kernel/index.ts";

export function logSource(server: ApiServer, host: NodeHost): LogSource {
  return {
    logs(namespace, name, options) {
      const pod = server.storageOf("pods").get(namespace, name);
      if (!pod) throw notFound(Pod, name);
      const { kernel } = server;
      if (kernel.faults.stopped(`kubelet/${host.name}`)) {
        const path = `${namespace}/${name}/${options.container}`;
        throw refused(server, host.name, path);
      }
      const id = containerId(name, obj(pod.status), options);
      const found = readLog(host.runtime.core, id);
      if (!found) {
        return `unable to retrieve container logs for ${fullId(host, id)}`;
      }
      return shownOf(found, options, kernel);
    },
  };
}

/** The last lines first, then of them those that are new enough. */
function shownOf(
  found: readonly LogLine[],
  { tailLines, timestamps, sinceMs, limitBytes }: LogOptions,
  kernel: Kernel,
): string {
  const last = tailLines === undefined ? found : lastOf(found, tailLines);
  const lines = last.flatMap(({ atMs, text }) => {
    const time = kernel.microTimestamp(atMs);
    if (sinceMs !== undefined && Date.parse(time) < sinceMs) return [];
    return `${timestamps ? `${time} ` : ""}${text}\n`;
  });
  const text = lines.join("");
  if (limitBytes === undefined) return text;
  const bytes = new TextEncoder().encode(text).slice(0, limitBytes);
  return new TextDecoder().decode(bytes);
}

function lastOf<T>(items: readonly T[], count: number): readonly T[] {
  return count > 0 ? items.slice(-count) : [];
}

function fullId({ runtime }: NodeHost, id: string): string {
  return `${runtime.name}://${id}`;
}

/** Nobody listens at the node's port 10250. */
function refused(server: ApiServer, node: string, path: string) {
  const found = server.storageOf("nodes").get("", node);
  const [first] = list(at(found, "status", "addresses"));
  const address = str(first?.address);
  const to = `${address}:10250`;
  const why = `dial tcp ${to}: connect: connection refused`;
  const message = `Get "https://${to}/containerLogs/${path}": ${why}`;
  return statusError(500, "", message);
}

/** The container whose log is meant; throws if there is none yet. */
function containerId(
  pod: string,
  status: JsonObject,
  { container, previous }: LogOptions,
): string {
  const who = `container "${container}" in pod "${pod}"`;
  const all = [
    ...list(status.containerStatuses),
    ...list(status.initContainerStatuses),
    ...list(status.ephemeralContainerStatuses),
  ];
  const its = all.find(({ name }) => name === container);
  if (!its) throw badRequest(`${who} is not available`);
  const { running, terminated, waiting } = obj(its.state);
  const last = idOf(at(its, "lastState", "terminated", "containerID"));
  if (previous) {
    if (last) return last;
    throw badRequest(`previous terminated ${who} not found`);
  }
  if (running) return idOf(its.containerID);
  const ended = idOf(at(terminated, "containerID")) || last;
  if (ended) return ended;
  if (terminated) throw badRequest(`${who} is terminated`);
  throw badRequest(`${who} is waiting to start${whyOf(waiting)}`);
}

/** `containerd://4f2…` → `4f2…` */
function idOf(value: Json | undefined): string {
  const text = str(value);
  return text.slice(text.indexOf("://") + 3);
}

function whyOf(waiting: Json | undefined): string {
  const reason = str(at(waiting, "reason"));
  if (reason === "ErrImagePull") return ": image can't be pulled";
  if (reason === "ImagePullBackOff") {
    return ": trying and failing to pull image";
  }
  return `: ${reason || "ContainerCreating"}`;
}

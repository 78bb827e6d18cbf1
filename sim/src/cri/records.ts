/**
 * What a runtime keeps of sandboxes and containers, beside their processes.
 */
import type {
  ContainerConfig,
  CriContainerState,
  PodSandboxConfig,
  PodSandboxState,
} from "./api.ts";
import type { LogFile } from "./log-files.ts";
import type { ImageDefinition } from "./workload/image.ts";
import type { ContainerProcess } from "./workload/process.ts";

export interface SandboxRecord {
  readonly id: string;
  /** `web_shop_uid_0`: name, namespace, uid, attempt. */
  readonly name: string;
  readonly config: PodSandboxConfig;
  readonly runtimeHandler: string;
  readonly createdAtMs: number;
  /** Path of its network namespace; "" for the node's own. */
  netns: string;
  /** Of the Pod, the first one first. */
  ips: readonly string[];
  state: PodSandboxState;
  /** cgroup of the pause container. */
  readonly cgroup: string;
  /** Its namespaces are held without a process. */
  readonly isPinned?: boolean;
}

export interface ContainerRecord {
  readonly id: string;
  readonly sandboxId: string;
  config: ContainerConfig;
  readonly image: ImageDefinition;
  readonly imageId: string;
  readonly createdAtMs: number;
  readonly cgroup: string;
  readonly logPath: string;
  state: CriContainerState;
  startedAtMs?: number;
  finishedAtMs?: number;
  exitCode?: number;
  reason?: string;
  /** Why it could not be started. */
  message?: string;
  process?: ContainerProcess;
  /** Begin of the newest log file, if there were others. */
  logFromMs?: number;
  logFiles?: LogFile[];
  /** Called once it has ended. */
  readonly onStopped: (() => void)[];
}

/** Labels that the kubelet puts on all that it makes. */
export const LABEL = {
  podName: "io.kubernetes.pod.name",
  podNamespace: "io.kubernetes.pod.namespace",
  podUid: "io.kubernetes.pod.uid",
  containerName: "io.kubernetes.container.name",
} as const;

/** True if all of `selector` is among `labels`. */
export function hasLabels(
  labels: Readonly<Record<string, string>> | undefined,
  selector: Readonly<Record<string, string>> | undefined,
): boolean {
  for (const name in selector) {
    if (labels?.[name] !== selector[name]) return false;
  }
  return true;
}

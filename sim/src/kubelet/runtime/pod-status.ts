/**
 * What the runtime knows of a Pod, as the kubelet keeps it: its sandboxes and
 * every container ever made in them, newest first.
 * Models: pkg/kubelet/container/runtime.go PodStatus, kuberuntime
 *         GetPodStatus, getPodContainerStatuses @ v1.36
 */
import type {
  CriContainerStatus,
  PodSandbox,
  PodSandboxStatus,
  RuntimeService,
} from "../../cri/api.ts";
import { isNotFound } from "../../cri/api.ts";
import { LABEL } from "./labels.ts";

export type RuntimeState = "created" | "running" | "exited" | "unknown";

export interface RuntimeContainer {
  readonly id: string;
  readonly name: string;
  readonly state: RuntimeState;
  /** Nanoseconds since 1970, as the runtime says. */
  readonly createdAt: number;
  readonly startedAt?: number;
  readonly finishedAt?: number;
  readonly exitCode: number;
  readonly reason: string;
  readonly message: string;
  readonly image: string;
  readonly imageId: string;
  /** Of the container's spec when it was made. */
  readonly hash: string;
  /** How often it was made before. */
  readonly restartCount: number;
}

export interface RuntimePod {
  readonly uid: string;
  readonly ips: readonly string[];
  readonly sandboxes: readonly PodSandboxStatus[];
  readonly containers: readonly RuntimeContainer[];
}

export const NO_RUNTIME_POD: RuntimePod = Object.freeze({
  uid: "",
  ips: [],
  sandboxes: [],
  containers: [],
});

/** The newest container of that name. */
export function findContainer(
  status: RuntimePod,
  name: string,
): RuntimeContainer | undefined {
  return status.containers.find((container) => container.name === name);
}

/** Asks the runtime, call by call, as upstream does. */
export async function readPodStatus(
  runtime: RuntimeService,
  uid: string,
): Promise<RuntimePod> {
  const filter = { label_selector: { [LABEL.podUid]: uid } };
  const { items } = await runtime.listPodSandbox({ filter });
  // To push would make room for many, and there is nearly always one.
  let sandboxes: readonly PodSandboxStatus[] = [];
  for (const { id } of newestFirst(items)) {
    const asked = { pod_sandbox_id: id };
    try {
      const { status } = await runtime.podSandboxStatus(asked);
      sandboxes = sandboxes.concat(status);
    } catch (error) {
      throwUnlessGone(error);
    }
  }
  const found = await runtime.listContainers({ filter });
  let containers: readonly RuntimeContainer[] = [];
  for (const { id } of found.containers) {
    try {
      const { status } = await runtime.containerStatus({ container_id: id });
      containers = containers.concat(runtimeContainer(status));
    } catch (error) {
      throwUnlessGone(error);
    }
  }
  if (containers.length > 1) {
    containers = containers.toSorted((a, b) => b.createdAt - a.createdAt);
  }
  const ready = sandboxes.find((each) => each.state === "SANDBOX_READY");
  return { uid, ips: ipsOf(ready), sandboxes, containers };
}

/** What was listed may be gone by the time that it is asked for. */
function throwUnlessGone(error: unknown): void {
  if (!isNotFound(error)) throw error;
}

function newestFirst(items: readonly PodSandbox[]): readonly PodSandbox[] {
  if (items.length < 2) return items;
  return items.toSorted((a, b) => b.created_at - a.created_at);
}

export function ipsOf(sandbox: PodSandboxStatus | undefined): string[] {
  const ip = sandbox?.network?.ip;
  if (!ip) return [];
  const others = sandbox.network?.additional_ips;
  return others ? [ip, ...others.map((each) => each.ip)] : [ip];
}

const STATES: Readonly<Record<string, RuntimeState>> = {
  CONTAINER_CREATED: "created",
  CONTAINER_RUNNING: "running",
  CONTAINER_EXITED: "exited",
};

function runtimeContainer(status: CriContainerStatus): RuntimeContainer {
  return {
    id: status.id,
    name: status.metadata.name,
    state: STATES[status.state] ?? "unknown",
    createdAt: status.created_at,
    startedAt: status.started_at,
    finishedAt: status.finished_at,
    exitCode: status.exit_code ?? 0,
    reason: status.reason ?? "",
    message: status.message ?? "",
    image: status.image.image,
    imageId: status.image_ref,
    hash: status.labels?.[LABEL.containerHash] ?? "",
    restartCount: status.metadata.attempt ?? 0,
  };
}

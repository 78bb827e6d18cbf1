/** The runtime's records as the messages that answer List and Status calls. */
import type {
  ContainerFilter,
  ContainerStats,
  CriContainer,
  CriContainerStatus,
  PodSandbox,
  PodSandboxFilter,
  PodSandboxStatus,
} from "./api.ts";
import type { RuntimeCore } from "./core.ts";
import { layerBytes } from "./disk-usage.ts";
import {
  type ContainerRecord,
  hasLabels,
  LABEL,
  type SandboxRecord,
} from "./records.ts";
import { nanosOf } from "./time.ts";

export function listPodSandbox(
  runtime: RuntimeCore,
  filter: PodSandboxFilter = {},
): PodSandbox[] {
  const uid = filter.label_selector?.[LABEL.podUid];
  const all =
    uid === undefined ? runtime.sandboxes.values() : runtime.sandboxesOf(uid);
  const items: PodSandbox[] = [];
  for (const sandbox of all) {
    if (filter.id && filter.id !== sandbox.id) continue;
    if (filter.state && filter.state.state !== sandbox.state) continue;
    if (!hasLabels(sandbox.config.labels, filter.label_selector)) continue;
    items.push(sandboxItem(runtime, sandbox));
  }
  return items;
}

function sandboxItem(runtime: RuntimeCore, sandbox: SandboxRecord): PodSandbox {
  return {
    id: sandbox.id,
    metadata: sandbox.config.metadata,
    state: sandbox.state,
    created_at: nanosOf(runtime.kernel, sandbox.createdAtMs),
    labels: sandbox.config.labels,
    runtime_handler: sandbox.runtimeHandler,
  };
}

export function sandboxStatus(
  runtime: RuntimeCore,
  sandbox: SandboxRecord,
): PodSandboxStatus {
  const { ips } = sandbox;
  const ip = ips[0] ?? "";
  const security = sandbox.config.linux?.security_context;
  const options = security?.namespace_options;
  return {
    ...sandboxItem(runtime, sandbox),
    network:
      ips.length > 1
        ? { ip, additional_ips: ips.slice(1).map((each) => ({ ip: each })) }
        : { ip },
    linux: { namespaces: { options: options ?? {} } },
  };
}

export function listContainers(
  runtime: RuntimeCore,
  filter: ContainerFilter = {},
): CriContainer[] {
  const items: CriContainer[] = [];
  for (const container of candidates(runtime, filter)) {
    if (filter.id && filter.id !== container.id) continue;
    if (filter.state && filter.state.state !== container.state) continue;
    if (!hasLabels(container.config.labels, filter.label_selector)) continue;
    items.push(containerItem(runtime, container));
  }
  return items;
}

/** Those that may match, found without looking at all. */
function candidates(
  runtime: RuntimeCore,
  filter: ContainerFilter,
): Iterable<ContainerRecord> {
  const { pod_sandbox_id: sandboxId } = filter;
  if (sandboxId) return runtime.containersOf(sandboxId);
  const uid = filter.label_selector?.[LABEL.podUid];
  if (uid === undefined) return runtime.containers.values();
  return runtime.sandboxesOf(uid).flatMap((s) => runtime.containersOf(s.id));
}

function containerItem(
  runtime: RuntimeCore,
  container: ContainerRecord,
): CriContainer {
  return {
    id: container.id,
    pod_sandbox_id: container.sandboxId,
    metadata: container.config.metadata,
    image: container.config.image,
    image_ref: container.imageId,
    state: container.state,
    created_at: nanosOf(runtime.kernel, container.createdAtMs),
    labels: container.config.labels,
    image_id: container.imageId,
  };
}

export function containerStatus(
  runtime: RuntimeCore,
  container: ContainerRecord,
): CriContainerStatus {
  const { kernel } = runtime;
  const { startedAtMs, finishedAtMs, exitCode, reason, config } = container;
  const at = (ms: number | undefined) =>
    ms === undefined ? undefined : nanosOf(kernel, ms);
  return {
    id: container.id,
    metadata: config.metadata,
    state: container.state,
    created_at: nanosOf(kernel, container.createdAtMs),
    started_at: at(startedAtMs),
    finished_at: at(finishedAtMs),
    exit_code: exitCode,
    image: config.image,
    image_ref: container.imageId,
    reason,
    ...(container.message ? { message: container.message } : {}),
    labels: config.labels,
    log_path: container.logPath,
    resources: { linux: config.linux?.resources },
    image_id: container.imageId,
    user: { linux: { supplemental_groups: [0] } },
    stop_signal: "SIGTERM",
  };
}

export function containerStats(container: ContainerRecord): ContainerStats {
  const { id, config, process } = container;
  const { metadata, labels } = config;
  const running = container.state === "CONTAINER_RUNNING" ? process : undefined;
  const nanoCores = (running?.cpuMilli() ?? 0) * 1_000_000;
  return {
    attributes: { id, metadata, labels },
    cpu: { usage_nano_cores: { value: nanoCores } },
    memory: { working_set_bytes: { value: running?.memoryBytes() ?? 0 } },
    writable_layer: { used_bytes: { value: layerBytes(container) } },
  };
}

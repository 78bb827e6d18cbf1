/**
 * The calls that every runtime answers alike, each from the runtime's own
 * records. What differs (how a sandbox comes to be, what the runtime says of
 * itself) is in containerd.ts, crio.ts and docker.ts.
 */
import type {
  ContainerEvent,
  ContainerFilter,
  CreateContainerRequest,
  ExecSyncRequest,
  PodSandboxFilter,
  RunPodSandboxRequest,
  RuntimeCondition,
  UpdateContainerResourcesRequest,
} from "./api.ts";
import type { Runtime } from "./connection.ts";
import {
  createContainer,
  execSync,
  startContainer,
  stopContainer,
} from "./container-calls.ts";
import { RuntimeCore, type RuntimeOptions } from "./core.ts";
import { reopenLog } from "./log-files.ts";
import { removePodSandbox, stopPodSandbox } from "./stop-pod-sandbox.ts";
import { updateResources } from "./update-resources.ts";
import {
  containerStats,
  containerStatus,
  listContainers,
  listPodSandbox,
  sandboxStatus,
} from "./views.ts";

export abstract class BaseRuntime implements Runtime {
  readonly core: RuntimeCore;
  /** As `runtime_name` of Version, and as the scheme of container ids. */
  abstract readonly name: string;
  abstract readonly runtimeVersion: string;
  /** Handlers of the runtime's configuration; "" is the default one. */
  protected abstract readonly handlers: readonly { name?: string }[];

  constructor(options: RuntimeOptions) {
    this.core = new RuntimeCore(options);
    this.core.images.preload(this.core.pauseImage, true);
  }

  abstract runPodSandbox(
    request: RunPodSandboxRequest,
  ): Promise<{ pod_sandbox_id: string }>;

  /** Conditions besides RuntimeReady and NetworkReady. */
  protected conditions(): RuntimeCondition[] {
    return [];
  }

  /** What the runtime tells of itself, as JSON by name. */
  protected info(): Readonly<Record<string, string>> {
    return {};
  }

  onEvent(listener: (event: ContainerEvent) => void): void {
    this.core.onEvent(listener);
  }

  async version() {
    return {
      version: "0.1.0",
      runtime_name: this.name,
      runtime_version: this.runtimeVersion,
      runtime_api_version: "v1",
    };
  }

  async status({ verbose = false }: { verbose?: boolean } = {}) {
    const problem = this.core.podNetwork.problem();
    const message = `Network plugin returns error: ${problem}`;
    const network = problem
      ? { status: false, reason: "NetworkPluginNotReady", message }
      : { status: true };
    const features = { recursive_read_only_mounts: true };
    const handlers = this.handlers.map((handler) => ({ ...handler, features }));
    return {
      status: {
        conditions: [
          { type: "RuntimeReady", status: true },
          { type: "NetworkReady", ...network },
          ...this.conditions(),
        ],
      },
      runtime_handlers: handlers,
      features: {
        supplemental_groups_policy: true,
        user_namespaces_host_network: true,
      },
      ...(verbose && { info: this.info() }),
    };
  }

  stopPodSandbox(request: { pod_sandbox_id: string }) {
    return stopPodSandbox(this.core, request.pod_sandbox_id);
  }

  removePodSandbox(request: { pod_sandbox_id: string }) {
    return removePodSandbox(this.core, request.pod_sandbox_id);
  }

  async podSandboxStatus(request: { pod_sandbox_id: string }) {
    const sandbox = this.core.sandbox(request.pod_sandbox_id);
    return { status: sandboxStatus(this.core, sandbox) };
  }

  async listPodSandbox(request: { filter?: PodSandboxFilter }) {
    return { items: listPodSandbox(this.core, request.filter) };
  }

  createContainer(request: CreateContainerRequest) {
    return createContainer(this.core, request);
  }

  startContainer(request: { container_id: string }) {
    return startContainer(this.core, request.container_id);
  }

  stopContainer(request: { container_id: string; timeout: number }) {
    return stopContainer(this.core, request.container_id, request.timeout);
  }

  async removeContainer(request: { container_id: string }) {
    const container = this.core.containers.get(request.container_id);
    if (!container) return {};
    if (container.state === "CONTAINER_RUNNING") container.process?.kill();
    this.core.removeContainer(container);
    return {};
  }

  async listContainers(request: { filter?: ContainerFilter }) {
    return { containers: listContainers(this.core, request.filter) };
  }

  async containerStatus(request: { container_id: string }) {
    const container = this.core.container(request.container_id);
    return { status: containerStatus(this.core, container) };
  }

  async updateContainerResources(request: UpdateContainerResourcesRequest) {
    return updateResources(this.core, request);
  }

  async reopenContainerLog(request: { container_id: string }) {
    reopenLog(this.core, request.container_id);
    return {};
  }

  execSync(request: ExecSyncRequest) {
    return execSync(this.core, request);
  }

  async containerStats(request: { container_id: string }) {
    const container = this.core.container(request.container_id);
    return { stats: containerStats(container) };
  }

  async listContainerStats() {
    return { stats: [...this.core.containers.values()].map(containerStats) };
  }

  listImages() {
    return this.core.images.listImages();
  }

  imageStatus(request: { image: { image: string } }) {
    return this.core.images.imageStatus(request);
  }

  pullImage(request: { image: { image: string } }) {
    return this.core.images.pullImage(request);
  }

  removeImage(request: { image: { image: string } }) {
    return this.core.images.removeImage(request);
  }

  imageFsInfo() {
    return this.core.images.imageFsInfo();
  }
}

/**
 * A runtime that does as it is told and writes down every call, and a kubelet
 * runtime context around it: for the recorded traces of SyncPod and KillPod.
 */
import type { Container, Pod } from "../../sim/src/api/kinds/pod.ts";
import type {
  CreateContainerRequest,
  CriContainer,
  CriContainerState,
  ExecSyncRequest,
  ImageService,
  PodSandboxConfig,
  PodSandboxState,
  RunPodSandboxRequest,
  RuntimeService,
} from "../../sim/src/cri/api.ts";
import { nanosOf } from "../../sim/src/cri/time.ts";
import { Kernel } from "../../sim/src/kernel/index.ts";
import type { ProbeResult } from "../../sim/src/kubelet/runtime/actions.ts";
import { KeyedBackoff } from "../../sim/src/kubelet/runtime/backoff.ts";
import type { RuntimeContext } from "../../sim/src/kubelet/runtime/context.ts";
import { ImageManager } from "../../sim/src/kubelet/runtime/image-manager.ts";
import { killPod } from "../../sim/src/kubelet/runtime/kill.ts";
import { type RuntimePod, readPodStatus } from "../../sim/src/kubelet/runtime/pod-status.ts";
import { syncRuntime } from "../../sim/src/kubelet/runtime/sync.ts";

export type Row = Record<string, unknown>;

interface FakeSandbox {
  id: string;
  config: PodSandboxConfig;
  state: PodSandboxState;
  createdAt: number;
}

interface FakeContainer {
  id: string;
  name: string;
  attempt: number;
  sandboxId: string;
  labels: Record<string, string>;
  image: string;
  state: CriContainerState;
  createdAt: number;
  startedAt?: number;
  finishedAt?: number;
  exitCode?: number;
  onExit?: () => void;
}

export class FakeNode {
  readonly kernel = new Kernel({ seed: 1 });
  readonly rows: Row[] = [];
  tracing = true;
  /** Seconds from TERM to the exit. */
  stopTakes: Record<string, number | "never"> = {};
  preStopTakes = 0;
  pullFails = 0;
  /** Seconds that a started container runs before it exits 1. */
  runsFor: number | undefined;
  readonly probeResults = new Map<string, ProbeResult>();
  private clockZeroMs = 0;
  private reading = false;
  private nextId = 1;
  private readonly sandboxes: FakeSandbox[] = [];
  private readonly containers: FakeContainer[] = [];
  private readonly images = new Set<string>();
  private readonly context: RuntimeContext;

  constructor() {
    const result = (kind: string) => (id: string) => this.probeResults.get(`${kind}/${id}`);
    this.context = {
      kernel: this.kernel,
      actor: "kubelet/n1",
      runtime: this.service(),
      events: {
        event: (_object, type, reason, message) => this.row({ event: reason, message, type }),
      },
      probes: { liveness: result("liveness"), startup: result("startup") },
      images: new ImageManager(),
      crashBackoff: new KeyedBackoff(10_000, 300_000),
      config: {
        ...{ nodeName: "n1", hostIP: "192.168.0.11", nodeMemoryBytes: 8 * 2 ** 30 },
        ...{ clusterDns: [], clusterDomain: "cluster.local", cgroupDriver: "cgroupfs" },
        lookUp: async () => undefined,
      },
    };
  }

  row(fields: Row): void {
    if (!this.tracing || this.reading) return;
    const t = Math.floor((this.kernel.now() - this.clockZeroMs) / 1000);
    this.rows.push({ ...fields, t });
  }

  resetClock(): void {
    this.clockZeroMs = this.kernel.now();
  }

  async sleep(seconds: number): Promise<void> {
    // The clock stands still where nothing is to come.
    this.kernel.after(seconds * 1000, () => {});
    await this.kernel.run({ untilMs: this.kernel.now() + seconds * 1000 });
  }

  /** Runs `body` as a process, to its end. */
  private async process(body: () => Promise<void>): Promise<void> {
    let ended = false;
    this.kernel.spawn("kubelet", async () => {
      await body();
      ended = true;
    });
    await this.kernel.run({ stopWhen: () => ended });
  }

  private async read(pod: Pod): Promise<RuntimePod> {
    this.reading = true;
    const status = await readPodStatus(this.context.runtime, pod.metadata.uid ?? "");
    this.reading = false;
    return status;
  }

  async sync(pod: Pod): Promise<void> {
    await this.process(async () => {
      const errors = await syncRuntime(this.context, pod, await this.read(pod));
      for (const [target, error] of errors) {
        const result = target ? "StartContainer" : "CreatePodSandbox";
        this.row({ error: error.reason, message: error.message, result, target });
      }
    });
  }

  async kill(pod: Pod, graceOverride: number | null): Promise<void> {
    this.row({ kill: "grace", override: graceOverride });
    await this.process(async () => {
      await killPod(this.context, pod, await this.read(pod), graceOverride ?? undefined);
      this.row({ error: "", killed: true });
    });
  }

  running(name: string): FakeContainer | undefined {
    return this.containers.findLast((c) => c.name === name && c.state === "CONTAINER_RUNNING");
  }

  exit(name: string, exitCode: number): void {
    const container = this.running(name);
    if (container) this.end(container, exitCode);
  }

  setSandboxes(state: PodSandboxState): void {
    for (const sandbox of this.sandboxes) sandbox.state = state;
  }

  setProbe(kind: string, name: string, value: ProbeResult): void {
    const id = this.running(name)?.id;
    if (id) this.probeResults.set(`${kind}/${id}`, value);
  }

  startsOf(name: string): number[] {
    return this.containers
      .filter((c) => c.name === name && c.startedAt !== undefined)
      .map((c) => (c.startedAt ?? 0) / 1000);
  }

  private end(container: FakeContainer, exitCode: number): void {
    container.state = "CONTAINER_EXITED";
    container.exitCode = exitCode;
    container.finishedAt = this.kernel.now();
    this.row({ exitCode, exited: labelOf(container) });
    container.onExit?.();
  }

  private service(): RuntimeService & ImageService {
    const none = async () => {
      throw new Error("not part of these traces");
    };
    return {
      ...{ version: none, status: none, updateContainerResources: none, removePodSandbox: none },
      ...{ containerStats: none, listContainerStats: none, listImages: none },
      ...{ removeImage: none, imageFsInfo: none, reopenContainerLog: none },
      runPodSandbox: async (request) => this.runPodSandbox(request),
      stopPodSandbox: async ({ pod_sandbox_id: id }) => this.stopPodSandbox(id),
      podSandboxStatus: async ({ pod_sandbox_id: id }) => {
        this.row({ call: "PodSandboxStatus" });
        return { status: this.sandboxOf(id) };
      },
      listPodSandbox: async () => ({ items: this.sandboxes.map(({ id }) => this.sandboxOf(id)) }),
      createContainer: async (request) => this.createContainer(request),
      startContainer: async ({ container_id: id }) => this.startContainer(id),
      stopContainer: ({ container_id: id, timeout }) => this.stopContainer(id, timeout),
      removeContainer: async ({ container_id: id }) => this.removeContainer(id),
      listContainers: async () => ({ containers: this.containers.map((c) => this.listed(c)) }),
      containerStatus: async ({ container_id: id }) => ({ status: this.statusOf(this.byId(id)) }),
      execSync: (request) => this.execSync(request),
      imageStatus: async ({ image }) => this.imageStatus(image.image),
      pullImage: async ({ image }) => this.pullImage(image.image),
    };
  }

  private runPodSandbox({ config, runtime_handler }: RunPodSandboxRequest) {
    const attempt = config.metadata.attempt ?? 0;
    const logDirectory = config.log_directory;
    // The recorder's helper knows no host name.
    const rest = { hostname: "", logDirectory, runtimeHandler: runtime_handler ?? "" };
    this.row({ attempt, call: "RunPodSandbox", ...rest });
    const id = `sandbox-${this.nextId++}`;
    const createdAt = this.nextId;
    this.sandboxes.push({ id, config, state: "SANDBOX_READY", createdAt });
    return { pod_sandbox_id: id };
  }

  private stopPodSandbox(id: string): object {
    const sandbox = this.sandboxes.find((each) => each.id === id)!;
    this.row({ attempt: sandbox.config.metadata.attempt ?? 0, call: "StopPodSandbox" });
    sandbox.state = "SANDBOX_NOTREADY";
    return {};
  }

  private sandboxOf(id: string) {
    const { config, state, createdAt } = this.sandboxes.find((each) => each.id === id)!;
    const options = config.linux?.security_context?.namespace_options ?? {};
    return {
      ...{ id, metadata: config.metadata, state, created_at: createdAt },
      network: { ip: "10.244.0.5" },
      linux: { namespaces: { options } },
    };
  }

  private createContainer({ pod_sandbox_id, config }: CreateContainerRequest) {
    const { name, attempt = 0 } = config.metadata;
    this.row({ attempt, call: "CreateContainer", container: name, logPath: config.log_path });
    const id = `container-${this.nextId++}`;
    this.containers.push({
      ...{ id, name, attempt, sandboxId: pod_sandbox_id, labels: { ...config.labels } },
      ...{ image: config.image.image, state: "CONTAINER_CREATED", createdAt: nanosOf(this.kernel) },
    });
    return { container_id: id };
  }

  private startContainer(id: string): object {
    const container = this.byId(id);
    this.row({ call: "StartContainer", container: labelOf(container) });
    container.state = "CONTAINER_RUNNING";
    container.startedAt = this.kernel.now();
    if (this.runsFor !== undefined) {
      this.kernel.after(this.runsFor * 1000, () => this.end(container, 1));
    }
    return {};
  }

  private async stopContainer(id: string, timeout: number): Promise<object> {
    const container = this.byId(id);
    this.row({ call: "StopContainer", container: labelOf(container), timeout });
    if (container.state !== "CONTAINER_RUNNING") return {};
    const takes = this.stopTakes[container.name] ?? 0;
    const killed = takes === "never" || takes > timeout;
    const seconds = killed ? timeout : takes;
    if (seconds > 0) await this.kernel.sleep(seconds * 1000);
    this.end(container, killed ? 137 : 0);
    return {};
  }

  private removeContainer(id: string): object {
    const container = this.byId(id);
    this.row({ call: "RemoveContainer", container: labelOf(container) });
    this.containers.splice(this.containers.indexOf(container), 1);
    return {};
  }

  private async execSync({ container_id, cmd, timeout }: ExecSyncRequest) {
    const container = labelOf(this.byId(container_id));
    this.row({ call: "ExecSync", cmd, container, timeout });
    if (this.preStopTakes > 0) await this.kernel.sleep(this.preStopTakes * 1000);
    return { stdout: "", stderr: "", exit_code: 0 };
  }

  private imageStatus(image: string) {
    this.row({ call: "ImageStatus", image });
    return this.images.has(image) ? { image: { id: image, size: 0 } } : {};
  }

  private pullImage(image: string) {
    this.row({ call: "PullImage", image });
    if (this.pullFails-- > 0) throw new Error("pull failed");
    this.images.add(image);
    return { image_ref: image };
  }

  private byId(id: string): FakeContainer {
    return this.containers.find((container) => container.id === id)!;
  }

  private listed(c: FakeContainer): CriContainer {
    return {
      ...{ id: c.id, pod_sandbox_id: c.sandboxId, metadata: { name: c.name, attempt: c.attempt } },
      ...{ image: { image: c.image }, image_ref: c.image, state: c.state },
      ...{ created_at: c.createdAt, labels: c.labels },
    };
  }

  private statusOf(c: FakeContainer) {
    const at = (ms: number | undefined) =>
      ms === undefined ? undefined : nanosOf(this.kernel, ms);
    const times = { started_at: at(c.startedAt), finished_at: at(c.finishedAt) };
    return { ...this.listed(c), ...times, exit_code: c.exitCode };
  }
}

function labelOf({ name, attempt }: FakeContainer): string {
  return `${name}/${attempt}`;
}

/** `app (preStop exec)`, `side (restartPolicy Always)` */
export function containerOf(text: string, more: Partial<Container> = {}): Container {
  const name = text.split(" ")[0]!;
  return {
    name,
    image: `registry.example/${name}:1`,
    imagePullPolicy: "IfNotPresent",
    ...(text.includes("restartPolicy Always") ? { restartPolicy: "Always" } : {}),
    ...(text.includes("preStop exec")
      ? { lifecycle: { preStop: { exec: { command: ["/drain"] } } } }
      : {}),
    ...more,
  };
}

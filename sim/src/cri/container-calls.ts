/**
 * CreateContainer, StartContainer, StopContainer, ExecSync and their kin.
 * Creating makes records, a snapshot and folders only; the process and its
 * cgroup come with starting.
 * Models: containerd internal/cri/server/container_{create,start,stop}.go @ v2.4
 */
import { flat } from "../kernel/flat.ts";
import type {
  ContainerConfig,
  CreateContainerRequest,
  ExecSyncRequest,
  ExecSyncResponse,
} from "./api.ts";
import { RpcError } from "./api.ts";
import type { RuntimeCore } from "./core.ts";
import { cgroupOf, execNotFound, startNotFound } from "./kinds.ts";
import { containerNamespaces } from "./namespaces.ts";
import type { ContainerRecord, SandboxRecord } from "./records.ts";
import { NO_PROGRAM } from "./workload/exec.ts";
import type { ImageDefinition } from "./workload/image.ts";
import { ContainerProcess, type ProcessExit } from "./workload/process.ts";

export async function createContainer(
  runtime: RuntimeCore,
  { pod_sandbox_id, config }: CreateContainerRequest,
): Promise<{ container_id: string }> {
  const sandbox = runtime.sandbox(pod_sandbox_id);
  const image = runtime.images.get(config.image.image);
  if (!image) {
    const desc = `failed to resolve image "${config.image.image}": not found`;
    throw new RpcError("NotFound", desc);
  }
  await runtime.takes(runtime.latency.createMs);
  const id = runtime.newId();
  // CRI-O has the OCI runtime create the container here already.
  const problem = programProblem(runtime, config, image.definition);
  if (problem && runtime.kind === "crio")
    throw new RpcError("Unknown", problem);
  const folder = sandbox.config.log_directory ?? "";
  runtime.addContainer({
    id,
    sandboxId: pod_sandbox_id,
    config,
    image: image.definition,
    imageId: image.image.id,
    createdAtMs: runtime.kernel.now(),
    cgroup: cgroupOf(sandbox.config.linux?.cgroup_parent, id, runtime.kind),
    logPath: config.log_path ? flat(`${folder}/${config.log_path}`) : "",
    state: "CONTAINER_CREATED",
    onStopped: [],
  });
  runtime.emit(id, "CREATED", sandbox.config.metadata.uid);
  return { container_id: id };
}

export async function startContainer(
  runtime: RuntimeCore,
  id: string,
): Promise<object> {
  const container = runtime.container(id);
  if (container.state !== "CONTAINER_CREATED") {
    const desc = `failed to set starting state for container "${id}": container is in ${container.state} state`;
    throw new RpcError("Unknown", desc);
  }
  const sandbox = runtime.sandbox(container.sandboxId);
  if (sandbox.state !== "SANDBOX_READY") {
    const desc = `sandbox container "${sandbox.id}" is not running`;
    throw new RpcError("Unknown", desc);
  }
  await runtime.takes(runtime.latency.startMs);
  const problem = programProblem(runtime, container.config, container.image);
  if (problem) {
    container.message = problem;
    ended(runtime, container, { code: 128, reason: "StartError" });
    throw new RpcError("Unknown", problem);
  }
  const { name } = container.config.metadata;
  if (runtime.kernel.trace.wants("container")) {
    const namespaces = containerNamespaces(sandbox, container.config);
    const { cgroup } = container;
    runtime.note(`start ${name}`, { id, cgroup, namespaces });
  }
  container.state = "CONTAINER_RUNNING";
  container.startedAtMs = runtime.kernel.now();
  container.process = runProcess(runtime, sandbox, container);
  runtime.oomKiller?.started(container);
  runtime.emit(id, "STARTED", sandbox.config.metadata.uid);
  return {};
}

function runProcess(
  runtime: RuntimeCore,
  sandbox: SandboxRecord,
  container: ContainerRecord,
): ContainerProcess {
  const { config, image } = container;
  const { namespace } = sandbox.config.metadata;
  const pid = config.linux?.security_context?.namespace_options?.pid;
  const ports = sandbox.config.port_mappings ?? [];
  return new ContainerProcess({
    kernel: runtime.kernel,
    image,
    words: wordsOf(config),
    declaredPorts: ports.map((mapping) => mapping.container_port),
    memoryLimitBytes: config.linux?.resources?.memory_limit_in_bytes,
    isInit: pid === "CONTAINER",
    resolves: (name) => runtime.resolves(name, namespace),
    onExit: (exit) => ended(runtime, container, exit),
  });
}

const NO_WORDS: readonly string[] = [];

function wordsOf({ command, args }: ContainerConfig): readonly string[] {
  if (!command?.length && !args?.length) return NO_WORDS;
  return [...(command ?? []), ...(args ?? [])];
}

/** An image without a shell cannot run one. */
function programProblem(
  { kind }: RuntimeCore,
  { command }: ContainerConfig,
  { shell }: ImageDefinition,
): string {
  const first = command?.[0];
  if (!first || shell || !/(^|\/)(ba|da|a)?sh$/.test(first)) return "";
  return startNotFound(kind, first);
}

function ended(
  runtime: RuntimeCore,
  container: ContainerRecord,
  { code, reason }: ProcessExit,
): void {
  if (container.state === "CONTAINER_EXITED") return;
  container.state = "CONTAINER_EXITED";
  container.exitCode = code;
  container.reason = reason;
  container.finishedAtMs = runtime.kernel.now();
  const { name } = container.config.metadata;
  runtime.note(`exit ${name}`, { id: container.id, code, reason });
  runtime.oomKiller?.ended(container);
  for (const told of container.onStopped.splice(0)) told();
  const sandbox = runtime.sandboxes.get(container.sandboxId);
  const uid = sandbox?.config.metadata.uid ?? "";
  runtime.emit(container.id, "STOPPED", uid);
}

/** TERM, then KILL after `timeout` seconds. Returns once it has ended. */
export async function stopContainer(
  runtime: RuntimeCore,
  id: string,
  timeout: number,
): Promise<object> {
  const container = runtime.containers.get(id);
  // Stopping what is gone is no error.
  const process = container?.process;
  if (!container || !process || hasEnded(container)) return {};
  await runtime.takes(runtime.latency.stopMs);
  if (hasEnded(container)) return {};
  const { name } = container.config.metadata;
  runtime.note(`TERM ${name}`, { id, timeoutSeconds: timeout });
  if (timeout > 0) process.terminate();
  if (!hasEnded(container)) await untilEnded(runtime, container, timeout);
  if (!hasEnded(container)) {
    runtime.note(`KILL ${name}`, { id });
    process.kill();
  }
  return {};
}

function hasEnded(container: ContainerRecord): boolean {
  return container.state === "CONTAINER_EXITED";
}

/** Waits until the container has ended, or `timeout` seconds. */
function untilEnded(
  runtime: RuntimeCore,
  container: ContainerRecord,
  timeout: number,
): Promise<void> {
  return runtime.kernel.wait((resolve) => {
    const timer = runtime.kernel.after(timeout * 1000, () => {
      container.onStopped.length = 0;
      resolve();
    });
    container.onStopped.push(() => {
      timer.cancel();
      resolve();
    });
  });
}

export async function execSync(
  runtime: RuntimeCore,
  { container_id, cmd, timeout }: ExecSyncRequest,
): Promise<ExecSyncResponse> {
  const container = runtime.container(container_id);
  if (container.state !== "CONTAINER_RUNNING" || !container.process) {
    const desc = `failed to exec in container: container is in ${container.state} state`;
    throw new RpcError("Unknown", desc);
  }
  const { code, stdout, stderr, ms } = container.process.exec(cmd);
  if (code === NO_PROGRAM) {
    return execNotFound(runtime.kind, cmd[0] ?? "", () => runtime.newId());
  }
  const limitMs = timeout > 0 ? timeout * 1000 : Number.POSITIVE_INFINITY;
  await runtime.kernel.sleep(Math.min(ms, limitMs));
  if (ms > limitMs) {
    const desc = `failed to exec in container: timeout ${timeout}s exceeded: context deadline exceeded`;
    throw new RpcError("DeadlineExceeded", desc);
  }
  return { stdout, stderr, exit_code: code };
}

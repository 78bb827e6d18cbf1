/**
 * RunPodSandbox of containerd: makes the place that a Pod's containers share.
 * The order is the lesson: first a network namespace, then the network
 * plugins put an interface into it, and only then the pause container starts
 * and holds the namespaces open.
 * Models: containerd internal/cri/server/sandbox_run.go @ v2.4
 * Try:    start the pause container first, and look at what CNI ADD gets.
 */
import { flat } from "../kernel/flat.ts";
import type { RunPodSandboxRequest } from "./api.ts";
import { RpcError } from "./api.ts";
import type { RuntimeCore } from "./core.ts";
import { cgroupOf } from "./kinds.ts";
import { namespacesOf } from "./namespaces.ts";
import type { SandboxRecord } from "./records.ts";

/** Handlers of the runtime's configuration; "" is the default one. */
const HANDLERS = ["", "runc"];

// region: run-pod-sandbox
export async function runPodSandbox(
  runtime: RuntimeCore,
  { config, runtime_handler: handler = "" }: RunPodSandboxRequest,
): Promise<{ pod_sandbox_id: string }> {
  const id = runtime.newId();
  const name = runtime.reserveName(config.metadata);
  const sandbox: SandboxRecord = {
    id,
    name,
    config,
    runtimeHandler: handler,
    createdAtMs: runtime.kernel.now(),
    netns: "",
    ips: [],
    state: "SANDBOX_NOTREADY",
    cgroup: cgroupOf(config.linux?.cgroup_parent, id, runtime.kind),
  };
  try {
    checkHandler(sandbox);
    if (!usesNodeNetwork(sandbox)) await setUpNetwork(runtime, sandbox);
    await startPause(runtime, sandbox);
  } catch (error) {
    if (cleanUp(runtime, sandbox)) runtime.releaseName(name);
    throw error;
  }
  sandbox.state = "SANDBOX_READY";
  runtime.addSandbox(sandbox);
  runtime.emit(id, "CREATED", config.metadata.uid);
  runtime.emit(id, "STARTED", config.metadata.uid);
  return { pod_sandbox_id: id };
}
// endregion: run-pod-sandbox

/** False if a plugin fails: the kubelet then has the sandbox to stop later. */
function cleanUp(runtime: RuntimeCore, sandbox: SandboxRecord): boolean {
  try {
    tearDownNetwork(runtime, sandbox);
    return true;
  } catch {
    runtime.addSandbox(sandbox);
    runtime.emit(sandbox.id, "STOPPED", sandbox.config.metadata.uid);
    return false;
  }
}

function checkHandler({ id, runtimeHandler }: SandboxRecord): void {
  if (HANDLERS.includes(runtimeHandler)) return;
  const reason = `no runtime for "${runtimeHandler}" is configured`;
  const desc = `unable to get OCI runtime for sandbox "${id}": ${reason}`;
  throw new RpcError("Unknown", desc);
}

export function usesNodeNetwork({ config }: SandboxRecord): boolean {
  const options = config.linux?.security_context?.namespace_options;
  return options?.network === "NODE";
}

/** A namespace with nothing but `lo`; the plugins do the rest. */
export async function setUpNetwork(
  runtime: RuntimeCore,
  sandbox: SandboxRecord,
): Promise<void> {
  const { id } = sandbox;
  sandbox.netns = flat(`/var/run/netns/cni-${runtime.random.uuid()}`);
  runtime.network.addNamespace(sandbox.netns);
  runtime.note("network namespace", { path: sandbox.netns, sandbox: id });
  await runtime.takes(runtime.latency.cniMs);
  try {
    const result = runtime.podNetwork.setup(sandbox);
    sandbox.ips = (result.ips ?? []).map((ip) => ip.address.split("/")[0]!);
  } catch (error) {
    const reason = (error as Error).message;
    const desc = `failed to setup network for sandbox "${id}": ${reason}`;
    throw new RpcError("Unknown", desc);
  }
}

export function tearDownNetwork(
  runtime: RuntimeCore,
  sandbox: SandboxRecord,
): void {
  const { id, netns } = sandbox;
  if (!netns) return;
  try {
    runtime.podNetwork.teardown(sandbox);
  } catch (error) {
    const reason = (error as Error).message;
    const desc = `failed to destroy network for sandbox "${id}": ${reason}`;
    throw new RpcError("Unknown", desc);
  }
  runtime.network.removeNamespace(netns);
  sandbox.netns = "";
}

/** The pause process does nothing but exist: the Pod's namespaces are its. */
async function startPause(
  runtime: RuntimeCore,
  sandbox: SandboxRecord,
): Promise<void> {
  const { pauseImage } = runtime;
  if (!runtime.images.get(pauseImage)) {
    await runtime.images.pullImage({ image: { image: pauseImage } });
  }
  await runtime.takes(runtime.latency.sandboxStartMs);
  if (!runtime.kernel.trace.wants("container")) return;
  runtime.note("start pause", {
    id: sandbox.id,
    image: pauseImage,
    cgroup: sandbox.cgroup,
    namespaces: namespacesOf(sandbox),
    shim: `containerd-shim-runc-v2 -namespace k8s.io -id ${sandbox.id}`,
  });
}

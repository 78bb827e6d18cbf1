/**
 * StopPodSandbox and RemovePodSandbox of containerd: first all processes end,
 * then the network plugins take the interface away, then the namespace goes;
 * removing takes the records. Both may be called again and again.
 * Models: containerd internal/cri/server/sandbox_{stop,remove}.go @ v2.4
 */
import type { RuntimeCore } from "./core.ts";
import { tearDownNetwork } from "./run-pod-sandbox.ts";

export async function stopPodSandbox(
  runtime: RuntimeCore,
  id: string,
): Promise<object> {
  const sandbox = runtime.sandboxes.get(id);
  if (!sandbox) return {};
  for (const container of runtime.containersOf(id)) {
    container.process?.kill();
  }
  if (sandbox.state === "SANDBOX_READY") {
    await runtime.takes(runtime.latency.stopMs);
    sandbox.state = "SANDBOX_NOTREADY";
    const deed = sandbox.isPinned ? "release namespaces" : "stop pause";
    runtime.note(deed, { id, cgroup: sandbox.cgroup });
  }
  if (sandbox.netns) {
    await runtime.takes(runtime.latency.cniMs);
    tearDownNetwork(runtime, sandbox);
    sandbox.ips = [];
  }
  runtime.emit(id, "STOPPED", sandbox.config.metadata.uid);
  return {};
}

export async function removePodSandbox(
  runtime: RuntimeCore,
  id: string,
): Promise<object> {
  const sandbox = runtime.sandboxes.get(id);
  if (!sandbox) return {};
  if (sandbox.state === "SANDBOX_READY") await stopPodSandbox(runtime, id);
  for (const container of [...runtime.containersOf(id)]) {
    runtime.removeContainer(container);
  }
  runtime.removeSandbox(sandbox);
  runtime.releaseName(sandbox.name);
  runtime.emit(id, "DELETED", sandbox.config.metadata.uid);
  return {};
}

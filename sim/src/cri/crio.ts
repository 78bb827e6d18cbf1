/**
 * CRI-O: made for Kubernetes alone. It pins the Pod's namespaces with a small
 * helper, so that no pause process is needed to hold them: only a Pod whose
 * containers share their processes has one. It watches each container with a
 * conmon.
 * Models:     cri-o server/sandbox_run_linux.go @ main
 * Leaves out: its storage, NRI, workloads, the fetching of OCI artifacts.
 */
import type { PodSandboxConfig, RunPodSandboxRequest } from "./api.ts";
import { RpcError } from "./api.ts";
import { BaseRuntime } from "./base-runtime.ts";
import type { RuntimeCore } from "./core.ts";
import { cgroupOf } from "./kinds.ts";
import { namespacesOf } from "./namespaces.ts";
import type { SandboxRecord } from "./records.ts";
import {
  setUpNetwork,
  tearDownNetwork,
  usesNodeNetwork,
} from "./run-pod-sandbox.ts";

export class Crio extends BaseRuntime {
  readonly name = "cri-o";
  readonly runtimeVersion = "1.36.0";
  protected readonly handlers = [{}, { name: "crun" }, { name: "runc" }];

  runPodSandbox(request: RunPodSandboxRequest) {
    const handlers = this.handlers.map(({ name = "" }) => name);
    return runPodSandbox(this.core, request, handlers);
  }
}

// region: crio-run-pod-sandbox
async function runPodSandbox(
  runtime: RuntimeCore,
  { config, runtime_handler: handler = "" }: RunPodSandboxRequest,
  handlers: readonly string[],
): Promise<{ pod_sandbox_id: string }> {
  const id = runtime.newId();
  const name = runtime.reserveName(config.metadata, "k8s_");
  const sandbox: SandboxRecord = {
    ...{ id, name, config, runtimeHandler: handler, netns: "", ips: [] },
    createdAtMs: runtime.kernel.now(),
    state: "SANDBOX_NOTREADY",
    cgroup: cgroupOf(config.linux?.cgroup_parent, id, runtime.kind),
    isPinned: !sharesProcesses(config),
  };
  try {
    const problem = runtime.podNetwork.problem();
    if (problem) throw new RpcError("Unknown", `CNI is not ready: ${problem}`);
    if (!handlers.includes(handler)) {
      const why = `failed to find runtime handler ${handler} from runtime list`;
      throw new RpcError("Unknown", why);
    }
    await runtime.takes(runtime.latency.sandboxStartMs / 2);
    runtime.note("create storage", { id, image: runtime.pauseImage });
    const { network, ipc, uts } = namespacesOf(sandbox);
    runtime.note("pin namespaces", { by: "pinns", network, ipc, uts });
    if (!usesNodeNetwork(sandbox)) await setUpNetwork(runtime, sandbox);
    if (sandbox.isPinned) {
      // The infra container is dropped: drop_infra_ctr is on by default.
      runtime.note("no pause container", { id, drop_infra_ctr: true });
    } else {
      await runtime.takes(runtime.latency.sandboxStartMs / 2);
      const { cgroup } = sandbox;
      const namespaces = namespacesOf(sandbox);
      runtime.note("start pause", { id, cgroup, namespaces, by: "conmon" });
    }
  } catch (error) {
    tearDownNetwork(runtime, sandbox);
    runtime.releaseName(name);
    throw error;
  }
  sandbox.state = "SANDBOX_READY";
  runtime.addSandbox(sandbox);
  runtime.emit(id, "CREATED", config.metadata.uid);
  runtime.emit(id, "STARTED", config.metadata.uid);
  return { pod_sandbox_id: id };
}
// endregion: crio-run-pod-sandbox

/** A process namespace cannot be pinned: it lives as long as its first process. */
function sharesProcesses({ linux }: PodSandboxConfig): boolean {
  return linux?.security_context?.namespace_options?.pid === "POD";
}

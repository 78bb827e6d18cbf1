/**
 * Docker Engine behind cri-dockerd, which speaks CRI to the kubelet and
 * Docker's API to the engine (the kubelet's own dockershim left in 1.24). The
 * pause container starts first here, and gets its network afterwards.
 * Models:     Mirantis/cri-dockerd core/sandbox_run.go
 * Leaves out: the engine's own networks; streaming.
 */
import type { RunPodSandboxRequest } from "./api.ts";
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

export class Docker extends BaseRuntime {
  readonly name = "docker";
  readonly runtimeVersion = "29.0.0";
  protected readonly handlers = [{}];

  runPodSandbox(request: RunPodSandboxRequest) {
    return runPodSandbox(this.core, request);
  }
}

// region: docker-run-pod-sandbox
async function runPodSandbox(
  runtime: RuntimeCore,
  { config, runtime_handler: handler = "" }: RunPodSandboxRequest,
): Promise<{ pod_sandbox_id: string }> {
  const { name, namespace, uid, attempt = 0 } = config.metadata;
  if (handler !== "" && handler !== "docker") {
    throw new RpcError("Unknown", `RuntimeHandler "${handler}" not supported`);
  }
  const id = runtime.newId();
  const container = `k8s_POD_${name}_${namespace}_${uid}_${attempt}`;
  const sandbox: SandboxRecord = {
    ...{ id, name: container, config, runtimeHandler: handler, netns: "" },
    ...{
      ips: [],
      createdAtMs: runtime.kernel.now(),
      state: "SANDBOX_NOTREADY",
    },
    cgroup: cgroupOf(config.linux?.cgroup_parent, id, runtime.kind),
  };
  const { createMs, sandboxStartMs } = runtime.latency;
  await runtime.takes(createMs);
  runtime.note("docker create", { container, image: runtime.pauseImage });
  runtime.disk.write(`/var/lib/cri-dockerd/sandbox/${id}`, config);
  await runtime.takes(sandboxStartMs);
  runtime.note("docker start", { container, ...namespacesOf(sandbox) });
  runtime.note("rewrite resolv.conf", { ...config.dns_config });
  try {
    if (!usesNodeNetwork(sandbox)) await setUpNetwork(runtime, sandbox);
  } catch (error) {
    tearDownNetwork(runtime, sandbox);
    runtime.note("docker stop", { container });
    throw error;
  }
  sandbox.state = "SANDBOX_READY";
  runtime.addSandbox(sandbox);
  runtime.emit(id, "CREATED", uid);
  runtime.emit(id, "STARTED", uid);
  return { pod_sandbox_id: id };
}
// endregion: docker-run-pod-sandbox

/**
 * containerd: its CRI plugin serves all calls of the kubelet itself.
 * Models:     containerd internal/cri/server @ v2.4
 * Leaves out: sandboxers other than runc's, NRI, snapshotters' contents.
 */
import type { RunPodSandboxRequest, RuntimeCondition } from "./api.ts";
import { BaseRuntime } from "./base-runtime.ts";
import { runPodSandbox } from "./run-pod-sandbox.ts";

export class Containerd extends BaseRuntime {
  readonly name = "containerd";
  readonly runtimeVersion = "2.4.0";
  protected readonly handlers = [{}, { name: "runc" }];

  runPodSandbox(request: RunPodSandboxRequest) {
    return runPodSandbox(this.core, request);
  }

  /** How its last reading of /etc/cni/net.d ended. */
  protected override info(): Readonly<Record<string, string>> {
    const { loadError } = this.core.podNetwork;
    const status = JSON.stringify(loadError || "OK");
    return { lastCNILoadStatus: status, "lastCNILoadStatus.default": status };
  }

  protected override conditions(): RuntimeCondition[] {
    return [deprecations(this.core.cgroupVersion)];
  }
}

function deprecations(cgroupVersion: 1 | 2) {
  const type = "ContainerdHasNoDeprecationWarnings";
  if (cgroupVersion === 2) return { type, status: true };
  const warnings = {
    "io.containerd.deprecation/cgroup-v1":
      "The support for cgroup v1 is deprecated since containerd v2.2 and will be removed by no later than May 2029. Upgrade the host to use cgroup v2.",
  };
  const reason = "ContainerdHasDeprecationWarnings";
  return { type, status: false, reason, message: JSON.stringify(warnings) };
}

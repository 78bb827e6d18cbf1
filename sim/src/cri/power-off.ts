/**
 * A machine loses its power: processes and network namespaces are gone, what
 * the runtime has on disk stays, and is found when it starts again.
 * Models:     containerd internal/cri/server/restart.go (an unknown exit) @ v2.4
 * Leaves out: the node's own interfaces, routes and rules, which stay.
 */
import type { RuntimeCore } from "./core.ts";

/** Nobody saw how it ended. */
const UNKNOWN_EXIT = 255;

export function powerOff({ containers, sandboxes, network }: RuntimeCore) {
  for (const { process } of containers.values()) {
    process?.end(UNKNOWN_EXIT, "Unknown");
  }
  for (const sandbox of sandboxes.values()) {
    sandbox.state = "SANDBOX_NOTREADY";
    sandbox.ips = [];
    if (sandbox.netns) network.removeNamespace(sandbox.netns);
  }
}

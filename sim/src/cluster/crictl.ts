/**
 * `crictl` on a node of the cluster: the administrator's own way to the
 * runtime, over the same socket as the kubelet's.
 */
import { connect } from "../cri/connection.ts";
import { type CrictlEnvironment, runCrictl } from "../cri/crictl/crictl.ts";
import { currentLog } from "../cri/log-files.ts";
import type { NodeHost } from "../cri/node-host.ts";
import { nanosOf } from "../cri/time.ts";
import type { Kernel } from "../kernel/index.ts";

/** One way through the runtime's socket and back, in ms. */
const SOCKET_MS = 0.2;

/** Resolves with the exit code. */
export function crictlOn(
  kernel: Kernel,
  host: NodeHost,
  argv: readonly string[],
  out: CrictlEnvironment["out"],
  err: CrictlEnvironment["err"],
): Promise<number> {
  const { name, runtime, kind } = host;
  const { core } = runtime;
  return runCrictl(argv, {
    runtime: connect({
      ...{ kernel, actor: `crictl/${name}`, target: `${kind}/${name}` },
      ...{ runtime, latencyMs: SOCKET_MS },
    }),
    nowNanos: () => nanosOf(kernel),
    readLog(path) {
      const all = [...core.containers.values()];
      const container = all.find(({ logPath }) => logPath === path);
      return container ? currentLog(container) : [];
    },
    ...{ out, err },
  });
}

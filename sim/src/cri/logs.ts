/**
 * What a container has printed, for whoever asks for it: `kubectl logs` by way
 * of the kubelet. Only the newest log file is read.
 * Models:     pkg/kubelet/kuberuntime/logs @ v1.36
 */
import type { RuntimeCore } from "./core.ts";
import { currentLog } from "./log-files.ts";
import type { LogLine } from "./workload/output.ts";

/** Lines of the container; undefined if the runtime has it no more. */
export function readLog(
  core: RuntimeCore,
  id: string,
): readonly LogLine[] | undefined {
  const container = core.containers.get(id);
  return container && currentLog(container);
}

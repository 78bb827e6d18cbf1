/**
 * What a container has printed, for whoever asks for it: `kubectl logs` by way
 * of the kubelet.
 * Models:     pkg/kubelet/kuberuntime/logs @ v1.36
 * Leaves out: rotation.
 */
import type { RuntimeCore } from "./core.ts";
import type { ContainerRecord } from "./records.ts";
import type { LogLine } from "./workload/process.ts";

/**
 * Lines of the newest container of that name, or of the one before it;
 * undefined if there is none.
 */
export function readLog(
  core: RuntimeCore,
  podUid: string,
  name: string,
  previous = false,
): readonly LogLine[] | undefined {
  const own: ContainerRecord[] = core
    .sandboxesOf(podUid)
    .flatMap(({ id }) => core.containersOf(id))
    .filter(({ config }) => config.metadata.name === name)
    .sort((a, b) => b.createdAtMs - a.createdAtMs);
  return own[previous ? 1 : 0]?.process?.logs();
}

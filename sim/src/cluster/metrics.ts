/**
 * What metrics-server would tell: CPU and memory of containers, read from the
 * runtimes of all nodes. A container's load comes from its image.
 * Leaves out: scraping intervals; every reading is of this moment.
 */
import {
  type MetricsSource,
  NO_METRICS,
  type Sample,
} from "../controllers/hpa/metrics.ts";
import type { NodeHost } from "../cri/node-host.ts";
import { LABEL } from "../cri/records.ts";
import type { Kernel } from "../kernel/index.ts";

/** The time that a reading of the kubelet is an average over, in ms. */
const WINDOW_MS = 15_000;

export function clusterMetrics(
  kernel: Kernel,
  hosts: readonly NodeHost[],
): MetricsSource {
  return {
    ...NO_METRICS,
    podResource(namespace, resource, container) {
      const samples = new Map<string, Sample>();
      for (const { runtime } of hosts) {
        for (const { config, process } of runtime.core.containers.values()) {
          const labels = config.labels ?? {};
          if (!process || labels[LABEL.podNamespace] !== namespace) continue;
          if (container && labels[LABEL.containerName] !== container) continue;
          const pod = labels[LABEL.podName] ?? "";
          const milli =
            resource === "cpu"
              ? process.cpuMilli()
              : process.memoryBytes() * 1000;
          samples.set(pod, {
            milli: milli + (samples.get(pod)?.milli ?? 0),
            atMs: kernel.now(),
            windowMs: WINDOW_MS,
          });
        }
      }
      return samples;
    },
  };
}

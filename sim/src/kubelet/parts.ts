/**
 * The parts of one kubelet that its pod workers share.
 */
import type { Pod, PodCondition, PodStatus } from "../api/kinds/pod.ts";
import type { Kernel, Random } from "../kernel/index.ts";
import type { ProbeManager } from "./probes/manager.ts";
import type { Recorder, RuntimeContext } from "./runtime/context.ts";
import type { RuntimePod } from "./runtime/pod-status.ts";
import type { SyncErrors } from "./runtime/sync.ts";
import type { GenerateContext } from "./status/generate.ts";
import type { StatusManager } from "./status/manager.ts";
import type { VolumeManager } from "./volumes.ts";

/** How the status of a Pod ends that the node itself ends. */
export interface Ending extends Pick<PodStatus, "reason" | "message"> {
  readonly phase: "Failed";
  /** A Pod whose containers all end well is Succeeded all the same. */
  readonly unlessSucceeded?: boolean;
  /** Said at once; the rest once all containers have ended. */
  readonly condition?: PodCondition;
}

export interface KubeletParts {
  readonly kernel: Kernel;
  /** `kubelet/node-1`. */
  readonly actor: string;
  readonly random: Random;
  readonly events: Recorder;
  readonly status: StatusManager;
  readonly probes: ProbeManager;
  readonly volumes: VolumeManager;
  readonly context: RuntimeContext;
  readonly generate: GenerateContext;
  /** Why containers did not start at the last sync, by the Pod's uid. */
  readonly reasons: Map<string, SyncErrors>;
  /** What the status says of Pods that the node itself ends, by uid. */
  readonly ending: Map<string, Ending>;
  /** Why no Pod can have a network; "" if it can. */
  networkProblem(): string;
  /** Makes the API's picture of a static Pod, if there is none. */
  mirror(pod: Pod): Promise<void>;
  /** What the runtime has, asked anew. */
  readStatus(pod: Pod): Promise<RuntimePod>;
}

/** What a kubelet is told when it starts: its machine, its runtime. */
import type { Taint } from "../api/kinds/node.ts";
import type { Pod } from "../api/kinds/pod.ts";
import type {
  ContainerEvent,
  ImageService,
  RuntimeService,
} from "../cri/api.ts";
import type { Disk } from "../kernel/disk.ts";
import type { NodeStats } from "./eviction/stats.ts";
import { amountOf, DEFAULT_EVICTION_HARD } from "./eviction/thresholds.ts";
import type { NodeLogs } from "./log-rotation.ts";
import type { Listener } from "./probes/ask.ts";
import type { KubeletConfiguration } from "./settings.ts";
import type { Inhibitor } from "./shutdown.ts";
import type { PageAnswer } from "./static-pods-url.ts";
import type { VolumePlugin } from "./volumes.ts";

export interface NodeConfig {
  readonly name: string;
  /** The node's own address. */
  readonly address: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly taints?: readonly Taint[];
  /** Quantities: cpu, memory, ephemeral-storage, pods. */
  readonly capacity: Readonly<Record<string, string>>;
  readonly podCIDR?: string;
  readonly providerID?: string;
}

export interface KubeletOptions {
  readonly node: NodeConfig;
  /** The runtime behind its socket. */
  readonly runtime: RuntimeService & ImageService;
  /** Subscribes to what the runtime tells of its containers. */
  readonly onRuntimeEvent: (listener: (event: ContainerEvent) => void) => void;
  /** `containerd`, `cri-o`, `docker`. */
  readonly runtimeName: string;
  /** `containerd://2.4.0` */
  readonly runtimeVersion: string;
  /** What listens at a port of the Pod. */
  readonly dial: (podUid: string, port: number) => Listener | undefined;
  /** The node's disk: static Pods lie in /etc/kubernetes/manifests. */
  readonly disk?: Disk;
  readonly volumePlugins?: readonly VolumePlugin[];
  readonly clusterDns?: readonly string[];
  readonly clusterDomain?: string;
  readonly cgroupDriver?: "cgroupfs" | "systemd";
  /** Reads a manifest: for static Pods. */
  readonly parseManifest?: (text: string) => Pod;
  /** Asks a web server; throws if there is none. */
  readonly fetch?: (url: string) => PageAnswer;
  /** What the machine has and uses; without it nothing is ever evicted. */
  readonly stats?: NodeStats;
  readonly configuration?: KubeletConfiguration;
  /** Asks for a token of its own for each Pod. */
  readonly requestsTokens?: boolean;
  /** The machine's kernel has killed a process for want of memory. */
  readonly onSystemOom?: (
    listener: (victim: { process: string; pid: number }) => void,
  ) => void;
  /** Its folder of logs; without it they grow for ever. */
  readonly logs?: NodeLogs;
  /** Delays the machine's shutdown. */
  readonly inhibitor?: Inhibitor;
}

/**
 * Left of a capacity in bytes, so that Pods do not starve the system: the
 * hard eviction threshold, since nothing else is kept back.
 */
export function keptBack(
  { configuration = {} }: KubeletOptions,
  signal: "memory.available" | "nodefs.available",
  capacity: number,
): number {
  const { evictionHard = DEFAULT_EVICTION_HARD } = configuration;
  return amountOf(evictionHard[signal] ?? "0", capacity);
}

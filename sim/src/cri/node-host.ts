/**
 * A node's machine: disk, network, images and the runtime that uses them.
 * What the cluster makes for each node before the kubelet starts.
 */
import type { CniHost, Plugin } from "../cni/index.ts";
import { STANDARD_PLUGINS } from "../cni/index.ts";
import { Disk } from "../kernel/disk.ts";
import type { Kernel } from "../kernel/index.ts";
import { NodeNetwork } from "../network/node-network.ts";
import type { BaseRuntime } from "./base-runtime.ts";
import { Containerd } from "./containerd.ts";
import type { RuntimeLatency } from "./core.ts";
import { Crio } from "./crio.ts";
import { Docker } from "./docker.ts";
import { ImageStore, type PullModel } from "./image-store.ts";
import type { RuntimeKind } from "./kinds.ts";
import { Logind } from "./logind.ts";
import { PodNetwork } from "./pod-network.ts";
import type { ImageRegistry } from "./workload/registry.ts";

export interface NodeHostOptions {
  readonly kernel: Kernel;
  /** The node's name. */
  readonly node: string;
  readonly registry: ImageRegistry;
  /** Which runtime the node has; containerd unless said. */
  readonly runtime?: RuntimeKind;
  /** Executables of /opt/cni/bin besides, or instead of, the usual ones. */
  readonly plugins?: ReadonlyMap<string, Plugin>;
  /** Files on the disk from the start: `/etc/cni/net.d/10-….conflist`. */
  readonly files?: Readonly<Record<string, string>>;
  readonly latency?: RuntimeLatency;
  readonly pull?: PullModel;
  /** Of the machine; absent: without end. */
  readonly memoryBytes?: number;
  readonly resolves?: (name: string, namespace: string) => boolean;
}

/** About 50 MB a second, and 200 ms until the first byte. */
const USUAL_PULL: PullModel = { resolveMs: 200, bytesPerMs: 50_000 };

const RUNTIMES = { containerd: Containerd, crio: Crio, docker: Docker };

export interface NodeHost {
  /** The node's name. */
  readonly name: string;
  readonly kind: RuntimeKind;
  readonly disk: Disk;
  readonly network: NodeNetwork;
  readonly runtime: BaseRuntime;
  readonly logind: Logind;
}

export function makeNodeHost(options: NodeHostOptions): NodeHost {
  const { kernel, node, registry, files = {} } = options;
  const kind = options.runtime ?? "containerd";
  const actor = `${kind}/${node}`;
  const random = kernel.random.fork(actor);
  const disk = new Disk();
  const network = new NodeNetwork(random.fork("network"));
  for (const [path, text] of Object.entries(files)) disk.write(path, text);
  const podNetwork = new PodNetwork(cniHost(options, disk, network));
  const pull = options.pull ?? USUAL_PULL;
  const store = { kernel, actor, kind, registry, random, pull };
  const images = new ImageStore(store);
  const { latency, resolves, memoryBytes } = options;
  const parts = { kernel, actor, random, disk, network, podNetwork, images };
  const more = { kind, latency, resolves, memoryBytes };
  const runtime = new RUNTIMES[kind]({ ...parts, ...more });
  const logind = new Logind(kernel);
  return { name: node, kind, disk, network, runtime, logind };
}

/** Every execution of a plugin is an arrow from the runtime to `cni/node`. */
function cniHost(
  { kernel, node, plugins = NO_PLUGINS, runtime }: NodeHostOptions,
  disk: Disk,
  network: NodeNetwork,
): CniHost {
  const binaries =
    plugins.size > 0
      ? new Map([...STANDARD_PLUGINS, ...plugins])
      : STANDARD_PLUGINS;
  const actor = `${runtime ?? "containerd"}/${node}`;
  const target = `cni/${node}`;
  return {
    disk,
    network,
    binaries,
    observe(plugin, env, stdin) {
      const detail: CniDetail = { env, stdin };
      const subject = `${env.CNI_COMMAND} ${plugin}`;
      kernel.record(actor, "cni", subject, target, detail);
      return ({ stdout, exit }) => {
        detail.stdout = stdout;
        detail.exit = exit;
      };
    },
  };
}

const NO_PLUGINS: ReadonlyMap<string, Plugin> = new Map();

interface CniDetail {
  readonly env: object;
  readonly stdin: unknown;
  stdout?: unknown;
  exit?: number;
}

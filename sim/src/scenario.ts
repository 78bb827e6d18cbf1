/**
 * What a run starts from and what is done to it: plain data, so that a run is
 * a value: (source, scenario, seed, inputs) gives one trace.
 */
import type { ImageDefinition } from "./cri/workload/image.ts";
import type { KubeletConfiguration } from "./kubelet/settings.ts";

/** What a run starts from. All of it may be left out. */
export interface Scenario {
  /** Name for messages and links. */
  readonly name?: string;
  /** Worker nodes: a number of equal ones, or one by one. Default 3. */
  readonly nodes?: number | readonly NodeOption[];
  /** Inputs of the scenario itself, merged with the reader's. */
  readonly inputs?: readonly Input[];
  /** The run ends at this moment at the latest, in ms. Default 60_000. */
  readonly untilMs?: number;
  /**
   * The run ends when no object but Leases, Events and node statuses changed
   * for so long, in ms, after the last input. Default 3_000; 0: never.
   */
  readonly quietMs?: number;
  readonly latency?: Partial<LatencyModel>;
  /** Images besides the known ones: what their containers do. */
  readonly images?: readonly ImageDefinition[];
  /** Machines of the control plane, behind a load balancer. Default 1. */
  readonly controlPlanes?: number;
  /** Members of etcd; as many as `controlPlanes` unless told. */
  readonly etcdMembers?: number;
  /** On the control plane's machines, or apart from them. Default stacked. */
  readonly etcd?: "stacked" | "external";
  /**
   * How far a machine's clock is ahead, in ms; below 0, behind: `cp-1`,
   * `node-2`. Default: all are right.
   */
  readonly clocks?: { readonly [machine: string]: number };
  /** Container runtime of the nodes. Default containerd. */
  readonly runtime?: "containerd" | "crio" | "docker";
  /**
   * Who makes the Pods' network. bridge, the default: each node its own, and
   * no way between Pods of different nodes.
   */
  readonly network?: "bridge" | "flannel" | "calico" | "cilium";
  /**
   * How Pods' packets travel between nodes: in a tunnel, or by routes alone
   * (flannel's host-gw). Each network has its own default.
   */
  readonly encapsulation?: "vxlan" | "ipip" | "none";
  /** CoreDNS runs, and Pods find Services by name. Default: it does not. */
  readonly dns?: boolean;
  /**
   * Rules that kube-proxy writes; none: no kube-proxy runs, the default. Left
   * blank, kube-proxy chooses: iptables. With userspace, gone since 1.26, it
   * ends at once and says why.
   */
  readonly proxy?: "iptables" | "nftables" | "ipvs" | "userspace" | "" | "none";
  /** kube-proxy's `--ipvs-scheduler`: rr, the default, lc, sh … */
  readonly ipvsScheduler?: string;
  /**
   * A cloud-controller-manager runs, with a cloud in memory behind it. Named
   * by how its load balancers hand over what they get: VIP, which true means,
   * with their own address still on it; Proxy, to a node port.
   */
  readonly cloud?: boolean | "VIP" | "Proxy";
  /**
   * Kubelets ask the API server for a token for each Pod, as the real ones
   * do. Default: they do not, since it is one more request for every Pod.
   */
  readonly tokens?: boolean;
  /** What web servers outside of the cluster give to kubelets. */
  readonly pages?: readonly Page[];
  /** An example CSI driver with its sidecars, and a class `standard` for it. */
  readonly storage?: boolean;
  /** The Service `mesh/sidecar-injector` has a webhook's server behind it. */
  readonly webhooks?: boolean;
  /** `website-operator` runs: a controller of a kind of its own. */
  readonly operator?: boolean;
  /** Components that do not run at all: `kube-scheduler`. */
  readonly without?: readonly string[];
}

/** One node's machine, where it is not like the others. */
export interface NodeOption {
  readonly name?: string;
  /** Quantities as in a manifest. Default 4 CPUs, 8Gi, 110 Pods. */
  readonly cpu?: string;
  readonly memory?: string;
  readonly pods?: number;
  /** Quantity. Default 100Gi. */
  readonly disk?: string;
  /** Files that it can hold. Default one for 16 KiB, as ext4 has them. */
  readonly inodes?: number;
  /** A disk of their own for images and containers' layers. */
  readonly imageDisk?: string;
  /** Processes that it can have. Default 4,194,304. */
  readonly pids?: number;
  /** Settings of its kubelet, by the names of its file. */
  readonly kubelet?: KubeletConfiguration;
  readonly labels?: { readonly [key: string]: string };
  readonly taints?: readonly {
    readonly key: string;
    readonly value?: string;
    readonly effect: "NoSchedule" | "PreferNoSchedule" | "NoExecute";
  }[];
  /** Its container runtime, where it is not the scenario's. */
  readonly runtime?: Scenario["runtime"];
  /** On its disk besides, or in place of, its network configuration. */
  readonly files?: readonly NodeFile[];
}

export interface NodeFile {
  /** `/etc/cni/net.d/10-podnet.conflist` */
  readonly path: string;
  /** Absent: there is no such file. */
  readonly text?: string;
  /** When somebody changes it, in ms. Absent: so from the start. */
  readonly atMs?: number;
}

/** For `staticPodURL` of a kubelet. */
export interface Page {
  readonly url: string;
  /** Absent: there is no such page. */
  readonly text?: string;
  /** From this moment on, in ms. Absent: from the start. */
  readonly atMs?: number;
}

/** One-way times of simulated I/O: [least, most] in ms, drawn evenly. */
export interface LatencyModel {
  /** Client to API server, and back; watch events take one way. */
  readonly apiMs: readonly [number, number];
}

/** `apiMs` from 0.4 to 1.2. */
export const DEFAULT_LATENCY: LatencyModel = {
  apiMs: [0.4, 1.2],
};

/** Something that the reader (or the scenario) does at a moment. */
export type Input =
  | ApplyInput
  | KubectlInput
  | CrictlInput
  | FaultInput
  | PartitionInput
  | SlowInput
  | ConnectInput;

/** `kubectl apply -f -` with this text. */
export interface ApplyInput {
  readonly atMs: number;
  readonly do: "apply";
  readonly yaml: string;
}

/** A command line after the word `kubectl`. */
export interface KubectlInput {
  readonly atMs: number;
  readonly do: "kubectl";
  readonly line: string;
  readonly stdin?: string;
}

/** A command line after the word `crictl`, typed on a node. */
export interface CrictlInput {
  readonly atMs: number;
  readonly do: "crictl";
  /** `node-1` */
  readonly node: string;
  readonly line: string;
}

/**
 * A component is stopped or started: `kubelet/node-1`, `etcd`. `node/node-1`
 * is the whole machine; it alone can be shut down, in good order.
 */
export interface FaultInput {
  readonly atMs: number;
  readonly do: "stop" | "start" | "shutdown";
  readonly actor: string;
}

/** No message passes between two components until `heal`: `kubelet/node-1`, `etcd`. */
export interface PartitionInput {
  readonly atMs: number;
  readonly do: "partition" | "heal";
  readonly between: readonly [string, string];
}

/** A component's messages take longer. */
export interface SlowInput {
  readonly atMs: number;
  readonly do: "slow";
  readonly actor: string;
  /** Added to every message to and from the actor, in ms; 0 ends it. */
  readonly extraMs: number;
}

/** `curl`, or `ping` where there is no port. */
export interface ConnectInput {
  readonly atMs: number;
  readonly do: "connect";
  /** `pod default/web-0`, `node node-1`, `outside`. */
  readonly from: string;
  /** `web:80`, `10.96.0.1:443`, `pod default/web-0`, `node node-1:30080`. */
  readonly to: string;
  /** tcp unless told; icmp where there is no port. */
  readonly protocol?: "tcp" | "udp" | "icmp";
  /** Prints the rules too that the packet meets on its way there. */
  readonly rules?: boolean;
}

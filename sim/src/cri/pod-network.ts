/**
 * The runtime's side of the Pod's network: `lo` first, then the network that
 * /etc/cni/net.d names. It, not the kubelet, executes the plugins.
 * Models: containerd/go-cni, containerd internal/cri/server/sandbox_run.go
 *         (setupPodNetwork, toCNILabels) @ v2.4
 */

import { messageOf } from "../cni/exec.ts";
import {
  type CniHost,
  type CniResult,
  Libcni,
  loadNetwork,
  type NetworkList,
  type RuntimeConf,
} from "../cni/index.ts";
import type { PodSandboxConfig } from "./api.ts";
import type { SandboxRecord } from "./records.ts";

export const NET_D = "/etc/cni/net.d";

const LOOPBACK: NetworkList = {
  name: "cni-loopback",
  cniVersion: "0.3.1",
  disableCheck: false,
  disableGC: false,
  plugins: [{ type: "loopback", name: "cni-loopback", cniVersion: "0.3.1" }],
};

const PROTOCOLS = ["tcp", "udp", "sctp"];

export class PodNetwork {
  private readonly host: CniHost;
  private readonly cni: Libcni;
  private network: NetworkList | undefined;
  private lastError = "";

  constructor(host: CniHost) {
    this.host = host;
    this.cni = new Libcni(host);
    this.reload();
  }

  /** Reads the folder again, as the runtime does when it changes. */
  reload(): void {
    try {
      this.network = loadNetwork(this.host.disk, NET_D);
      this.lastError = "";
    } catch (error) {
      this.network = undefined;
      this.lastError = (error as Error).message;
    }
  }

  /** Why the configuration could not be read; "" if it could. */
  get loadError(): string {
    return this.lastError;
  }

  /** Why no Pod can have a network now; "" if it can. */
  problem(): string {
    if (!this.network) return `cni plugin not initialized`;
    try {
      this.cni.status(this.network);
      return "";
    } catch (error) {
      return messageOf(error);
    }
  }

  /** Attaches the sandbox. Throws the plugin's error; then tear it down. */
  setup(sandbox: SandboxRecord): CniResult {
    const network = this.network;
    if (!network)
      throw new Error(this.lastError || "cni plugin not initialized");
    const rt = runtimeConf(sandbox);
    this.cni.add(LOOPBACK, { ...rt, ifname: "lo" });
    return this.cni.add(network, rt);
  }

  /** Detaches it; once more is no error. */
  teardown(sandbox: SandboxRecord): void {
    if (!this.network) return;
    const rt = runtimeConf(sandbox);
    const netns = this.host.network.namespace(sandbox.netns) ? rt.netns : "";
    this.cni.del(this.network, { ...rt, netns });
    this.cni.del(LOOPBACK, { ...rt, netns, ifname: "lo" });
  }
}

function runtimeConf({ id, config, netns }: SandboxRecord): RuntimeConf {
  const { name, namespace, uid } = config.metadata;
  const portMappings = hostPorts(config);
  return {
    containerId: id,
    netns,
    ifname: "eth0",
    args: [
      ["IgnoreUnknown", "1"],
      ["K8S_POD_NAMESPACE", namespace],
      ["K8S_POD_NAME", name],
      ["K8S_POD_INFRA_CONTAINER_ID", id],
      ["K8S_POD_UID", uid],
    ],
    capabilityArgs: portMappings.length > 0 ? { portMappings } : {},
  };
}

/** Ports of the Pod without a host port are no matter of the network's. */
function hostPorts(config: PodSandboxConfig) {
  return (config.port_mappings ?? [])
    .filter((mapping) => (mapping.host_port ?? 0) > 0)
    .map((mapping) => ({
      hostPort: mapping.host_port ?? 0,
      containerPort: mapping.container_port,
      protocol: PROTOCOLS[mapping.protocol ?? 0]!,
      ...(mapping.host_ip ? { hostIP: mapping.host_ip } : {}),
    }));
}

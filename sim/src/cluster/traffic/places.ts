/**
 * Where packets start and end: Pods, nodes, the host outside; and which
 * program listens there.
 */
import type { NodeHost } from "../../cri/node-host.ts";
import { LABEL, type SandboxRecord } from "../../cri/records.ts";
import type { MachineNetwork } from "../../network/machines.ts";
import type { NetworkNamespace } from "../../network/namespace.ts";

export interface Place {
  /** `pod default/web-0`, `node node-1`, `outside`, `router`. */
  readonly name: string;
  /** The node it is on; "" for none. */
  readonly node: string;
  readonly namespace: NetworkNamespace;
  /** The Pod's namespace in the API; "" for none. */
  readonly apiNamespace: string;
}

export class Places {
  private readonly hosts: readonly NodeHost[];
  private readonly machines: MachineNetwork;

  constructor(hosts: readonly NodeHost[], machines: MachineNetwork) {
    this.hosts = hosts;
    this.machines = machines;
  }

  /** By its name; undefined if there is none such. */
  find(name: string): Place | undefined {
    const [what, which = ""] = name.split(" ");
    if (what === "outside") return this.at(this.machines.outside);
    for (const host of this.hosts) {
      const { name: node } = host;
      if (what === "node" && node === which) return this.at(host.network.root);
      if (what !== "pod") continue;
      const full = which.includes("/") ? which : `default/${which}`;
      const sandbox = sandboxOf(host, full);
      const namespace = host.network.namespace(sandbox?.netns ?? "");
      if (sandbox && namespace) {
        const apiNamespace = full.split("/")[0]!;
        return { name: `pod ${full}`, node, namespace, apiNamespace };
      }
    }
    return undefined;
  }

  /** Whose network namespace it is. */
  at(namespace: NetworkNamespace): Place {
    const place = { namespace, node: "", apiNamespace: "" };
    for (const host of this.hosts) {
      const { name: node } = host;
      const { network, runtime } = host;
      if (network.root === namespace)
        return { ...place, name: `node ${node}`, node };
      if (network.namespace(namespace.path) !== namespace) continue;
      for (const { netns, config } of runtime.core.sandboxes.values()) {
        if (netns !== namespace.path) continue;
        const { namespace: apiNamespace, name } = config.metadata;
        const full = `pod ${apiNamespace}/${name}`;
        return { name: full, node, namespace, apiNamespace };
      }
    }
    return { ...place, name: namespace.path };
  }

  /** The Pod whose program listens on the port there; undefined: nobody. */
  listener({ namespace, node, name }: Place, port: number): string | undefined {
    if (namespace === this.machines.outside) return name;
    const host = this.hosts.find((each) => each.name === node);
    if (!host) return undefined;
    const { core } = host.runtime;
    for (const sandbox of core.sandboxes.values()) {
      if (sandbox.netns !== namespace.path) continue;
      const serves = core
        .containersOf(sandbox.id)
        .some(({ process }) => process?.serves(port));
      const { metadata } = sandbox.config;
      if (serves) return `pod ${metadata.namespace}/${metadata.name}`;
    }
    return undefined;
  }
}

/** The Pod's newest sandbox that is ready, by `namespace/name`. */
function sandboxOf(host: NodeHost, full: string): SandboxRecord | undefined {
  let found: SandboxRecord | undefined;
  for (const sandbox of host.runtime.core.sandboxes.values()) {
    const { labels = {} } = sandbox.config;
    const its = `${labels[LABEL.podNamespace]}/${labels[LABEL.podName]}`;
    if (its === full && sandbox.state === "SANDBOX_READY") found = sandbox;
  }
  return found;
}

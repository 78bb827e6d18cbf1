/**
 * The requests that the kubelet makes of a Pod's spec: the sandbox's and each
 * container's configuration.
 * Models:     pkg/kubelet/kuberuntime/{kuberuntime_sandbox,kuberuntime_container}.go,
 *             pkg/kubelet/kubelet_pods.go @ v1.36
 * Leaves out: devices, users, seccomp; environment variables for Services.
 */
import type { Container, Pod } from "../../api/kinds/pod.ts";
import type {
  ContainerConfig,
  CriPortMapping,
  NamespaceMode,
  NamespaceOptions,
  PodSandboxConfig,
} from "../../cri/api.ts";
import { flat } from "../../kernel/flat.ts";
import { allContainers } from "../containers.ts";
import { containerResources, podCgroup } from "./cgroups.ts";
import type { ConfigSource, RuntimeContext } from "./context.ts";
import { dnsConfig } from "./dns.ts";
import { type Envs, environment, expand } from "./environment.ts";
import { containerLabels, sandboxLabels } from "./labels.ts";
import type { Sandbox } from "./start-container.ts";

/** Where the logs of a Pod lie. */
export function logFolder(pod: Pod): string {
  const { name, namespace, uid } = pod.metadata;
  return flat(`/var/log/pods/${namespace}_${name}_${uid}`);
}

export function sandboxConfig(
  source: ConfigSource,
  pod: Pod,
  attempt: number,
): PodSandboxConfig {
  const { name, namespace = "", uid = "" } = pod.metadata;
  const ports = portMappings(pod);
  return {
    metadata: { name, namespace, uid, attempt },
    hostname: pod.spec.hostNetwork ? "" : hostnameOf(pod),
    log_directory: logFolder(pod),
    dns_config: dnsConfig(source, pod),
    ...(ports.length > 0 ? { port_mappings: ports } : {}),
    labels: sandboxLabels(pod),
    annotations: pod.metadata.annotations,
    linux: {
      cgroup_parent: podCgroup(pod, source.cgroupDriver),
      security_context: { namespace_options: namespaceOptions(pod) },
    },
  };
}

function hostnameOf({ metadata, spec }: Pod): string {
  return (spec.hostname ?? metadata.name).slice(0, 63).replace(/[-.]+$/, "");
}

const PROTOCOLS = ["TCP", "UDP", "SCTP"];

function portMappings(pod: Pod): CriPortMapping[] {
  if (pod.spec.hostNetwork) return [];
  const mappings: CriPortMapping[] = [];
  for (const { ports } of pod.spec.containers) {
    for (const port of ports ?? []) {
      const protocol = PROTOCOLS.indexOf(port.protocol ?? "TCP");
      const { containerPort, hostPort, hostIP } = port;
      mappings.push({
        container_port: containerPort,
        ...(protocol > 0 ? { protocol } : {}),
        ...(hostPort ? { host_port: hostPort } : {}),
        ...(hostIP ? { host_ip: hostIP } : {}),
      });
    }
  }
  return mappings;
}

/** Network and IPC are the Pod's; each container has its own processes. */
function namespaceOptions({ spec }: Pod): NamespaceOptions {
  const of = (onNode: boolean | undefined, other: NamespaceMode) =>
    onNode ? "NODE" : other;
  return {
    network: of(spec.hostNetwork, "POD"),
    pid: of(spec.hostPID, spec.shareProcessNamespace ? "POD" : "CONTAINER"),
    ipc: of(spec.hostIPC, "POD"),
  };
}

export async function containerConfig(
  context: RuntimeContext,
  pod: Pod,
  container: Container,
  attempt: number,
  sandbox: Sandbox,
): Promise<ContainerConfig> {
  const { runtime, config } = context;
  // Upstream asks for the image's user here.
  const image = { image: container.image ?? "" };
  await runtime.imageStatus({ image });
  const envs = await environment(context, pod, container, sandbox.ips);
  const resources = containerResources(pod, container, config.nodeMemoryBytes);
  const namespace_options = namespaceOptions(pod);
  const { command, args } = container;
  return {
    metadata: { name: container.name, ...(attempt > 0 ? { attempt } : {}) },
    image,
    ...(command ? { command: expanded(command, envs) } : {}),
    ...(args ? { args: expanded(args, envs) } : {}),
    ...(container.workingDir ? { working_dir: container.workingDir } : {}),
    envs,
    mounts: mountsOf(pod, container),
    labels: containerLabels(pod, container),
    log_path: `${container.name}/${attempt}.log`,
    linux: { resources, security_context: { namespace_options } },
  };
}

function expanded(words: readonly string[], envs: Envs): readonly string[] {
  const known = new Map(envs.map(({ key, value }) => [key, value]));
  return words.map((word) => expand(word, known));
}

function mountsOf(pod: Pod, container: Container) {
  const folder = `/var/lib/kubelet/pods/${pod.metadata.uid}/volumes`;
  return (container.volumeMounts ?? []).map((mount) => ({
    container_path: mount.mountPath,
    host_path: flat(`${folder}/${mount.name}`),
    ...(mount.readOnly ? { readonly: true } : {}),
  }));
}

/** The container of that name, wherever it stands in the spec. */
export function specOf(pod: Pod, name: string): Container | undefined {
  return allContainers(pod).find((container) => container.name === name);
}

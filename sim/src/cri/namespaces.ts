/**
 * Which Linux namespaces a Pod's containers share, which each has of its own,
 * and where systemd's slices lie.
 * Models: containerd internal/cri/server/podsandbox/sandbox_run_linux.go,
 *         runc libcontainer/cgroups (cgroupfs and systemd drivers)
 */
import type { ContainerConfig } from "./api.ts";
import type { SandboxRecord } from "./records.ts";

/** Namespace by its kind: a path, "own", or "node" for the node's. */
export type Namespaces = Readonly<Record<string, string>>;

/** Those of the pause container: what the Pod's containers join. */
export function namespacesOf(sandbox: SandboxRecord): Namespaces {
  const options =
    sandbox.config.linux?.security_context?.namespace_options ?? {};
  const own = (mode: string | undefined) => (mode === "NODE" ? "node" : "own");
  return {
    network: sandbox.netns || own(options.network),
    ipc: own(options.ipc),
    uts: own(options.network),
    pid: own(options.pid),
    mount: "own",
    cgroup: "own",
    user: "node",
  };
}

/** Those of a container: network, IPC and UTS are the Pod's. */
export function containerNamespaces(
  sandbox: SandboxRecord,
  config: ContainerConfig,
): Namespaces {
  const mode = config.linux?.security_context?.namespace_options?.pid;
  const pod = namespacesOf(sandbox);
  const joined = (value: string | undefined) =>
    value === "own" ? `of ${sandbox.id.slice(0, 13)}` : (value ?? "node");
  return {
    network: pod.network ?? "node",
    ipc: joined(pod.ipc),
    uts: joined(pod.uts),
    pid: mode === "POD" ? joined("own") : mode === "NODE" ? "node" : "own",
    mount: "own",
    cgroup: "own",
    user: "node",
  };
}

/** `kubepods-besteffort-podX.slice` lies below `kubepods-besteffort.slice`. */
export function sliceFolder(slice: string): string {
  const name = slice.slice(slice.lastIndexOf("/") + 1).replace(/\.slice$/, "");
  let folder = "";
  for (let at = name.indexOf("-"); at >= 0; at = name.indexOf("-", at + 1)) {
    folder += `/${name.slice(0, at)}.slice`;
  }
  return `${folder}/${name}.slice`;
}

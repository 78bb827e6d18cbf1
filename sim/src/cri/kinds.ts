/**
 * What the runtimes call the same things: their sockets, the cgroups of their
 * containers, and what they say when there is no such program or image.
 * Models: containerd internal/cri/server/{helpers_linux,container_execsync}.go
 *         and plugins/transfer @ v2.4; cri-o internal/config/cgmgr, server/
 *         image_pull.go with crun; moby daemon/exec.go with cri-dockerd
 */
import { flat } from "../kernel/flat.ts";
import { type ExecSyncResponse, RpcError } from "./api.ts";
import { sliceFolder } from "./namespaces.ts";
import { familiarName, type ImageReference } from "./workload/image.ts";

/** As actors are named: `containerd/node-1`, `crio/node-1`, `docker/node-1`. */
export type RuntimeKind = "containerd" | "crio" | "docker";

export const SOCKETS: Readonly<Record<RuntimeKind, string>> = {
  containerd: "/run/containerd/containerd.sock",
  crio: "/var/run/crio/crio.sock",
  docker: "/var/run/cri-dockerd.sock",
};

const SCOPES: Readonly<Record<RuntimeKind, string>> = {
  containerd: "cri-containerd",
  crio: "crio",
  docker: "docker",
};

/** `/kubepods/besteffort/pod…/<id>`, or systemd's way of naming the same. */
export function cgroupOf(
  parent: string | undefined,
  id: string,
  kind: RuntimeKind,
): string {
  const scope = `${SCOPES[kind]}-${id}`;
  if (parent?.endsWith(".slice")) {
    return flat(`${sliceFolder(parent)}/${scope}.scope`);
  }
  return `${parent ?? ""}/${kind === "crio" ? scope : id}`;
}

/** `exec: "curl": executable file not found in $PATH`, as runc says it. */
function notFoundByRunc(file: string): string {
  const why = file.includes("/")
    ? `stat ${file}: no such file or directory`
    : "executable file not found in $PATH";
  return `exec: "${file}": ${why}`;
}

/** The same as crun says it. */
function notFoundByCrun(file: string): string {
  const where = file.includes("/") ? "" : " in $PATH";
  return `executable file \`${file}\` not found${where}: No such file or directory`;
}

/** Answer or error of an exec for which there is no program. */
export function execNotFound(
  kind: RuntimeKind,
  file: string,
  newId: () => string,
): ExecSyncResponse {
  const failed = `OCI runtime exec failed: exec failed: unable to start container process: ${notFoundByRunc(file)}: unknown`;
  switch (kind) {
    case "containerd": {
      const desc = `failed to exec in container: failed to start exec "${newId()}": ${failed}`;
      throw new RpcError("Unknown", desc);
    }
    case "crio": {
      const desc = `command error: ${notFoundByCrun(file)}, stdout: , stderr: , exit code -1`;
      throw new RpcError("Unknown", desc);
    }
    // Docker prints it, as if the program had.
    case "docker":
      return { stdout: `${failed}\r\n`, stderr: "", exit_code: 127 };
  }
}

/** Why a container cannot start: its image lacks the program. */
export function startNotFound(kind: RuntimeKind, file: string): string {
  if (kind === "crio") {
    return `container create failed: ${notFoundByCrun(file)}`;
  }
  const task =
    kind === "docker"
      ? "Error response from daemon: failed to create task for container"
      : "failed to create containerd task";
  return `${task}: failed to create shim task: OCI runtime create failed: runc create failed: unable to start container process: error during container init: ${notFoundByRunc(file)}: unknown`;
}

/** The registry has no such image. */
export function imageNotFound(
  kind: RuntimeKind,
  reference: ImageReference,
): RpcError {
  const { repository, tag, digest } = reference;
  const version = digest ?? tag;
  const full = `${repository}${digest ? "@" : ":"}${version}`;
  switch (kind) {
    case "containerd": {
      const desc = `failed to pull and unpack image "${full}": failed to resolve image: ${full}: not found`;
      return new RpcError("NotFound", desc);
    }
    case "crio": {
      const why = `reading manifest ${version} in ${repository}: manifest unknown`;
      const source = `initializing source docker://${familiarName(full)}`;
      const desc = `unable to pull image or OCI artifact: pull image err: ${source}: ${why}; artifact err: get manifest: build image source: ${why}`;
      return new RpcError("Unknown", desc);
    }
    case "docker": {
      const desc = `Error response from daemon: failed to resolve reference "${full}": ${full}: not found`;
      return new RpcError("Unknown", desc);
    }
  }
}

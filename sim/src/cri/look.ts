/**
 * What an administrator finds on a containerd node: processes, cgroups,
 * mounts, namespaces and folders, as `ps`, `find` and `mount` would show them.
 * Models:     containerd v2.4 with the shim io.containerd.runc.v2
 * Leaves out: the contents of snapshots.
 */
import type { RuntimeCore } from "./core.ts";
import { currentLog } from "./log-files.ts";
import type { ContainerRecord, SandboxRecord } from "./records.ts";

export const ROOT = "/var/lib/containerd";
export const STATE = "/run/containerd";

const CRI = "io.containerd.grpc.v1.cri";
const TASK = "io.containerd.runtime.v2.task";

/** Folders below the root that are there from the first start on. */
const ROOT_BASE = [
  ...[
    "io.containerd.content.v1.content",
    "io.containerd.content.v1.content/blobs",
  ],
  ...["io.containerd.content.v1.content/ingest", CRI, `${CRI}/sandboxes`],
  ...[
    "io.containerd.grpc.v1.introspection",
    "io.containerd.grpc.v1.introspection/uuid",
  ],
  ...[
    "io.containerd.metadata.v1.bolt",
    "io.containerd.metadata.v1.bolt/meta.db",
  ],
  ...[TASK, `${TASK}/k8s.io`, "io.containerd.sandbox.controller.v1.shim"],
  ...[
    "io.containerd.snapshotter.v1.blockfile",
    "io.containerd.snapshotter.v1.erofs",
  ],
  ...[
    "io.containerd.snapshotter.v1.erofs/snapshots",
    "io.containerd.snapshotter.v1.native",
  ],
  "io.containerd.snapshotter.v1.native/metadata.db",
  "io.containerd.snapshotter.v1.native/snapshots",
  "io.containerd.snapshotter.v1.overlayfs",
  "io.containerd.snapshotter.v1.overlayfs/metadata.db",
  "io.containerd.snapshotter.v1.overlayfs/snapshots",
  "tmpmounts",
];

const STATE_BASE = [
  ...[CRI, `${CRI}/sandboxes`, "io.containerd.mount-manager.v1.bolt"],
  "io.containerd.mount-manager.v1.bolt/mounts.db",
  "io.containerd.mount-manager.v1.bolt/t",
  ...[TASK, `${TASK}/k8s.io`, "io.containerd.sandbox.controller.v1.shim"],
];

/** Files of a task's bundle; the sandbox's has the shim's socket too. */
const BUNDLE = [
  "bootstrap.json",
  "config.json",
  "init.pid",
  "log",
  "log.json",
  "options.json",
  "rootfs",
  "runtime",
  "work",
];
const SANDBOX_BUNDLE = ["s", "shim-binary-path"];

function readySandboxes({ sandboxes }: RuntimeCore): SandboxRecord[] {
  return [...sandboxes.values()].filter((s) => s.state === "SANDBOX_READY");
}

function running({ containers }: RuntimeCore): ContainerRecord[] {
  const all = [...containers.values()];
  return all.filter((container) => container.state === "CONTAINER_RUNNING");
}

/** Command lines, children after their parents. */
export function processes(core: RuntimeCore): string[] {
  return readySandboxes(core).flatMap(({ id }) => {
    const shim = `/usr/bin/containerd-shim-runc-v2 -namespace k8s.io -id ${id} -address ${STATE}/containerd.sock`;
    const own = running(core).filter(({ sandboxId }) => sandboxId === id);
    return [shim, ...own.map(({ config }) => commandOf(config.command ?? []))];
  });
}

/** A shell that ends in `exec` has become that program. */
function commandOf(words: readonly string[]): string {
  const last = words.at(-1)?.split(";").at(-1)?.trim() ?? "";
  return last.startsWith("exec ") ? last.slice(5) : words.join(" ");
}

/** Paths of the cgroups from `kubepods` down; parents stay when Pods go. */
export function cgroups(
  core: RuntimeCore,
  parents: readonly string[],
): string[] {
  const own = [...readySandboxes(core), ...running(core)];
  const paths = new Set<string>();
  for (const path of [...parents, ...own.map(({ cgroup }) => cgroup)]) {
    const parts = path.split("/").slice(1);
    for (let i = 1; i <= parts.length; i++) {
      paths.add(`/${parts.slice(0, i).join("/")}`);
    }
  }
  return [...paths];
}

export function mounts(core: RuntimeCore): string[] {
  const rootfs = (id: string) => `${STATE}/${TASK}/k8s.io/${id}/rootfs`;
  return [
    ...readySandboxes(core).flatMap(({ id }) => [
      `shm ${STATE}/${CRI}/sandboxes/${id}/shm tmpfs`,
      `overlay ${rootfs(id)} overlay`,
    ]),
    ...running(core).map(({ id }) => `overlay ${rootfs(id)} overlay`),
  ];
}

/** Folders and files below /var/lib/containerd. */
export function rootFolders(core: RuntimeCore) {
  const sandboxes = [...core.sandboxes.keys()].map(
    (id) => `${CRI}/sandboxes/${id}`,
  );
  return [
    ...ROOT_BASE,
    ...(core.hadContainers ? [`${CRI}/containers`] : []),
    ...[...core.containers.keys()].map((id) => `${CRI}/containers/${id}`),
    ...sandboxes,
    ...tasks(core).map((id) => `${TASK}/k8s.io/${id}`),
  ];
}

/** Folders and files below /run/containerd. */
export function stateFolders(core: RuntimeCore) {
  const ready = readySandboxes(core).map(({ id }) => id);
  const bundle = (id: string) => {
    const folder = `${TASK}/k8s.io/${id}`;
    const more = ready.includes(id) ? SANDBOX_BUNDLE : ["sandbox"];
    return [folder, ...[...BUNDLE, ...more].map((file) => `${folder}/${file}`)];
  };
  return [
    ...STATE_BASE,
    ...(core.hadContainers ? [`${CRI}/containers`] : []),
    ...[...core.containers.keys()].flatMap((id) => {
      const folder = `${CRI}/containers/${id}`;
      return [folder, `${folder}/io`];
    }),
    ...[...core.sandboxes.keys()].flatMap((id) => {
      const folder = `${CRI}/sandboxes/${id}`;
      return [folder, `${folder}/shm`];
    }),
    ...tasks(core).flatMap(bundle),
  ];
}

/** Whatever runs in a task: the sandboxes and the running containers. */
function tasks(core: RuntimeCore): string[] {
  return [...readySandboxes(core), ...running(core)].map(({ id }) => id);
}

/** Lines of the container's log file: `<time> stdout F text`. */
export function logLines(
  core: RuntimeCore,
  container: ContainerRecord,
): string[] {
  return currentLog(container).map(({ atMs, text, stream }) => {
    const time = core.kernel.microTimestamp(atMs).replace("Z", "000Z");
    return `${time} ${stream ?? "stdout"} F ${text}`;
  });
}

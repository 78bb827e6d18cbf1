/**
 * Which Pods of the node need or have which volumes. What may be mounted is
 * noted on the disk, so that a kubelet that starts again knows of it.
 * Models:     vol_data.json of pkg/volume/csi, pkg/kubelet/volumemanager/
 *             reconciler/reconstruct.go @ v1.36
 * Leaves out: looking at the mounts themselves.
 * Try:        write nothing down, and start a kubelet again after its Pod
 *             was deleted.
 */
import type { Disk } from "../kernel/disk.ts";
import { type CsiMount, pathsOf, uniqueName } from "./csi-mount.ts";

interface VolumeData {
  readonly driverName: string;
  readonly nodeName: string;
  readonly specVolID: string;
  readonly volumeHandle: string;
}

const PODS = "/var/lib/kubelet/pods";
const FOLDER = /^([^/]+)\/volumes\/kubernetes\.io~csi\/[^/]+$/;

export class HeldVolumes {
  private readonly disk: Disk;
  /** By the Pod's uid, then the PersistentVolume. */
  private readonly byPod = new Map<string, Map<string, CsiMount>>();

  constructor(disk: Disk) {
    this.disk = disk;
    for (const folder of disk.below(PODS)) {
      const uid = FOLDER.exec(folder.slice(PODS.length + 1))?.[1];
      const data = disk.readJson(`${folder}/vol_data.json`);
      if (uid && data) this.add(uid, mountOf(data as VolumeData));
    }
  }

  add(uid: string, mount: CsiMount): void {
    const own = this.byPod.get(uid) ?? new Map<string, CsiMount>();
    this.byPod.set(uid, own.set(mount.pv, mount));
  }

  of(uid: string): CsiMount[] {
    return [...(this.byPod.get(uid)?.values() ?? [])];
  }

  /** From now on it may be staged and mounted. */
  begin(uid: string, mount: CsiMount, nodeName: string): void {
    const { driver: driverName, handle: volumeHandle, pv: specVolID } = mount;
    const data = { driverName, nodeName, specVolID, volumeHandle };
    this.disk.write(fileOf(uid, mount), data satisfies VolumeData);
  }

  hasBegun(uid: string, mount: CsiMount): boolean {
    return this.disk.exists(fileOf(uid, mount));
  }

  remove(uid: string, mount: CsiMount): void {
    this.disk.remove(fileOf(uid, mount));
    const own = this.byPod.get(uid);
    own?.delete(mount.pv);
    if (own?.size === 0) this.byPod.delete(uid);
  }

  /** Pods that may have the volume mounted. */
  usersOf(mount: CsiMount): number {
    const all = [...this.byPod].filter(([uid, own]) => {
      return own.has(mount.pv) && this.hasBegun(uid, mount);
    });
    return all.length;
  }

  /** As the Node's status names them, each once. */
  names(): string[] {
    const all = [...this.byPod.values()].flatMap((own) => [...own.values()]);
    return [...new Set(all.map(uniqueName))];
  }
}

function fileOf(uid: string, mount: CsiMount): string {
  return `${pathsOf(uid, mount).folder}/vol_data.json`;
}

function mountOf(data: VolumeData): CsiMount {
  const { specVolID: pv, driverName: driver, volumeHandle: handle } = data;
  return { pv, driver, handle, readOnly: false };
}

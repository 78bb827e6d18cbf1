/**
 * Volumes of a CSI driver on a node: the kubelet says that it will use the
 * volume, waits until it is attached, and has the driver stage it for the node
 * and publish it for the Pod.
 * Models:     pkg/volume/csi/{csi_attacher,csi_mounter}.go, pkg/kubelet/
 *             volumemanager, pkg/volume/util/operationexecutor @ v1.36
 * Leaves out: ephemeral inline volumes, fsGroup, block devices.
 */
import { attachmentName } from "../api/helpers/csi-names.ts";
import { Node } from "../api/kinds/node.ts";
import type { Pod, Volume } from "../api/kinds/pod.ts";
import { VolumeAttachment } from "../api/kinds/volumeattachment.ts";
import { isNotFound } from "../api/status.ts";
import type { Disk } from "../kernel/disk.ts";
import type { Random, Timer } from "../kernel/index.ts";
import { type CsiExpander, expandIfNeeded } from "./csi-expand.ts";
import { HeldVolumes } from "./csi-held.ts";
import {
  type CsiMount,
  call,
  findMount,
  pathsOf,
  uniqueName,
} from "./csi-mount.ts";
import { messageOf } from "./runtime/context.ts";
import { NotYet, type VolumePlugin } from "./volumes.ts";

/** How often the kubelet looks whether the Node's status is written, in ms. */
const LOOK_MS = 1000;
const VERIFY_MS = 500;
const VERIFY_MS_MAX = 122_000;
const RESYNC_MS = 60_000;

export interface CsiVolumesOptions extends CsiExpander {
  readonly random: Random;
  readonly disk: Disk;
}

export class CsiVolumes implements VolumePlugin {
  private readonly options: CsiVolumesOptions;
  private readonly held: HeldVolumes;
  /** What a Pod's volume is, by uid and name, once it was looked up. */
  private readonly found = new Map<string, CsiMount>();
  /** Volumes that the Node's status says are in use. */
  private known: ReadonlySet<string> = new Set();
  /** How often the Node was asked, by the volume's unique name. */
  private readonly asked = new Map<string, number>();
  /** The next look at each volume in use, by Pod and volume. */
  private readonly timers = new Map<string, Timer>();

  constructor(options: CsiVolumesOptions) {
    this.options = options;
    this.held = new HeldVolumes(options.disk);
  }

  supports(volume: Volume): boolean {
    return volume.persistentVolumeClaim !== undefined;
  }

  inUse(): string[] {
    return this.held.names();
  }

  reported(names: readonly string[]): void {
    this.known = new Set(names);
  }

  async mount(pod: Pod, volume: Volume): Promise<void> {
    const { uid = "" } = pod.metadata;
    const key = `${uid} ${volume.name}`;
    const found =
      this.found.get(key) ?? (await findMount(this.options, pod, volume));
    this.found.set(key, found);
    this.held.add(uid, found);
    await this.verifyAttached(found);
    await this.waitForAttach(found);
    const { pv, driver, handle, readOnly } = found;
    const paths = pathsOf(uid, found);
    const staging = { volume_id: handle, staging_target_path: paths.staging };
    const target = { target_path: paths.target, readonly: readOnly };
    this.held.begin(uid, found, this.options.node);
    try {
      await call(this.options, driver, "nodeStageVolume", staging);
      await expandIfNeeded(this.options, pod, volume, found, "mount");
      await call(this.options, driver, "nodePublishVolume", {
        ...staging,
        ...target,
      });
    } catch (error) {
      throw new Error(
        `MountVolume.SetUp failed for volume "${pv}" : ${messageOf(error)}`,
      );
    }
    this.lookAgain(pod, volume, found);
  }

  stop(): void {
    for (const timer of this.timers.values()) timer.cancel();
    this.timers.clear();
  }

  // region: look-again
  /** About once a minute: has the volume been made larger meanwhile? */
  private lookAgain(pod: Pod, volume: Volume, found: CsiMount): void {
    const { kernel, actor, random } = this.options;
    const { uid = "" } = pod.metadata;
    const key = `${uid} ${volume.name}`;
    const afterMs = RESYNC_MS * random.between(1, 1.5);
    const timer = kernel.after(afterMs, () => {
      kernel.causeId = 0;
      kernel.spawn(actor, async () => {
        await this.grow(pod, volume, found);
        if (this.timers.get(key) === timer) this.lookAgain(pod, volume, found);
      });
    });
    this.timers.set(key, timer);
  }
  // endregion: look-again

  private async grow(pod: Pod, volume: Volume, found: CsiMount): Promise<void> {
    const { kernel, actor } = this.options;
    try {
      await expandIfNeeded(this.options, pod, volume, found, "use");
    } catch (error) {
      // The next look finds it as it is then.
      const message = messageOf(error);
      kernel.record(actor, "error", "NodeExpandVolume", "", { message });
    }
  }

  /** All of the Pod's volumes at once: it has come to its end. */
  async unmount(pod: Pod): Promise<void> {
    await this.letGo(pod.metadata.uid ?? "");
  }

  /** What a Pod still has that is gone without a proper end. */
  forget(uid: string): void {
    const { kernel, actor } = this.options;
    if (this.held.of(uid).length === 0) return;
    kernel.spawn(actor, async () => {
      try {
        await this.letGo(uid);
      } catch (error) {
        const message = messageOf(error);
        kernel.record(actor, "error", "unmount", "", { message });
      }
    });
  }

  private async letGo(uid: string): Promise<void> {
    const start = `${uid} `;
    for (const [key, timer] of this.timers) {
      if (!key.startsWith(start)) continue;
      timer.cancel();
      this.timers.delete(key);
    }
    for (const mount of this.held.of(uid)) {
      if (this.held.hasBegun(uid, mount)) await this.tearDown(uid, mount);
      this.held.remove(uid, mount);
    }
    for (const key of this.found.keys()) {
      if (key.startsWith(start)) this.found.delete(key);
    }
  }

  /** The staging path is the node's: the last Pod takes it along. */
  private async tearDown(uid: string, mount: CsiMount): Promise<void> {
    const { driver, handle: volume_id } = mount;
    const { staging, target } = pathsOf(uid, mount);
    const unpublish = { volume_id, target_path: target };
    await call(this.options, driver, "nodeUnpublishVolume", unpublish);
    if (this.held.usersOf(mount) > 1) return;
    const path = { volume_id, staging_target_path: staging };
    await call(this.options, driver, "nodeUnstageVolume", path);
  }

  // region: verify
  /** First all know that it is in use here, then it is mounted. */
  private async verifyAttached(found: CsiMount): Promise<void> {
    const { client, node } = this.options;
    const name = uniqueName(found);
    if (!this.known.has(name)) {
      throw new NotYet("not in the list of VolumesInUse", LOOK_MS);
    }
    const { status } = await client.get(Node, "", node);
    if (status?.volumesAttached?.some((one) => one.name === name)) {
      this.asked.delete(name);
      return;
    }
    const asked = this.asked.get(name) ?? 0;
    this.asked.set(name, asked + 1);
    const afterMs = Math.min(VERIFY_MS * 2 ** asked, VERIFY_MS_MAX);
    throw new NotYet("not attached according to node status", afterMs);
  }
  // endregion: verify

  /** The attach-detach controller makes the object, the driver attaches. */
  private async waitForAttach({ handle, driver }: CsiMount): Promise<void> {
    const { client, node } = this.options;
    // A kubelet may get its own node's attachments, but not list them all.
    const name = attachmentName(handle, driver, node);
    let status: VolumeAttachment["status"];
    try {
      ({ status } = await client.get(VolumeAttachment, "", name));
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
    if (!status?.attached) throw new NotYet("not attached", VERIFY_MS);
  }
}

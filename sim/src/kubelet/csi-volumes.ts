/**
 * Volumes of a CSI driver on a node: the kubelet says that it will use the
 * volume, waits until it is attached, and has the driver stage it for the node
 * and publish it for the Pod.
 * Models:     pkg/volume/csi/{csi_attacher,csi_mounter}.go, pkg/kubelet/
 *             volumemanager, pkg/volume/util/operationexecutor @ v1.36
 * Leaves out: ephemeral inline volumes, fsGroup, block devices; what a kubelet
 *             that starts again finds mounted.
 */
import { fnv1aText } from "../api/hash.ts";
import { Node } from "../api/kinds/node.ts";
import { PersistentVolume } from "../api/kinds/persistentvolume.ts";
import { PersistentVolumeClaim } from "../api/kinds/persistentvolumeclaim.ts";
import type { Pod, Volume } from "../api/kinds/pod.ts";
import { VolumeAttachment } from "../api/kinds/volumeattachment.ts";
import { isNotFound } from "../api/status.ts";
import type { Random, Timer } from "../kernel/index.ts";
import { type CsiExpander, expandIfNeeded } from "./csi-expand.ts";
import { type CsiMount, call, pathsOf, uniqueName } from "./csi-mount.ts";
import { messageOf } from "./runtime/context.ts";
import { NotYet, type VolumePlugin } from "./volumes.ts";

/** How often the kubelet looks whether the Node's status is written, in ms. */
const LOOK_MS = 1000;
const VERIFY_MS = 500;
const VERIFY_MS_MAX = 122_000;
const RESYNC_MS = 60_000;

export interface CsiVolumesOptions extends CsiExpander {
  readonly random: Random;
}

export class CsiVolumes implements VolumePlugin {
  private readonly options: CsiVolumesOptions;
  /** What each Pod needs or has, by its uid and the volume's name. */
  private readonly held = new Map<string, Map<string, CsiMount>>();
  /** Volumes that the Node's status says are in use. */
  private known: ReadonlySet<string> = new Set();
  /** How often the Node was asked, by the volume's unique name. */
  private readonly asked = new Map<string, number>();
  /** The next look at each volume in use, by Pod and volume. */
  private readonly timers = new Map<string, Timer>();

  constructor(options: CsiVolumesOptions) {
    this.options = options;
  }

  supports(volume: Volume): boolean {
    return volume.persistentVolumeClaim !== undefined;
  }

  inUse(): string[] {
    const all = [...this.held.values()].flatMap((own) => [...own.values()]);
    return [...new Set(all.map(uniqueName))];
  }

  reported(names: readonly string[]): void {
    this.known = new Set(names);
  }

  async mount(pod: Pod, volume: Volume): Promise<void> {
    const { uid = "" } = pod.metadata;
    const own = this.held.get(uid) ?? new Map<string, CsiMount>();
    const found = own.get(volume.name) ?? (await this.find(pod, volume));
    this.held.set(uid, own.set(volume.name, found));
    await this.verifyAttached(found);
    await this.waitForAttach(found);
    const { pv, driver, handle, readOnly } = found;
    const paths = pathsOf(uid, found);
    const staging = { volume_id: handle, staging_target_path: paths.staging };
    const target = { target_path: paths.target, readonly: readOnly };
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

  async unmount(pod: Pod, volume: Volume): Promise<void> {
    const { uid = "" } = pod.metadata;
    const found = this.held.get(uid)?.get(volume.name);
    if (!found) return;
    this.leave(uid, volume.name);
    await this.tearDown(uid, found);
    this.held.get(uid)?.delete(volume.name);
  }

  /** What a Pod still has that is gone without a proper end. */
  forget(uid: string): void {
    const own = this.held.get(uid);
    if (!own) return;
    for (const name of own.keys()) this.leave(uid, name);
    const { kernel, actor } = this.options;
    kernel.spawn(actor, async () => {
      for (const found of own.values()) await this.tearDown(uid, found);
      this.held.delete(uid);
    });
  }

  private leave(uid: string, name: string): void {
    const key = `${uid} ${name}`;
    this.timers.get(key)?.cancel();
    this.timers.delete(key);
  }

  /** The staging path is the node's: the last Pod takes it along. */
  private async tearDown(uid: string, found: CsiMount): Promise<void> {
    const { driver, handle: volume_id } = found;
    const { staging, target } = pathsOf(uid, found);
    const unpublish = { volume_id, target_path: target };
    await call(this.options, driver, "nodeUnpublishVolume", unpublish);
    const users = [...this.held.values()].filter((own) =>
      [...own.values()].some(({ pv }) => pv === found.pv),
    );
    if (users.length > 1) return;
    const path = { volume_id, staging_target_path: staging };
    await call(this.options, driver, "nodeUnstageVolume", path);
  }

  private async find(pod: Pod, volume: Volume): Promise<CsiMount> {
    const { client } = this.options;
    const { namespace = "" } = pod.metadata;
    const { claimName = "", readOnly = false } =
      volume.persistentVolumeClaim ?? {};
    const claim = await client.get(PersistentVolumeClaim, namespace, claimName);
    const pv = claim.spec.volumeName;
    if (!pv || claim.status?.phase !== "Bound") {
      throw new Error(`PVC is not bound for volume "${volume.name}"`);
    }
    const { spec } = await client.get(PersistentVolume, "", pv);
    if (!spec.csi) throw new Error(`volume "${pv}" is not of a CSI driver`);
    const { driver, volumeHandle: handle } = spec.csi;
    return { pv, driver, handle, readOnly };
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
  private async waitForAttach({ pv, driver }: CsiMount): Promise<void> {
    const { client, node } = this.options;
    // A kubelet may get its own node's attachments, but not list them all.
    const name = attachmentName(pv, driver, node);
    let status: VolumeAttachment["status"];
    try {
      ({ status } = await client.get(VolumeAttachment, "", name));
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
    if (!status?.attached) throw new NotYet("not attached", VERIFY_MS);
  }
}

/** The name that the attach-detach controller gives it. */
function attachmentName(pv: string, driver: string, node: string): string {
  return `csi-${fnv1aText(`${pv}${driver}${node}`).toString(16)}`;
}

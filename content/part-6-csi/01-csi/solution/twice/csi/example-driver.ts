/**
 * A driver that has learnt patience: disks that can be attached to one node at
 * a time, like those of a cloud. Every call may come twice, and does no harm.
 */
import type { Kernel } from "../kernel/index.ts";
import {
  type ControllerService,
  type CreateVolumeRequest,
  CsiError,
  type CsiVolume,
  type IdentityService,
  type NodeExpandRequest,
  type NodePublishRequest,
  type NodeService,
  type PublishRequest,
  type StageRequest,
} from "./api.ts";

export const EXAMPLE_DRIVER = "disk.csi.example";
const ACTOR = `csi/${EXAMPLE_DRIVER}`;

interface Disk {
  /** As CreateVolume gave it. */
  name: string;
  volume: CsiVolume;
  /** Node that it is attached to; "" for none. */
  node: string;
  /** It is being made, attached or detached. */
  busy?: boolean;
}

const GI = 2 ** 30;
/** No disk is larger: 16 TiB. */
const LARGEST = 16 * 2 ** 40;
const CREATE_MS = 800;
const ATTACH_MS = 1500;
const STAGE_MS = 400;
const PUBLISH_MS = 20;
const EXPAND_MS = 1000;
const GROW_MS = 200;

/** The half that runs once, beside the provisioner and the attacher. */
export class ExampleController implements IdentityService, ControllerService {
  private readonly kernel: Kernel;
  private readonly disks = new Map<string, Disk>();

  constructor(kernel: Kernel) {
    this.kernel = kernel;
  }

  async getPluginInfo() {
    return { name: EXAMPLE_DRIVER, vendor_version: "1.0.0" };
  }

  async probe() {
    return { ready: true };
  }

  async createVolume({ name, capacity_range }: CreateVolumeRequest) {
    const capacity_bytes = capacity_range?.required_bytes ?? GI;
    const known = [...this.disks.values()].find((disk) => disk.name === name);
    if (known?.busy) throw pending(known.volume.volume_id);
    if (known) return { volume: known.volume };
    const volume_id = `disk-${this.disks.size + 1}`;
    const volume = { volume_id, capacity_bytes };
    // Noted before it is made, so that a second call finds it meanwhile.
    const disk: Disk = { name, volume, node: "", busy: true };
    this.disks.set(volume_id, disk);
    await this.kernel.sleep(CREATE_MS);
    disk.busy = false;
    this.tell("make", volume_id);
    return { volume };
  }

  async deleteVolume({ volume_id }: { volume_id: string }) {
    const disk = this.disks.get(volume_id);
    if (disk?.node) {
      throw new CsiError("FailedPrecondition", `volume ${volume_id} is in use`);
    }
    if (this.disks.delete(volume_id)) this.tell("delete", volume_id);
    return {};
  }

  // region: attach
  async controllerPublishVolume({ volume_id, node_id }: PublishRequest) {
    const disk = this.find(volume_id);
    const devicePath = `/dev/disk/by-id/${volume_id}`;
    const answer = { publish_context: { devicePath } };
    if (disk.node === node_id && !disk.busy) return answer;
    if (disk.node && disk.node !== node_id) {
      const where = `volume ${volume_id} is attached to ${disk.node}`;
      throw new CsiError("FailedPrecondition", where);
    }
    await this.alone(disk);
    disk.node = node_id;
    this.tell(`attach ${node_id}`, volume_id);
    return answer;
  }

  async controllerUnpublishVolume({ volume_id, node_id }: PublishRequest) {
    const disk = this.disks.get(volume_id);
    if (!disk || disk.node !== node_id) return {}; // It is gone already.
    await this.alone(disk);
    disk.node = "";
    this.tell(`detach ${node_id}`, volume_id);
    return {};
  }

  /** Takes its time; a second call meanwhile has to come again later. */
  private async alone(disk: Disk): Promise<void> {
    if (disk.busy) throw pending(disk.volume.volume_id);
    disk.busy = true;
    await this.kernel.sleep(ATTACH_MS);
    disk.busy = false;
  }
  // endregion: attach

  async controllerExpandVolume(request: {
    volume_id: string;
    capacity_range: { required_bytes?: number };
  }) {
    const disk = this.find(request.volume_id);
    const wanted = request.capacity_range.required_bytes ?? 0;
    if (wanted > LARGEST) {
      throw new CsiError("OutOfRange", `a disk has at most ${LARGEST} bytes`);
    }
    await this.kernel.sleep(EXPAND_MS);
    const capacity_bytes = Math.max(disk.volume.capacity_bytes, wanted);
    disk.volume = { ...disk.volume, capacity_bytes };
    return { capacity_bytes, node_expansion_required: true };
  }

  /** Bytes of the disk; 0 if there is none. */
  sizeOf(volumeId: string): number {
    return this.disks.get(volumeId)?.volume.capacity_bytes ?? 0;
  }

  /** Where the volume is attached: what a node can see of it. */
  nodeOf(volumeId: string): string {
    return this.disks.get(volumeId)?.node ?? "";
  }

  /** For the trace: what became of a disk, and not only what was asked. */
  private tell(deed: string, volume_id: string): void {
    this.kernel.record(ACTOR, "disk", deed, "", { volume_id });
  }

  private find(volumeId: string): Disk {
    const disk = this.disks.get(volumeId);
    if (disk) return disk;
    throw new CsiError("NotFound", `volume ${volumeId} does not exist`);
  }
}

function pending(volumeId: string): CsiError {
  return new CsiError("Aborted", `an operation on ${volumeId} is pending`);
}

/** The half that runs on every node. */
export class ExampleNode implements NodeService {
  private readonly kernel: Kernel;
  private readonly node: string;
  private readonly controller: ExampleController;
  private readonly staged = new Set<string>();
  private readonly published = new Set<string>();

  constructor(kernel: Kernel, node: string, controller: ExampleController) {
    this.kernel = kernel;
    this.node = node;
    this.controller = controller;
  }

  async nodeGetInfo() {
    return { node_id: this.node };
  }

  async nodeStageVolume({ volume_id, staging_target_path }: StageRequest) {
    if (this.controller.nodeOf(volume_id) !== this.node) {
      const why = `no device of volume ${volume_id} on ${this.node}`;
      throw new CsiError("FailedPrecondition", why);
    }
    if (this.staged.has(staging_target_path)) return {};
    await this.kernel.sleep(STAGE_MS);
    this.staged.add(staging_target_path);
    return {};
  }

  async nodeUnstageVolume({ staging_target_path }: StageRequest) {
    this.staged.delete(staging_target_path);
    return {};
  }

  async nodePublishVolume(request: NodePublishRequest) {
    const { staging_target_path, target_path } = request;
    if (!this.staged.has(staging_target_path)) {
      throw new CsiError("FailedPrecondition", "volume is not staged");
    }
    await this.kernel.sleep(PUBLISH_MS);
    this.published.add(target_path);
    return {};
  }

  async nodeUnpublishVolume(request: {
    volume_id: string;
    target_path: string;
  }) {
    this.published.delete(request.target_path);
    return {};
  }

  async nodeExpandVolume({ volume_id, volume_path }: NodeExpandRequest) {
    const known =
      this.staged.has(volume_path) || this.published.has(volume_path);
    if (!known) throw new CsiError("NotFound", `${volume_path} is no mount`);
    await this.kernel.sleep(GROW_MS);
    return { capacity_bytes: this.controller.sizeOf(volume_id) };
  }
}

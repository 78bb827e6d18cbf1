/**
 * Volumes of a CSI driver on a node: once the volume is attached, the kubelet
 * has the driver stage it for the node and publish it for the Pod.
 * Models:     pkg/volume/csi/{csi_attacher,csi_mounter}.go @ v1.36
 * Leaves out: ephemeral inline volumes, fsGroup, block devices.
 */
import { fnv1aText } from "../api/hash.ts";
import { PersistentVolume } from "../api/kinds/persistentvolume.ts";
import { PersistentVolumeClaim } from "../api/kinds/persistentvolumeclaim.ts";
import type { Pod, Volume } from "../api/kinds/pod.ts";
import { VolumeAttachment } from "../api/kinds/volumeattachment.ts";
import { isNotFound } from "../api/status.ts";
import type { Client } from "../client/client.ts";
import type { NodeService } from "../csi/api.ts";
import type { Kernel } from "../kernel/index.ts";
import { messageOf } from "./runtime/context.ts";
import type { VolumePlugin } from "./volumes.ts";

export interface CsiVolumesOptions {
  readonly kernel: Kernel;
  /** `kubelet/node-1`. */
  readonly actor: string;
  readonly client: Client;
  readonly node: string;
  /** Drivers that have registered on this node, by name. */
  readonly drivers: ReadonlyMap<string, NodeService>;
}

interface Found {
  readonly pv: string;
  readonly driver: string;
  readonly handle: string;
  readonly readOnly: boolean;
}

export class CsiVolumes implements VolumePlugin {
  private readonly options: CsiVolumesOptions;

  constructor(options: CsiVolumesOptions) {
    this.options = options;
  }

  supports(volume: Volume): boolean {
    return volume.persistentVolumeClaim !== undefined;
  }

  async mount(pod: Pod, volume: Volume): Promise<void> {
    const found = await this.find(pod, volume);
    await this.waitForAttach(found);
    const { pv, driver, handle, readOnly } = found;
    const paths = pathsOf(pod, driver, handle, pv);
    const staging = { volume_id: handle, staging_target_path: paths.staging };
    const target = { target_path: paths.target, readonly: readOnly };
    try {
      await this.call(driver, "nodeStageVolume", staging);
      await this.call(driver, "nodePublishVolume", { ...staging, ...target });
    } catch (error) {
      throw new Error(
        `MountVolume.SetUp failed for volume "${pv}" : ${messageOf(error)}`,
      );
    }
  }

  async unmount(pod: Pod, volume: Volume): Promise<void> {
    const { pv, driver, handle } = await this.find(pod, volume);
    const { staging, target } = pathsOf(pod, driver, handle, pv);
    const volume_id = handle;
    await this.call(driver, "nodeUnpublishVolume", {
      volume_id,
      target_path: target,
    });
    const path = { volume_id, staging_target_path: staging };
    await this.call(driver, "nodeUnstageVolume", path);
  }

  private async find(pod: Pod, volume: Volume): Promise<Found> {
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

  /** The attach-detach controller makes the object, the driver attaches. */
  private async waitForAttach({ pv, driver }: Found): Promise<void> {
    const { client, node } = this.options;
    // A kubelet may get its own node's attachments, but not list them all.
    const name = attachmentName(pv, driver, node);
    let status: VolumeAttachment["status"];
    try {
      ({ status } = await client.get(VolumeAttachment, "", name));
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
    if (status?.attached) return;
    const why = status?.attachError?.message;
    throw new Error(
      why
        ? `AttachVolume.Attach failed for volume "${pv}" : ${why}`
        : `Unable to attach or mount volumes: volume "${pv}" is not yet attached`,
    );
  }

  private async call(
    driver: string,
    name: keyof NodeService,
    request: object,
  ): Promise<void> {
    const { kernel, actor, node, drivers } = this.options;
    const service = drivers.get(driver);
    if (!service) {
      throw new Error(
        `driver name ${driver} not found in the list of registered CSI drivers`,
      );
    }
    const subject = name[0]!.toUpperCase() + name.slice(1);
    const target = `csi/${driver}/${node}`;
    const detail: { request: object; response?: object; error?: string } = {
      request,
    };
    const causeId = kernel.causeId;
    kernel.causeId = kernel.record(actor, "csi", subject, target, detail);
    try {
      const run = service[name] as (request: object) => Promise<object>;
      detail.response = await run.call(service, request);
    } catch (error) {
      detail.error = messageOf(error);
      throw error;
    } finally {
      kernel.causeId = causeId;
    }
  }
}

/** The name that the attach-detach controller gives it. */
function attachmentName(pv: string, driver: string, node: string): string {
  return `csi-${fnv1aText(`${pv}${driver}${node}`).toString(16)}`;
}

function pathsOf(pod: Pod, driver: string, handle: string, pv: string) {
  const root = "/var/lib/kubelet";
  return {
    staging: `${root}/plugins/kubernetes.io/csi/${driver}/${handle}/globalmount`,
    target: `${root}/pods/${pod.metadata.uid}/volumes/kubernetes.io~csi/${pv}/mount`,
  };
}

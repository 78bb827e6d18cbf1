/**
 * A volume of a CSI driver as the kubelet handles it: its names, its folders,
 * and a call to the half of the driver that runs on the node.
 * Models: pkg/volume/csi/{csi_client,csi_util}.go @ v1.36
 */
import { stagingPath } from "../api/helpers/csi-names.ts";
import { PersistentVolume } from "../api/kinds/persistentvolume.ts";
import { PersistentVolumeClaim } from "../api/kinds/persistentvolumeclaim.ts";
import type { Pod, Volume } from "../api/kinds/pod.ts";
import type { Client } from "../client/client.ts";
import type { NodeService } from "../csi/api.ts";
import type { Kernel } from "../kernel/index.ts";
import { messageOf } from "./runtime/context.ts";

export interface CsiNode {
  readonly kernel: Kernel;
  /** `kubelet/node-1`. */
  readonly actor: string;
  readonly client: Client;
  readonly node: string;
  /** Drivers that have registered on this node, by name. */
  readonly drivers: ReadonlyMap<string, NodeService>;
}

export interface CsiMount {
  /** The PersistentVolume. */
  readonly pv: string;
  readonly driver: string;
  readonly handle: string;
  readonly readOnly: boolean;
}

/** The volume that a claim of the Pod is bound to. */
export async function findMount(
  { client }: CsiNode,
  pod: Pod,
  volume: Volume,
): Promise<CsiMount> {
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

/** Has the driver do it; the trace shows request and answer. */
export async function call(
  { kernel, actor, node, drivers }: CsiNode,
  driver: string,
  name: keyof NodeService,
  request: object,
): Promise<void> {
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

/** As the Node's status names it. */
export function uniqueName({ driver, handle }: CsiMount): string {
  return `kubernetes.io/csi/${driver}^${handle}`;
}

export function pathsOf(uid: string, { driver, handle, pv }: CsiMount) {
  const folder = `/var/lib/kubelet/pods/${uid}/volumes/kubernetes.io~csi/${pv}`;
  return {
    staging: stagingPath(driver, handle),
    folder,
    target: `${folder}/mount`,
  };
}

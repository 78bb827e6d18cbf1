/**
 * Names that are made out of a volume's handle. A handle may hold anything,
 * so a hash stands for it. The control plane and the kubelets each make the
 * VolumeAttachment's, and it has to come out alike.
 * Models: pkg/volume/csi/{csi_attacher,csi_plugin}.go (getAttachmentName,
 *         makeDeviceMountPath) @ v1.36
 */
import { sha256Hex } from "../sha2.ts";

/** Of the VolumeAttachment. `handle`: what the driver calls the volume. */
export function attachmentName(
  handle: string,
  driver: string,
  node: string,
): string {
  return `csi-${sha256Hex(`${handle}${driver}${node}`)}`;
}

/** Where a node has the volume mounted for all of its Pods. */
export function stagingPath(driver: string, handle: string): string {
  const folder = `/var/lib/kubelet/plugins/kubernetes.io/csi/${driver}`;
  return `${folder}/${sha256Hex(handle)}/globalmount`;
}

/**
 * What the attach/detach controller writes: VolumeAttachments, which a
 * driver's attacher acts on, and the Node's list of attached volumes.
 * Models: pkg/volume/csi/csi_attacher.go, pkg/controller/volume/attachdetach/
 *         statusupdater @ v1.36
 */
import { attachmentName } from "../../api/helpers/csi-names.ts";
import { Node } from "../../api/kinds/node.ts";
import { VolumeAttachment } from "../../api/kinds/volumeattachment.ts";
import { isAlreadyExists, isNotFound } from "../../api/status.ts";
import { equalStatus } from "../shared/equal.ts";
import { type Context, uniqueName } from "./desired-state.ts";
import { volumeOf } from "./multi-attach.ts";

export async function attach(
  volume: string,
  attacher: string,
  nodeName: string,
  { client, exclusive, volumes }: Context,
): Promise<void> {
  const handle = volumes.get(volume)?.spec.csi?.volumeHandle ?? "";
  const name = attachmentName(handle, attacher, nodeName);
  try {
    await client.create(VolumeAttachment, {
      apiVersion: "storage.k8s.io/v1",
      kind: "VolumeAttachment",
      metadata: { name },
      spec: { attacher, nodeName, source: { persistentVolumeName: volume } },
    });
  } catch (error) {
    if (isAlreadyExists(error)) return;
    exclusive.released(volume, nodeName);
    throw error;
  }
}

export async function detach(
  { metadata }: VolumeAttachment,
  { client }: Context,
): Promise<void> {
  try {
    await client.delete(VolumeAttachment, "", metadata.name);
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}

/** The kubelet waits until the Node's status names the volume. */
export async function noteAttached(
  node: Node,
  existing: readonly VolumeAttachment[],
  ctx: Context,
): Promise<void> {
  const volumesAttached = existing
    .filter(({ status }) => status?.attached)
    .map((one) => ({ name: uniqueName(volumeOf(one), ctx), devicePath: "" }))
    .filter(({ name }) => name !== "");
  if (equalStatus(node.status?.volumesAttached, volumesAttached)) return;
  const body = { status: { volumesAttached } };
  const type = "application/merge-patch+json";
  const { name } = node.metadata;
  const more = { subresource: "status" };
  await ctx.client.patch(Node, "", name, type, body, more);
}

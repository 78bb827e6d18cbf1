/**
 * Attach/detach controller: volumes that a driver must attach to a machine
 * get a VolumeAttachment while a Pod there uses them. The driver's attacher
 * does the work and says so in the status.
 * Models:     pkg/controller/volume/attachdetach @ v1.36
 * Leaves out: in-tree drivers; waiting for the unmount longer than 6 minutes.
 */

import { fnv1aText } from "../../api/hash.ts";
import { CSIDriver } from "../../api/kinds/csidriver.ts";
import { Node } from "../../api/kinds/node.ts";
import { PersistentVolume } from "../../api/kinds/persistentvolume.ts";
import { PersistentVolumeClaim } from "../../api/kinds/persistentvolumeclaim.ts";
import { Pod } from "../../api/kinds/pod.ts";
import { VolumeAttachment } from "../../api/kinds/volumeattachment.ts";
import { isAlreadyExists, isNotFound } from "../../api/status.ts";
import type { Component, ComponentContext } from "../../client/component.ts";
import { startController } from "../../client/controller.ts";
import type { Informer } from "../../client/informer.ts";
import { equalStatus } from "../shared/equal.ts";
import { indexByNode, isTerminated, podsOnNode } from "../shared/pods.ts";
import { Exclusive, tellMultiAttach, volumeOf } from "./multi-attach.ts";
import { wakeByClaims } from "./wake.ts";

interface Context extends ComponentContext {
  readonly pods: Informer<Pod>;
  readonly nodes: Informer<Node>;
  readonly claims: Informer<PersistentVolumeClaim>;
  readonly volumes: Informer<PersistentVolume>;
  readonly drivers: Informer<CSIDriver>;
  readonly attachments: Informer<VolumeAttachment>;
  readonly exclusive: Exclusive;
}

const BY_NODE = "node";

export function startAttachDetachController(
  context: ComponentContext,
): Component {
  const { informers } = context;
  const attachments = informers.informer(VolumeAttachment);
  const volumes = informers.informer(PersistentVolume);
  const ctx: Context = {
    ...{ ...context, attachments, volumes },
    pods: informers.informer(Pod),
    nodes: informers.informer(Node),
    claims: informers.informer(PersistentVolumeClaim),
    drivers: informers.informer(CSIDriver),
    exclusive: new Exclusive(attachments, volumes),
  };
  indexByNode(ctx.pods);
  ctx.attachments.addIndex(BY_NODE, ({ spec }) => spec.nodeName);
  const controller = startController(context, {
    workers: 1,
    reconcile: (node) => reconcile(node, ctx),
  });
  const { queue } = controller;
  const hasClaims = ({ spec }: Pod) =>
    spec.volumes?.some((volume) => volume.persistentVolumeClaim) ?? false;
  const onPod = (pod: Pod) => {
    if (pod.spec.nodeName && hasClaims(pod)) queue.add(pod.spec.nodeName);
  };
  controller.on(ctx.pods, { added: onPod, updated: onPod, deleted: onPod });
  const onAttachment = ({ spec }: VolumeAttachment) => queue.add(spec.nodeName);
  controller.on(ctx.attachments, {
    added: onAttachment,
    updated: onAttachment,
    deleted(attachment) {
      onAttachment(attachment);
      const volume = volumeOf(attachment);
      const { nodeName } = attachment.spec;
      const next = ctx.exclusive.released(volume, nodeName);
      for (const node of next) queue.add(node);
    },
  });
  controller.on(ctx.nodes, {
    updated(node, old) {
      if (node.status?.volumesInUse === old.status?.volumesInUse) return;
      queue.add(node.metadata.name);
    },
  });
  controller.needs(ctx.volumes, ctx.drivers);
  const endWaking = wakeByClaims(controller, ctx);
  return {
    stop() {
      controller.stop();
      endWaking();
    },
  };
}

// region: reconcile
async function reconcile(name: string, ctx: Context): Promise<void> {
  const node = ctx.nodes.get(name);
  const wanted = wantedOn(name, ctx);
  const existing = ctx.attachments.byIndex(BY_NODE, name);
  const has = new Set(existing.map(volumeOf));
  for (const [volume, driver] of wanted) {
    if (!has.has(volume)) await attachAlone(volume, driver, name, ctx);
  }
  for (const attachment of existing) {
    const volume = volumeOf(attachment);
    if (wanted.has(volume) || attachment.metadata.deletionTimestamp) continue;
    // The kubelet says which volumes are still mounted.
    const inUse = node?.status?.volumesInUse?.includes(uniqueName(volume, ctx));
    if (!inUse) await detach(attachment, ctx);
  }
  if (node) await noteAttached(node, existing, ctx);
}
// endregion: reconcile

/** Driver by volume, of the volumes that Pods on the Node use. */
function wantedOn(node: string, ctx: Context): Map<string, string> {
  const wanted = new Map<string, string>();
  for (const pod of podsOnNode(ctx.pods, node)) {
    for (const name of volumesOf(pod, ctx)) {
      const driver = ctx.volumes.get(name)?.spec.csi?.driver;
      if (!driver) continue;
      const needs = ctx.drivers.get(driver)?.spec.attachRequired ?? true;
      if (needs) wanted.set(name, driver);
    }
  }
  return wanted;
}

/** Volumes that a Pod uses while it has not ended. */
function volumesOf(pod: Pod, { claims }: Context): string[] {
  if (isTerminated(pod)) return [];
  const { namespace } = pod.metadata;
  return (pod.spec.volumes ?? []).flatMap(({ persistentVolumeClaim }) => {
    if (!persistentVolumeClaim) return [];
    const key = `${namespace}/${persistentVolumeClaim.claimName}`;
    return claims.get(key)?.spec.volumeName ?? [];
  });
}

/** A volume for one node alone waits until no other has it. */
async function attachAlone(
  volume: string,
  driver: string,
  node: string,
  ctx: Context,
): Promise<void> {
  const { exclusive, pods } = ctx;
  const holders = exclusive.holders(volume, node);
  if (holders.length === 0) {
    exclusive.taken(volume, node);
    return attach(volume, driver, node, ctx);
  }
  if (!exclusive.wait(volume, node)) return;
  const usersOn = (name: string) =>
    podsOnNode(pods, name).filter((pod) =>
      volumesOf(pod, ctx).includes(volume),
    );
  tellMultiAttach(volume, usersOn(node), holders.flatMap(usersOn), ctx);
}

/** As the kubelet and the Node's status name a volume. */
function uniqueName(volume: string, { volumes }: Context): string {
  const csi = volumes.get(volume)?.spec.csi;
  return csi ? `kubernetes.io/csi/${csi.driver}^${csi.volumeHandle}` : "";
}

async function attach(
  volume: string,
  attacher: string,
  nodeName: string,
  { client, exclusive }: Context,
): Promise<void> {
  const hash = fnv1aText(`${volume}${attacher}${nodeName}`).toString(16);
  try {
    await client.create(VolumeAttachment, {
      apiVersion: "storage.k8s.io/v1",
      kind: "VolumeAttachment",
      metadata: { name: `csi-${hash}` },
      spec: { attacher, nodeName, source: { persistentVolumeName: volume } },
    });
  } catch (error) {
    if (isAlreadyExists(error)) return;
    exclusive.released(volume, nodeName);
    throw error;
  }
}

async function detach(
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
async function noteAttached(
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

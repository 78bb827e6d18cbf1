/**
 * Attach/detach controller: volumes that a driver must attach to a machine
 * get a VolumeAttachment while a Pod there uses them. The driver's attacher
 * does the work and says so in the status.
 * Models:     pkg/controller/volume/attachdetach @ v1.36
 * Leaves out: in-tree drivers.
 */

import { CSIDriver } from "../../api/kinds/csidriver.ts";
import { Node } from "../../api/kinds/node.ts";
import { PersistentVolume } from "../../api/kinds/persistentvolume.ts";
import { PersistentVolumeClaim } from "../../api/kinds/persistentvolumeclaim.ts";
import { Pod } from "../../api/kinds/pod.ts";
import { VolumeAttachment } from "../../api/kinds/volumeattachment.ts";
import type { Component, ComponentContext } from "../../client/component.ts";
import { startController } from "../../client/controller.ts";
import { indexByNode, podsOnNode } from "../shared/pods.ts";
import { attach, detach, noteAttached } from "./attach-calls.ts";
import {
  type Context,
  uniqueName,
  volumesOf,
  wantedOn,
} from "./desired-state.ts";
import { Detaching, matters } from "./detach.ts";
import { Exclusive, tellMultiAttach, volumeOf } from "./multi-attach.ts";
import { wakeByClaims } from "./wake.ts";

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
    detaching: new Detaching(),
    later: (node, ms) => controller.queue.addAfter(node, ms),
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
    updated(attachment, old) {
      onAttachment(attachment);
      tell(attachment, old, ctx);
    },
    deleted(attachment) {
      onAttachment(attachment);
      const volume = volumeOf(attachment);
      const { nodeName } = attachment.spec;
      const next = ctx.exclusive.released(volume, nodeName);
      for (const node of next) queue.add(node);
    },
  });
  controller.on(ctx.nodes, {
    added: (node) => ctx.detaching.heard(node),
    updated(node, old) {
      ctx.detaching.heard(node);
      if (matters(node, old)) queue.add(node.metadata.name);
    },
    deleted: (node) => queue.add(node.metadata.name),
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
  const [stay, go] = parted(name, node, existing, wanted, ctx);
  // First the Node hears that it has the volume no more, then it is so.
  if (node) await noteAttached(node, stay, ctx);
  for (const attachment of go) await detach(attachment, ctx);
}
// endregion: reconcile

/** Attachments that stay, and those that may go now. */
function parted(
  name: string,
  node: Node | undefined,
  existing: readonly VolumeAttachment[],
  wanted: ReadonlyMap<string, string>,
  ctx: Context,
): [VolumeAttachment[], VolumeAttachment[]] {
  const { detaching, kernel } = ctx;
  const stay: VolumeAttachment[] = [];
  const go: VolumeAttachment[] = [];
  for (const attachment of existing) {
    if (attachment.metadata.deletionTimestamp) continue;
    const volume = volumeOf(attachment);
    const unique = uniqueName(volume, ctx);
    if (wanted.has(volume)) {
      detaching.isWanted(name, unique);
      stay.push(attachment);
      continue;
    }
    const waitMs = detaching.waitMs(name, node, unique, kernel.now());
    if (waitMs) ctx.later(name, waitMs);
    (waitMs === 0 ? go : stay).push(attachment);
  }
  return [stay, go];
}

/** Pods that use the volume there hear how its attaching goes. */
function tell(
  { status, spec }: VolumeAttachment,
  { status: before }: VolumeAttachment,
  ctx: Context,
): void {
  const volume = spec.source.persistentVolumeName ?? "";
  const failed = status?.attachError?.message;
  const done = status?.attached && !before?.attached;
  if (!done && (!failed || failed === before?.attachError?.message)) return;
  const users = podsOnNode(ctx.pods, spec.nodeName).filter((pod) =>
    volumesOf(pod, ctx).includes(volume),
  );
  for (const pod of users) {
    const { events } = ctx;
    if (done) {
      // Upstream's text ends in a blank, for want of a suffix.
      const message = `AttachVolume.Attach succeeded for volume "${volume}" `;
      events.event(pod, "Normal", "SuccessfulAttachVolume", message);
    } else {
      const message = `AttachVolume.Attach failed for volume "${volume}" : ${failed} `;
      events.event(pod, "Warning", "FailedAttachVolume", message);
    }
  }
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

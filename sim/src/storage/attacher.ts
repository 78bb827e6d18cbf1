/**
 * The external attacher: does what VolumeAttachments ask for, and says in
 * their status how it went. Its finalizer keeps the object until the driver
 * has detached.
 * Models:     kubernetes-csi/external-attacher pkg/controller @ v4
 * Leaves out: the volume's own finalizer; secrets; the periodic ListVolumes.
 */

import { same } from "../api/kinds/access.ts";
import { PersistentVolume } from "../api/kinds/persistentvolume.ts";
import { VolumeAttachment } from "../api/kinds/volumeattachment.ts";
import type { Component, ComponentContext } from "../client/component.ts";
import { startController } from "../client/controller.ts";
import type { Informer } from "../client/informer.ts";
import { type ControllerService, CsiError } from "../csi/api.ts";
import { BACKOFF, call } from "./call.ts";

interface Context extends ComponentContext {
  readonly driver: string;
  readonly service: ControllerService;
  readonly attachments: Informer<VolumeAttachment>;
  readonly volumes: Informer<PersistentVolume>;
}

export function startAttacher(
  context: ComponentContext,
  driver: string,
  service: ControllerService,
): Component {
  const { informers } = context;
  const ctx: Context = {
    ...{ ...context, driver, service },
    attachments: informers.informer(VolumeAttachment),
    volumes: informers.informer(PersistentVolume),
  };
  const controller = startController(context, {
    workers: 4,
    reconcile: (key) => reconcile(key, ctx),
    backoff: BACKOFF,
  });
  const enqueue = ({ metadata }: VolumeAttachment) =>
    controller.queue.add(metadata.name);
  controller.on(ctx.attachments, {
    added: enqueue,
    updated(attachment, old) {
      // The error that it wrote itself is no reason to ask again at once.
      if (!same(butErrors(attachment), butErrors(old))) enqueue(attachment);
    },
  });
  controller.needs(ctx.volumes);
  return controller;
}

// region: reconcile
async function reconcile(name: string, ctx: Context): Promise<void> {
  const attachment = ctx.attachments.get(name);
  if (attachment?.spec.attacher !== ctx.driver) return;
  if (attachment.metadata.deletionTimestamp) return detach(attachment, ctx);
  if (!attachment.status?.attached) await attach(attachment, ctx);
}
// endregion: reconcile

function butErrors({ metadata, spec, status }: VolumeAttachment) {
  const unmarked = { resourceVersion: undefined, managedFields: undefined };
  const untold = { attachError: undefined, detachError: undefined };
  return {
    metadata: { ...metadata, ...unmarked },
    ...{ spec, status: { ...status, ...untold } },
  };
}

/** `external-attacher/disk-csi-example` */
function finalizerOf(driver: string): string {
  return `external-attacher/${driver.replaceAll(".", "-")}`;
}

function requestOf({ spec }: VolumeAttachment, { volumes }: Context) {
  const volume = volumes.get(spec.source.persistentVolumeName ?? "");
  const volume_id = volume?.spec.csi?.volumeHandle;
  return volume_id ? { volume_id, node_id: spec.nodeName } : undefined;
}

async function attach(
  attachment: VolumeAttachment,
  ctx: Context,
): Promise<void> {
  const request = requestOf(attachment, ctx);
  if (!request) throw new Error("the volume is not known yet");
  const { metadata } = attachment;
  const finalizer = finalizerOf(ctx.driver);
  if (!metadata.finalizers?.includes(finalizer)) {
    const finalizers = [...(metadata.finalizers ?? []), finalizer];
    await patch(metadata.name, { metadata: { finalizers } }, ctx);
  }
  try {
    const { publish_context: attachmentMetadata } = await call(
      ctx,
      ctx.driver,
      "ControllerPublishVolume",
      request,
      () => ctx.service.controllerPublishVolume(request),
    );
    const status = { attached: true, attachError: null, attachmentMetadata };
    await patch(metadata.name, { status }, ctx, "status");
  } catch (error) {
    if (!(error instanceof CsiError)) throw error;
    const { message } = error;
    const attachError = { message, time: ctx.kernel.timestamp() };
    const status = { attached: false, attachError };
    await patch(metadata.name, { status }, ctx, "status");
    // It is tried again, with a growing wait.
    throw error;
  }
}

async function detach(
  attachment: VolumeAttachment,
  ctx: Context,
): Promise<void> {
  const { name, finalizers = [] } = attachment.metadata;
  const finalizer = finalizerOf(ctx.driver);
  if (!finalizers.includes(finalizer)) return;
  const request = requestOf(attachment, ctx);
  if (request) {
    await call(ctx, ctx.driver, "ControllerUnpublishVolume", request, () =>
      ctx.service.controllerUnpublishVolume(request),
    );
  }
  const left = finalizers.filter((one) => one !== finalizer);
  await patch(name, { metadata: { finalizers: left } }, ctx);
}

function patch(
  name: string,
  body: object,
  { client }: Context,
  subresource?: string,
) {
  const type = "application/merge-patch+json";
  return client.patch(VolumeAttachment, "", name, type, body, { subresource });
}

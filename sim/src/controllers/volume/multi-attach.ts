/**
 * A volume for one node alone is attached to the next node only when the one
 * before has let it go; its Pods are told what they wait for.
 * Models: pkg/controller/volume/attachdetach/reconciler/reconciler.go
 *         (attachDesiredVolumes, reportMultiAttachError) @ v1.36
 */
import type { PersistentVolume } from "../../api/kinds/persistentvolume.ts";
import type { Pod } from "../../api/kinds/pod.ts";
import type { VolumeAttachment } from "../../api/kinds/volumeattachment.ts";
import type { ComponentContext } from "../../client/component.ts";
import type { Informer } from "../../client/informer.ts";

const BY_VOLUME = "volume";

export function volumeOf({ spec }: VolumeAttachment): string {
  return spec.source.persistentVolumeName ?? "";
}

/** Without access modes nobody knows: it is allowed. */
function isForMany({ spec }: PersistentVolume): boolean {
  const { accessModes: modes = [] } = spec;
  const many = ["ReadWriteMany", "ReadOnlyMany"];
  return modes.length === 0 || modes.some((mode) => many.includes(mode));
}

export class Exclusive {
  private readonly attachments: Informer<VolumeAttachment>;
  private readonly volumes: Informer<PersistentVolume>;
  /** Node by volume: attached by us, and the copy may not show it yet. */
  private readonly ours = new Map<string, string>();
  /** By volume: Nodes that wait for it, and have been told. */
  private readonly waiting = new Map<string, Set<string>>();

  constructor(
    attachments: Informer<VolumeAttachment>,
    volumes: Informer<PersistentVolume>,
  ) {
    this.attachments = attachments;
    this.volumes = volumes;
    attachments.addIndex(BY_VOLUME, volumeOf);
  }

  /** Other nodes that have the volume; none if it may be on several. */
  holders(volume: string, node: string): string[] {
    const found = this.volumes.get(volume);
    if (!found || isForMany(found)) return [];
    const nodes = this.attachments
      .byIndex(BY_VOLUME, volume)
      .map(({ spec }) => spec.nodeName);
    const ours = this.ours.get(volume);
    const all = new Set(ours ? [...nodes, ours] : nodes);
    return [...all].filter((one) => one !== node).sort();
  }

  /** False if the Node waits already. */
  wait(volume: string, node: string): boolean {
    const nodes = this.waiting.get(volume) ?? new Set();
    this.waiting.set(volume, nodes);
    if (nodes.has(node)) return false;
    nodes.add(node);
    return true;
  }

  taken(volume: string, node: string): void {
    this.ours.set(volume, node);
    this.waiting.get(volume)?.delete(node);
  }

  /** A node has let it go; the Nodes that wait for it. */
  released(volume: string, node: string): readonly string[] {
    if (this.ours.get(volume) === node) this.ours.delete(volume);
    return [...(this.waiting.get(volume) ?? [])];
  }
}

/** `scheduled`: Pods that wait; `users`: those that use it where it is. */
export function tellMultiAttach(
  volume: string,
  scheduled: readonly Pod[],
  users: readonly Pod[],
  { events }: Pick<ComponentContext, "events">,
): void {
  for (const pod of scheduled) {
    const why = reason(pod, users);
    const message = `Multi-Attach error for volume "${volume}" ${why}`;
    events.event(pod, "Warning", "FailedAttachVolume", message);
  }
}

/** Who may not read a namespace does not learn what is in it. */
function reason({ metadata }: Pod, users: readonly Pod[]): string {
  if (users.length === 0) {
    return "Volume is already exclusively attached to one node and can't be attached to another";
  }
  const local = users.filter(
    (one) => one.metadata.namespace === metadata.namespace,
  );
  const others = users.length - local.length;
  if (local.length === 0) {
    return `Volume is already used by ${others} pod(s) in different namespaces`;
  }
  const names = local.map((one) => one.metadata.name).join(", ");
  const more =
    others > 0 ? ` and ${others} pod(s) in different namespaces` : "";
  return `Volume is already used by pod(s) ${names}${more}`;
}

/** Volumes: one claim a volume, one volume a claim, and one node at a time. */
import { obj, str, strings } from "../../../sim/src/api/kinds/access.ts";
import type { WriteDetail } from "../../../sim/src/api/transport.ts";
import type { KubeObject } from "../../../sim/src/api/types.ts";
import { Broken, keyOf, type Law, specOf, statusOf, type World } from "../world.ts";

export class VolumesLaw implements Law {
  private readonly world: World;

  constructor(world: World) {
    this.world = world;
  }

  look({ before, after }: WriteDetail): void {
    if (!after) return;
    if (after.kind === "PersistentVolume") {
      this.fixed(after, before, (one) => str(obj(specOf(one).claimRef).uid));
    } else if (after.kind === "PersistentVolumeClaim") {
      this.fixed(after, before, (one) => str(specOf(one).volumeName));
    } else if (after.kind === "VolumeAttachment") this.attached(after);
  }

  private fixed(after: KubeObject, before: KubeObject | undefined, of: (o: KubeObject) => string) {
    const [old, now] = [before ? of(before) : "", of(after)];
    if (old && old !== now) throw new Broken(`${keyOf(after)} was bound to ${old}, then to ${now}`);
  }

  private attached(attachment: KubeObject): void {
    if (statusOf(attachment).attached !== true) return;
    const volume = volumeOf(attachment);
    const found = this.world.all("PersistentVolume").find((one) => one.metadata.name === volume);
    if (found && !strings(specOf(found).accessModes).every((mode) => mode === "ReadWriteOnce"))
      return;
    const nodes = this.world
      .all("VolumeAttachment")
      .filter((one) => volumeOf(one) === volume && statusOf(one).attached === true)
      .map((one) => str(specOf(one).nodeName));
    if (nodes.length > 1) throw new Broken(`${volume} is attached to ${nodes.join(" and ")}`);
  }
}

const volumeOf = (attachment: KubeObject) =>
  str(obj(specOf(attachment).source).persistentVolumeName);

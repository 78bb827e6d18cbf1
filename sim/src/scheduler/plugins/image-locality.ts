/**
 * ImageLocality: likes a Node that has the Pod's images already; less so if
 * few Nodes have them, or all Pods would go to those.
 * Models:     pkg/scheduler/framework/plugins/imagelocality @ v1.36
 * Leaves out: two Nodes that report one image with different sizes (upstream
 *             takes the size that it saw first; here each Node's own counts).
 */
import type { PodInfo } from "../cache/pod-info.ts";
import type { Snapshot } from "../cache/snapshot.ts";
import { MAX_NODE_SCORE, type Plugin } from "../framework.ts";

const MEGABYTE = 1024 * 1024;
const SIZE_MIN_BYTES = 23 * MEGABYTE;
const SIZE_MAX_BYTES = 1000 * MEGABYTE;

interface Wanted {
  readonly images: readonly string[];
  readonly snapshot: Snapshot;
}

export function imageLocality(): Plugin<undefined, Wanted> {
  return {
    name: "ImageLocality",

    preScore({ pod, snapshot }) {
      if (snapshot.imageCount === 0) return { same: 0 };
      const images = imagesOf(pod);
      const known = images.some((image) => snapshot.imageNodeCount(image) > 0);
      return known ? { state: { images, snapshot } } : { same: 0 };
    },

    score(node, _, { images, snapshot }) {
      if (node.images.size === 0) return 0;
      let sum = 0;
      for (const image of images) {
        const sizeBytes = node.images.get(image);
        if (sizeBytes === undefined) continue;
        const spread = snapshot.imageNodeCount(image) / snapshot.nodes.length;
        sum += Math.trunc(sizeBytes * spread);
      }
      const most = SIZE_MAX_BYTES * images.length;
      const counted = Math.min(Math.max(sum, SIZE_MIN_BYTES), most);
      return Math.trunc(
        (MAX_NODE_SCORE * (counted - SIZE_MIN_BYTES)) / (most - SIZE_MIN_BYTES),
      );
    },
  };
}

/** Names as a runtime reports them: with a tag. */
function imagesOf({ pod: { spec } }: PodInfo): string[] {
  const { containers, initContainers = [], volumes = [] } = spec;
  const images = [...initContainers, ...containers].map(
    ({ image = "" }) => image,
  );
  for (const { image } of volumes) {
    if (image?.reference) images.push(image.reference);
  }
  return images.map((image) =>
    image.lastIndexOf(":") <= image.lastIndexOf("/")
      ? `${image}:latest`
      : image,
  );
}

/**
 * The image registry of the simulated world: which images and tags there
 * are. Images that nobody defined exist too, and are plain servers.
 */
import {
  fullName,
  type ImageDefinition,
  type ImageReference,
} from "./image.ts";
import { KNOWN_IMAGES } from "./known.ts";

/** A tag that an image without a list of tags has. */
const USUAL_TAG =
  /^(v?\d[\w.-]*|latest|stable|mainline|main|edge|lts|alpine.*|slim.*|perl|musl|glibc|uclibc)$/;

/** Bytes of an image that nobody defined. */
const PLAIN_BYTES = 40_000_000;

export class ImageRegistry {
  private readonly images = new Map<string, ImageDefinition>();

  constructor(extra: readonly ImageDefinition[] = []) {
    for (const image of [...KNOWN_IMAGES, ...extra]) this.define(image);
  }

  /** Adds an image, or replaces the one of that name. */
  define(image: ImageDefinition): void {
    this.images.set(fullName(image.name), image);
  }

  /** The image, or undefined: no such repository or tag. */
  find({
    repository,
    tag,
    digest,
  }: ImageReference): ImageDefinition | undefined {
    const image = this.images.get(repository);
    if (!image)
      return { name: repository, sizeBytes: PLAIN_BYTES, shell: true };
    if (digest) return image;
    const has = image.tags ? image.tags.includes(tag) : USUAL_TAG.test(tag);
    return has ? image : undefined;
  }
}

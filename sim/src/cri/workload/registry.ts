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
  private readonly images = new Map<string, readonly ImageDefinition[]>();

  constructor(extra: readonly ImageDefinition[] = []) {
    for (const image of [...KNOWN_IMAGES, ...extra]) this.define(image);
  }

  /** Adds an image; replaces those of that name, but for other tags. */
  define(image: ImageDefinition): void {
    const name = fullName(image.name);
    const others = this.images.get(name) ?? [];
    const kept = others.filter((other) => areApart(other, image));
    this.images.set(name, [...kept, image]);
  }

  /** The image, or undefined: no such repository or tag. */
  find({
    repository,
    tag,
    digest,
  }: ImageReference): ImageDefinition | undefined {
    const images = this.images.get(repository);
    if (!images)
      return { name: repository, sizeBytes: PLAIN_BYTES, shell: true };
    if (digest) return images[0];
    return images.find(({ tags }) => tags?.includes(tag) ?? isUsual(tag));
  }
}

const isUsual = (tag: string) => USUAL_TAG.test(tag);

/** Both say which tags they have, and share none: versions of one image. */
function areApart({ tags: a }: ImageDefinition, { tags: b }: ImageDefinition) {
  return a !== undefined && b !== undefined && !a.some((t) => b.includes(t));
}

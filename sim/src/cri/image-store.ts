/**
 * The images that a node has, and pulling those that it lacks.
 * Models: containerd internal/cri/server/images @ v2.4
 */
import type { Kernel, Random } from "../kernel/index.ts";
import type { CriImage, ImageService, PullImageRequest } from "./api.ts";
import { RpcError } from "./api.ts";
import { imageNotFound, type RuntimeKind } from "./kinds.ts";
import { nanosOf } from "./time.ts";
import {
  formatReference,
  type ImageDefinition,
  type ImageReference,
  parseReference,
} from "./workload/image.ts";
import type { ImageRegistry } from "./workload/registry.ts";

/** How fast the registry answers and sends. */
export interface PullModel {
  /** Asking for the manifest, in ms. */
  readonly resolveMs: number;
  readonly bytesPerMs: number;
}

export interface StoredImage {
  readonly image: CriImage;
  readonly definition: ImageDefinition;
}

export interface ImageStoreOptions {
  readonly kernel: Kernel;
  /** `containerd/node-1`. */
  readonly actor: string;
  /** containerd unless said. */
  readonly kind?: RuntimeKind;
  readonly registry: ImageRegistry;
  readonly random: Random;
  readonly pull: PullModel;
}

export class ImageStore implements ImageService {
  private readonly options: ImageStoreOptions;
  /** By full reference. */
  private readonly images = new Map<string, StoredImage>();
  /** Full names by references as Pods write them; "" if one is none. */
  private readonly names = new Map<string, string>();
  /** Set whenever the list changes: the node's status shows it. */
  version = 0;

  constructor(options: ImageStoreOptions) {
    this.options = options;
  }

  /** The image of a reference, if the node has it. */
  get(text: string): StoredImage | undefined {
    let name = this.names.get(text);
    if (name === undefined) {
      const reference = parseReference(text);
      name = reference ? formatReference(reference) : "";
      this.names.set(text, name);
    }
    return this.images.get(name);
  }

  async listImages(): Promise<{ images: CriImage[] }> {
    return { images: [...this.images.values()].map(({ image }) => image) };
  }

  async imageStatus(request: { image: { image: string } }) {
    const image = this.get(request.image.image)?.image;
    return image ? { image } : {};
  }

  async pullImage(request: PullImageRequest): Promise<{ image_ref: string }> {
    const { kernel, actor, registry, random, pull } = this.options;
    const { kind = "containerd" } = this.options;
    const text = request.image.image;
    const reference = parseReference(text);
    if (!reference) throw badReference(text);
    const name = formatReference(reference);
    kernel.record(actor, "image", `pull ${name}`, "registry");
    await kernel.sleep(pull.resolveMs * random.between(0.8, 1.4));
    const definition = registry.find(reference);
    if (!definition) throw imageNotFound(kind, reference);
    const present = this.images.get(name);
    if (!present) {
      const bytes = definition.sizeBytes ?? 0;
      await kernel.sleep((bytes / pull.bytesPerMs) * random.between(0.9, 1.2));
    }
    const image = present?.image ?? this.add(reference, definition);
    return { image_ref: image.id };
  }

  /** Puts an image there without pulling it, as a node image may have it. */
  preload(text: string, pinned = false): void {
    const reference = parseReference(text);
    const definition = reference && this.options.registry.find(reference);
    if (reference && definition && !this.get(text)) {
      this.add(reference, definition, pinned);
    }
  }

  async removeImage(request: { image: { image: string } }) {
    const text = request.image.image;
    const reference = parseReference(text);
    const wanted = reference ? formatReference(reference) : "";
    for (const [name, { image }] of this.images) {
      if (name !== wanted && image.id !== text) continue;
      this.images.delete(name);
      const { kernel, actor } = this.options;
      kernel.record(actor, "image", `remove ${name}`, "");
      this.version++;
    }
    return {};
  }

  /** Full references of all images. */
  references(): string[] {
    return [...this.images.keys()];
  }

  /** Bytes of all images. */
  usedBytes(): number {
    let used = 0;
    for (const { image } of this.images.values()) used += image.size;
    return used;
  }

  async imageFsInfo() {
    const used = this.usedBytes();
    const mountpoint =
      "/var/lib/containerd/io.containerd.snapshotter.v1.overlayfs";
    return {
      image_filesystems: [
        {
          timestamp: nanosOf(this.options.kernel),
          fs_id: { mountpoint },
          used_bytes: { value: used },
        },
      ],
    };
  }

  private add(
    reference: ImageReference,
    definition: ImageDefinition,
    pinned = false,
  ): CriImage {
    const name = formatReference(reference);
    const image: CriImage = {
      id: imageId(reference),
      repo_tags: reference.digest ? [] : [name],
      // Only a registry knows the digest of a manifest.
      ...(pinned
        ? {}
        : { repo_digests: [`${reference.repository}@${imageId(reference)}`] }),
      size: definition.sizeBytes ?? 0,
      ...(pinned ? { pinned } : {}),
    };
    this.images.set(name, { image, definition });
    this.version++;
    return image;
  }
}

/** The same reference is the same image everywhere. */
const ids = new Map<string, string>();

function imageId(reference: ImageReference): string {
  if (reference.digest) return reference.digest;
  const name = formatReference(reference);
  let id = ids.get(name);
  if (!id) {
    id = `sha256:${digits(name)}`;
    ids.set(name, id);
  }
  return id;
}

/** 64 hexadecimal digits out of a text (FNV-1a, eight times). */
function digits(text: string): string {
  let all = "";
  for (let part = 0; part < 8; part++) {
    let h = 0x811c9dc5 ^ part;
    for (let i = 0; i < text.length; i++) {
      h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
    }
    all += (Math.imul(h ^ (h >>> 15), 0x2c1b3c6d) >>> 0)
      .toString(16)
      .padStart(8, "0");
  }
  return all;
}

function badReference(text: string): RpcError {
  const desc = `failed to parse image reference "${text}": invalid reference format`;
  return new RpcError("InvalidArgument", desc);
}

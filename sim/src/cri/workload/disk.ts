/** What an image's program writes to the disk by itself. */
import type { ImageDefinition } from "./image.ts";
import { grown } from "./memory.ts";

/** One that is left out has one file. */
export type Written = readonly [path: string, bytes: number, files?: number];

/** By this age; undefined: nothing. */
export function ownWrite(
  image: ImageDefinition,
  ageMs: number,
): Written | undefined {
  const { diskBytes = 0, diskGrowthBytesPerSecond = 0 } = image;
  const bytes = diskBytes + grown(diskGrowthBytesPerSecond, ageMs);
  const { files = bytes > 0 ? 1 : 0, fileGrowthPerSecond = 0 } = image;
  const count = files + grown(fileGrowthPerSecond, ageMs);
  if (bytes === 0 && count === 0) return undefined;
  return [image.diskPath ?? "/", bytes, count];
}

/**
 * How much memory a program takes, and when it is too much for its limit.
 */
import type { ImageDefinition } from "./image.ts";

/** `stress --vm 2 --vm-bytes 250M` beats what the image says. */
export function memoryOf(
  image: ImageDefinition,
  words: readonly string[],
): number | undefined {
  const at = words.indexOf("--vm-bytes");
  const amount = /^(\d+)([KMG]?)$/.exec(words[at + 1] ?? "");
  if (at < 0 || !amount) return image.memoryBytes;
  const unit = { "": 1, K: 2 ** 10, M: 2 ** 20, G: 2 ** 30 }[amount[2] ?? ""];
  const workers = words.includes("--vm") ? words[words.indexOf("--vm") + 1] : 1;
  return Number(amount[1]) * (unit ?? 1) * (Number(workers) || 1);
}

/** When the memory passes the limit, in ms after the start. */
export function outOfMemoryMs(
  image: ImageDefinition,
  words: readonly string[],
  limit: number | undefined,
): number | undefined {
  const from = memoryOf(image, words) ?? 0;
  const growth = image.memoryGrowthBytesPerSecond ?? 0;
  if (!limit) return undefined;
  if (from > limit) return image.startMs ?? 0;
  return growth > 0 ? ((limit - from) / growth) * 1000 : undefined;
}

/** Whole bytes, or processes, after so long. */
export function grown(perSecond: number, ageMs: number): number {
  return perSecond === 0 ? 0 : Math.floor((perSecond * ageMs) / 1000);
}

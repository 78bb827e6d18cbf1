/**
 * The hash that discovery names the stored version of a kind with.
 * Models: apiserver/pkg/endpoints/discovery/storageversionhash.go @ v1.36
 */
import { toBase64 } from "../../api/base64.ts";
import { sha256 } from "../../api/sha2.ts";

/** The first eight bytes of the SHA-256, in base64. */
export function storageVersionHash(
  group: string,
  version: string,
  kind: string,
): string {
  return toBase64(sha256(`${group}/${version}/${kind}`).slice(0, 8));
}

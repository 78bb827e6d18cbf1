/**
 * `--append-hash`: a name that changes with the content.
 * Models:     kubectl/pkg/util/hash/hash.go @ v1.36
 */
import { goSortedJson } from "../../api/go-text.ts";
import { sha256Hex } from "../../api/sha2.ts";

/** Letters in the place of those that could make a word. */
const INSTEAD: { readonly [sign: string]: string } = {
  "0": "g",
  "1": "h",
  "3": "k",
  a: "m",
  e: "t",
};

export function hashed(
  name: string,
  kind: string,
  data: { readonly [key: string]: string },
  more: { readonly type?: string } = {},
): string {
  const text = goSortedJson({ kind, name, data, ...more });
  const hash = sha256Hex(text)
    .slice(0, 10)
    .replace(/[013ae]/g, (sign) => INSTEAD[sign]!);
  return `${name}-${hash}`;
}

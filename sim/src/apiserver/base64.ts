/** Base64 for URLs, without padding. Leaves out: bytes that are not UTF-8. */
const LETTERS =
  "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

export function toBase64Url(text: string): string {
  const bytes = new TextEncoder().encode(text);
  let out = "";
  for (let i = 0; i < bytes.length; i += 3) {
    const [a = 0, b, c] = [bytes[i], bytes[i + 1], bytes[i + 2]];
    out += LETTERS[a >> 2]! + LETTERS[((a & 3) << 4) | ((b ?? 0) >> 4)]!;
    if (b !== undefined) out += LETTERS[((b & 15) << 2) | ((c ?? 0) >> 6)];
    if (c !== undefined) out += LETTERS[c & 63];
  }
  return out;
}

/** Bytes of a base64 text. Throws with Go's words on what is none. */
export function bytesOfBase64Url(text: string): Uint8Array {
  const bytes = new Uint8Array(Math.floor((text.length * 3) / 4));
  let bits = 0;
  let value = 0;
  let at = 0;
  for (let i = 0; i < text.length; i++) {
    const digit = LETTERS.indexOf(text[i]!);
    if (digit < 0) throw new Error(`illegal base64 data at input byte ${i}`);
    value = (value << 6) | digit;
    bits += 6;
    if (bits >= 8) {
      bits -= 8;
      bytes[at++] = (value >> bits) & 255;
    }
  }
  if (text.length % 4 === 1) {
    throw new Error(`illegal base64 data at input byte ${text.length}`);
  }
  return bytes;
}

export function fromBase64Url(text: string): string {
  return new TextDecoder().decode(bytesOfBase64Url(text));
}

/** Text of ordinary base64, padded or not. */
export function fromBase64(text: string): string {
  const plain = text.replaceAll("+", "-").replaceAll("/", "_");
  return fromBase64Url(plain.replace(/=+$/, ""));
}

/** Base64 as Kubernetes' objects hold it: with padding, of bytes or of a text. */
export function toBase64(content: Uint8Array | string): string {
  const bytes =
    typeof content === "string" ? new TextEncoder().encode(content) : content;
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
}

/** Throws on what is no base64. */
export function fromBase64(text: string): Uint8Array {
  return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
}

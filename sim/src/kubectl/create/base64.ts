/** Base64 of a text's UTF-8 bytes, without what a browser or Node would lend. */
const LETTERS =
  "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

export function base64Of(text: string): string {
  const bytes = new TextEncoder().encode(text);
  let out = "";
  for (let i = 0; i < bytes.length; i += 3) {
    const [a = 0, b = 0, c = 0] = bytes.subarray(i, i + 3);
    const bits = (a << 16) | (b << 8) | c;
    const four = [18, 12, 6, 0].map((shift) => LETTERS[(bits >> shift) & 63]!);
    const kept = Math.min(bytes.length - i, 3) + 1;
    out += four.slice(0, kept).join("").padEnd(4, "=");
  }
  return out;
}

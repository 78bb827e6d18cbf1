/**
 * SHA-1, by which Calico names the node's ends of Pods' interfaces.
 * Models: FIPS 180-4
 */

/** 40 hexadecimal digits. */
export function sha1Hex(text: string): string {
  const bytes = new TextEncoder().encode(text);
  const blocks = Math.ceil((bytes.length + 9) / 64);
  const padded = new Uint8Array(blocks * 64);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 4, bytes.length * 8);
  const state = [0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0];
  for (let at = 0; at < padded.length; at += 64) round(state, view, at);
  return state
    .map((word) => (word >>> 0).toString(16).padStart(8, "0"))
    .join("");
}

const K = [0x5a827999, 0x6ed9eba1, 0x8f1bbcdc, 0xca62c1d6];

function round(state: number[], view: DataView, at: number): void {
  const w: number[] = [];
  for (let i = 0; i < 80; i++) {
    w[i] =
      i < 16
        ? view.getInt32(at + i * 4)
        : turn(w[i - 3]! ^ w[i - 8]! ^ w[i - 14]! ^ w[i - 16]!, 1);
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0] = state;
  for (let i = 0; i < 80; i++) {
    const part = Math.floor(i / 20);
    const f =
      part === 0
        ? (b & c) | (~b & d)
        : part === 2
          ? (b & c) | (b & d) | (c & d)
          : b ^ c ^ d;
    const next = (turn(a, 5) + f + e + K[part]! + w[i]!) | 0;
    [e, d, c, b, a] = [d, c, turn(b, 30), a, next];
  }
  for (const [i, word] of [a, b, c, d, e].entries()) {
    state[i] = (state[i]! + word) | 0;
  }
}

function turn(word: number, bits: number): number {
  return (word << bits) | (word >>> (32 - bits));
}

/** FNV-1a over UTF-16 units, twice with different seeds: 64 bits as hex. */
export function hashText(text: string): string {
  return half(text, 0x811c9dc5) + half(text, 0x01000193);
}

function half(text: string, seed: number): string {
  let h = seed;
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
  return (h >>> 0).toString(16).padStart(8, "0");
}

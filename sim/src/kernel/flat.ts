/**
 * The same text in one piece of memory. A text put together from others stays
 * a tree of them until somebody reads it: three or four times its size. What
 * is kept as long as its Pod lives is better off flat.
 */
export function flat(text: string): string {
  // To compare its beginning makes the engine join the parts.
  return text.startsWith("\0\0") ? `${text}` : text;
}

/**
 * A module that does not parse gives an error without a line when it is
 * imported. The same text as a plain script, inside a function that nobody
 * calls, gives one with it.
 */

/** Stands on the script's first line, before the module's. */
export const WRAPPER = "async()=>{";

/** The module's text as such a script: lines stay, imports and exports go. */
export function asScript(code: string): string {
  const body = code
    .replace(/^import\b[^;]*?["'][^"'\n]*["'];?/gm, blank)
    .replace(/^export\s+(\*|\{)[^;]*?(\}|["'][^"'\n]*["']);?/gm, blank)
    .replace(/^export\s+default\b/gm, "void")
    .replace(/^export\b/gm, blank);
  return `${WRAPPER}${body}\n}`;
}

function blank(text: string): string {
  return text.replace(/[^\n]/g, " ");
}

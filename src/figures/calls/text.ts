/** Ids of 64 digits are cut to what tells them apart. */
export function shorten(text: string): string {
  return text.replace(/\b([0-9a-f]{12})[0-9a-f]{52}\b/g, "$1…");
}

/** An object as indented lines, one field a line, without JSON's marks. */
export function textOf(value: unknown, indent = ""): string {
  if (typeof value !== "object" || value === null) return shorten(String(value));
  const lines = Object.entries(value).flatMap(([name, child]) => {
    if (child === undefined || child === "") return [];
    const label = Array.isArray(value) ? "-" : `${name}:`;
    if (typeof child !== "object" || child === null) {
      return [`${indent}${label} ${shorten(String(child))}`];
    }
    if (Object.keys(child).length === 0) return [];
    return [`${indent}${label}`, textOf(child, `${indent}  `)];
  });
  return lines.join("\n");
}

/**
 * Turns an import of a module of the bundle into constants taken from its
 * namespace. A module made to stand in for it would do too, but each costs a
 * turn through the browser's loader, and `cluster.ts` imports a hundred.
 */

const IMPORT =
  /^import\s+(?:([\w$]+)\s*(?:,\s*|(?=from\b)))?(?:\*\s*as\s+([\w$]+)\s*|\{([^{}]*)\}\s*)?from\s*["'][^"']*["']$/;
const NAME = /^([\w$]+)(?:\s+as\s+([\w$]+))?$/;

/**
 * The statement with its lines kept, reading from the expression `namespace`;
 * null if it is of another form (a re-export, say).
 */
export function asConstants(statement: string, namespace: string): string | null {
  const text = statement.replace(/\/\*[\s\S]*?\*\/|\/\/[^\n]*/g, " ");
  const lines = "\n".repeat(statement.split("\n").length - 1);
  const match = IMPORT.exec(text);
  if (!match) return null;
  const [, byDefault, all, braces = ""] = match;
  const names: string[] = byDefault ? [`default: ${byDefault}`] : [];
  for (const part of braces.split(",")) {
    const trimmed = part.trim();
    if (trimmed === "") continue;
    const name = NAME.exec(trimmed);
    if (!name) return null;
    names.push(name[2] ? `${name[1]}: ${name[2]}` : name[1]!);
  }
  const taken = names.length > 0 ? [`{ ${names.join(", ")} } = ${namespace}`] : [];
  if (all) taken.push(`${all} = ${namespace}`);
  return taken.length > 0 ? `const ${taken.join(", ")}${lines}` : `void 0${lines}`;
}

/** The graph of a program's modules: who imports whom, cycles, linking order. */

/** Module path → paths that it imports. */
export type Edges = ReadonlyMap<string, readonly string[]>;

/**
 * Path that `specifier` names when `from` imports it, or null if it is not a
 * relative path or leads out of the source folder.
 */
export function resolveImport(from: string, specifier: string): string | null {
  if (!specifier.startsWith("./") && !specifier.startsWith("../")) return null;
  const parts = from.split("/").slice(0, -1);
  for (const part of specifier.split("/")) {
    if (part === "." || part === "") continue;
    if (part !== "..") parts.push(part);
    else if (parts.pop() === undefined) return null;
  }
  return parts.join("/");
}

/** A cycle as `[a, b, a]`, or null. Only what `roots` reach is looked at. */
export function findCycle(edges: Edges, roots: Iterable<string>): string[] | null {
  const done = new Set<string>();
  const path: string[] = [];
  const visit = (module: string): string[] | null => {
    if (done.has(module)) return null;
    const at = path.indexOf(module);
    if (at >= 0) return [...path.slice(at), module];
    path.push(module);
    for (const next of edges.get(module) ?? []) {
      const cycle = visit(next);
      if (cycle) return cycle;
    }
    path.pop();
    done.add(module);
    return null;
  };
  for (const root of roots) {
    const cycle = visit(root);
    if (cycle) return cycle;
  }
  return null;
}

/** Modules that `entry` reaches, each after all that it imports but for cycles. */
export function dependencyOrder(edges: Edges, entry: string): string[] {
  const order = new Set<string>();
  const entered = new Set<string>();
  const visit = (module: string) => {
    if (entered.has(module)) return;
    entered.add(module);
    for (const next of edges.get(module) ?? []) visit(next);
    order.add(module);
  };
  visit(entry);
  return [...order];
}

/** `changed` and every module that imports one of them, near or far. */
export function withImporters(edges: Edges, changed: Iterable<string>): Set<string> {
  const importers = new Map<string, string[]>();
  for (const [module, imports] of edges) {
    for (const imported of imports) {
      const list = importers.get(imported);
      if (list) list.push(module);
      else importers.set(imported, [module]);
    }
  }
  const found = new Set(changed);
  for (const module of found) {
    for (const importer of importers.get(module) ?? []) found.add(importer);
  }
  return found;
}

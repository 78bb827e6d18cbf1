/**
 * The import graph is the architecture (design.md's table): components meet
 * only at the API server. Reads every import of sim/ and src/.
 */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { describe, expect, it } from "vitest";

const root = join(import.meta.dirname, "..");
const sim = join(root, "sim/src");

/** Module (first folder under sim/src) → modules that it may import. */
const component = ["kernel", "api", "client"];
const MAY_IMPORT: Record<string, string[]> = {
  kernel: [],
  api: ["kernel"],
  etcd: ["kernel", "api"],
  csi: ["kernel", "api"],
  network: ["kernel", "api"],
  view: ["kernel", "api"],
  cni: ["kernel", "api", "network"],
  cri: ["kernel", "api", "network", "cni"],
  apiserver: ["kernel", "api", "etcd"],
  client: ["kernel", "api"],
  controllers: component,
  cloud: component,
  scheduler: component,
  kubectl: component,
  kubelet: [...component, "cri", "csi"],
  "kube-proxy": [...component, "network"],
  networks: [...component, "network"],
  storage: [...component, "csi"],
  webhooks: ["kernel", "api"],
  operators: component,
};
/** Files that join the parts and may know them all. */
const JOINERS = /^(cluster|session|index|process|core|scenario|parts)\b.*\.ts$|^(cluster|parts)\//;

interface Import {
  from: string;
  to: string;
  typeOnly: boolean;
}

function importsOf(folder: string): Import[] {
  const found: Import[] = [];
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !/\.tsx?$/.test(entry.name)) continue;
    const file = join(entry.parentPath, entry.name);
    const text = readFileSync(file, "utf8").replace(/\/\*[\s\S]*?\*\//g, "");
    const pattern =
      /(?:^|\n)\s*(?:import|export)\s(?:(type)\s)?[^;"']*?from\s*["']([^"']+)["']|import\(\s*["']([^"']+)["']\s*\)|(?:^|\n)import\s*["']([^"']+)["']/g;
    for (const m of text.matchAll(pattern)) {
      found.push({ from: file, to: (m[2] ?? m[3] ?? m[4])!, typeOnly: m[1] === "type" });
    }
  }
  return found;
}

const simImports = importsOf(sim);
const place = (i: Import) => `${relative(root, i.from)} → ${i.to}`;

describe("who imports whom", () => {
  it("sim/src imports only its own files, by relative path with .ts", () => {
    expect(simImports.length).toBeGreaterThan(20);
    const bad = simImports.filter((i) => {
      const target = relative(sim, join(dirname(i.from), i.to));
      return !i.to.startsWith(".") || !i.to.endsWith(".ts") || target.startsWith("..");
    });
    expect(bad.map(place)).toEqual([]);
  });

  it("modules import only what the table allows", () => {
    const bad = simImports.filter((i) => {
      const from = relative(sim, i.from);
      if (JOINERS.test(from)) return false;
      const module = from.split("/")[0]!;
      const target = relative(sim, join(dirname(i.from), i.to));
      const other = target.split("/")[0]!;
      if (module === other && module !== "controllers") return false;
      if (module === "controllers" && other === "controllers")
        return crossesControllers(from, target);
      if (module === "kubelet" && (other === "cri" || other === "csi")) {
        return !i.typeOnly && !/\/(api|interface|errors)\.ts$/.test(target);
      }
      return !(MAY_IMPORT[module] ?? []).includes(other);
    });
    expect(bad.map(place)).toEqual([]);
  });

  it("has no cycle, so that an edited module can be linked", () => {
    const edges = new Map<string, string[]>();
    for (const i of simImports) {
      if (i.typeOnly) continue;
      const from = relative(sim, i.from);
      const to = relative(sim, join(dirname(i.from), i.to));
      edges.set(from, [...(edges.get(from) ?? []), to]);
    }
    expect(findCycle(edges)).toEqual([]);
  });

  it("the site and sim/node import the simulator's public entries alone", () => {
    const outside = [...importsOf(join(root, "src")), ...importsOf(join(root, "sim/node"))];
    const bad = outside.filter((i) => {
      if (i.typeOnly) return false;
      if (i.to.startsWith("@shikumi/sim/")) return i.to !== "@shikumi/sim/view";
      const target = relative(sim, join(dirname(i.from), i.to));
      const isInside = i.to.startsWith(".") && !target.startsWith("..");
      return isInside && !/^(index|process|view\/index)\.ts$/.test(target);
    });
    expect(bad.map(place)).toEqual([]);
  });

  it("what a page loads holds no simulator: it reads runs by the view alone", () => {
    const pageCode = [...importsOf(join(root, "src")), ...importsOf(join(root, "content"))];
    const values = pageCode.filter((i) => !i.typeOnly);
    const byFile = Map.groupBy(values, (i) => i.from);
    const isStart = (file: string) =>
      /\.tsx$|\/lab\.ts$/.test(file) || file.startsWith(join(root, "src/client/"));
    const reached = new Set([...byFile.keys()].filter(isStart));
    for (const file of reached) {
      for (const i of byFile.get(file) ?? [])
        if (i.to.startsWith(".")) reached.add(join(dirname(file), i.to));
    }
    const bad = [...reached].flatMap((file) =>
      (byFile.get(file) ?? []).filter((i) => i.to === "@shikumi/sim"),
    );
    expect(reached).toContain(join(root, "src/sandbox/store.ts"));
    expect(bad.map(place)).toEqual([]);
  });
});

/** A controller may import its own folder and the shared helpers, no other. */
function crossesControllers(from: string, target: string): boolean {
  const own = from.split("/")[1]!.replace(/\.ts$/, "");
  const other = target.split("/")[1]!.replace(/\.ts$/, "");
  const joins = own === "manager" || own === "initializers";
  return !joins && other !== own && other !== "shared";
}

function findCycle(edges: Map<string, string[]>): string[] {
  const state = new Map<string, "open" | "done">();
  const path: string[] = [];
  const visit = (file: string): string[] => {
    if (state.get(file) === "done") return [];
    if (state.get(file) === "open") return [...path.slice(path.indexOf(file)), file];
    state.set(file, "open");
    path.push(file);
    for (const next of edges.get(file) ?? []) {
      const cycle = visit(next);
      if (cycle.length > 0) return cycle;
    }
    path.pop();
    state.set(file, "done");
    return [];
  };
  for (const file of edges.keys()) {
    const cycle = visit(file);
    if (cycle.length > 0) return cycle;
  }
  return [];
}

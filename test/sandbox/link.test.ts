import { describe, expect, it } from "vitest";
import {
  dependencyOrder,
  findCycle,
  resolveImport,
  withImporters,
} from "../../src/sandbox/runtime/graph.ts";
import { hashText } from "../../src/sandbox/runtime/hash.ts";
import { editedModules, LinkError, link } from "../../src/sandbox/runtime/link.ts";
import type { SimGraph } from "../../src/sandbox/runtime/manifest.ts";
import { type CompiledModule, compile } from "../../src/sandbox/runtime/transpile.ts";
import type { RunError } from "../../src/sandbox/runtime/types.ts";

const SOURCES: Record<string, string> = {
  "kernel.ts": "export class Kernel {}\nexport interface Options {}\n",
  "names.ts": 'export const podName = (owner: string) => owner.concat("-1");\n',
  "set.ts":
    'import type { Kernel } from "./kernel.ts";\nimport { podName } from "./names.ts";\nexport const sync = (k: Kernel) => podName("a");\n',
  "apart.ts": "export const apart = 1;\n",
  "all.ts": 'export * from "./kernel.ts";\nexport * from "./names.ts";\n',
  "index.ts":
    'import { sync } from "./set.ts";\nimport { Kernel } from "./all.ts";\nexport const run = () => sync(new Kernel());\n',
};

const modules: Record<string, CompiledModule> = {};
for (const [path, source] of Object.entries(SOURCES)) {
  modules[path] = (await compile(path, source)) as CompiledModule;
}
const graph: SimGraph = {
  "kernel.ts": leaf("kernel.ts", ["Kernel"]),
  "names.ts": leaf("names.ts", ["podName"]),
  "apart.ts": leaf("apart.ts", ["apart"]),
  "set.ts": {
    ...leaf("set.ts", ["sync"]),
    imports: ["names.ts"],
    takes: { "names.ts": ["podName"] },
  },
  "all.ts": {
    ...leaf("all.ts", ["Kernel", "podName"]),
    imports: ["kernel.ts", "names.ts"],
    takes: { "kernel.ts": ["*"], "names.ts": ["*"] },
    stars: ["kernel.ts", "names.ts"],
  },
  "index.ts": {
    ...leaf("index.ts", ["run"]),
    imports: ["set.ts", "all.ts"],
    takes: { "set.ts": ["sync"], "all.ts": ["Kernel"] },
  },
};

function leaf(path: string, exports: string[]) {
  const hash = hashText(SOURCES[path]!);
  return { imports: [], takes: {}, stars: [], exports, bundled: path !== "apart.ts", hash };
}

const loaded: string[] = [];
const source = {
  entry: "index.ts",
  graph: async () => graph,
  modules: async () => {
    loaded.push("modules");
    return modules;
  },
  compiler: async () => {
    loaded.push("compiler");
    return compile;
  },
};

async function errorsOf(files: Record<string, string>): Promise<readonly RunError[]> {
  const error = await link(source, files).catch((thrown) => thrown);
  expect(error).toBeInstanceOf(LinkError);
  return error.errors;
}

describe("the graph of modules", () => {
  it("resolves relative paths alone, and none that leads out", () => {
    expect(resolveImport("a/b/c.ts", "../d.ts")).toBe("a/d.ts");
    expect(resolveImport("a.ts", "./b/c.ts")).toBe("b/c.ts");
    expect(resolveImport("a.ts", "../b.ts")).toBeNull();
    expect(resolveImport("a.ts", "node:fs")).toBeNull();
    expect(resolveImport("a.ts", "/etc/passwd")).toBeNull();
  });

  it("finds a cycle and names it from its first module", () => {
    const edges = new Map([
      ["a", ["b"]],
      ["b", ["c"]],
      ["c", ["b"]],
    ]);
    expect(findCycle(edges, ["a"])).toEqual(["b", "c", "b"]);
    expect(findCycle(new Map([["a", ["b"]]]), ["a"])).toBeNull();
    expect(findCycle(new Map([["a", ["a"]]]), ["a"])).toEqual(["a", "a"]);
  });

  it("orders modules after what they import, and follows importers far", () => {
    const edges = new Map(Object.entries(graph).map(([path, { imports }]) => [path, imports]));
    const order = dependencyOrder(edges, "index.ts");
    for (const [path, { imports }] of Object.entries(graph)) {
      for (const one of imports) expect(order.indexOf(one)).toBeLessThan(order.indexOf(path));
    }
    expect([...withImporters(edges, ["names.ts"])].sort()).toEqual([
      "all.ts",
      "index.ts",
      "names.ts",
      "set.ts",
    ]);
  });
});

describe("linking a program", () => {
  it("makes nothing afresh and loads nothing if nothing was edited", async () => {
    loaded.length = 0;
    expect((await link(source, {})).modules).toEqual([]);
    expect(
      (await link(source, { "set.ts": SOURCES["set.ts"]!, "x.yaml": "kind: Pod" })).modules,
    ).toEqual([]);
    expect(loaded).toEqual([]);
  });

  it("makes afresh the edited module and all that import it, in order", async () => {
    const files = { "sim/src/set.ts": `${SOURCES["set.ts"]}// edited\n` };
    const { modules, entry } = await link(source, files);
    expect(entry).toBe("index.ts");
    expect(modules.map(({ id }) => id)).toEqual(["set.ts", "index.ts"]);
    const [set] = modules;
    const { start, end, from, to, id } = set!.imports[0]!;
    expect(set!.code.slice(start, end)).toBe("./names.ts");
    expect(set!.code.slice(from, to)).toBe('import { podName } from "./names.ts"');
    expect(id).toBe("names.ts");
  });

  it("makes afresh what an edit imports and the bundle lacks", async () => {
    const files = { "names.ts": 'export { apart as podName } from "./apart.ts";\n' };
    const { modules } = await link(source, files);
    expect(modules.map(({ id }) => id)).toEqual([
      "apart.ts",
      "names.ts",
      "set.ts",
      "all.ts",
      "index.ts",
    ]);
  });

  it("takes in a new module, and leaves out one that nobody imports", async () => {
    const files = {
      "extra.ts": "export const extra = 1;\n",
      "lonely.ts": "export const lonely = 1;\n",
      "names.ts": 'export { extra as podName } from "./extra.ts";\n',
    };
    const { modules } = await link(source, files);
    expect(modules.map(({ id }) => id)).toEqual([
      "extra.ts",
      "names.ts",
      "set.ts",
      "all.ts",
      "index.ts",
    ]);
  });

  it("sees new names through an unedited `export *`", async () => {
    const files = {
      "names.ts": `${SOURCES["names.ts"]}export const more = 1;\n`,
      "set.ts": 'import { more } from "./all.ts";\nexport const sync = () => more;\n',
    };
    expect((await link(source, files)).modules.map(({ id }) => id)).toContain("all.ts");
  });

  it("knows an edit by its text", () => {
    expect([...editedModules(graph, SOURCES).keys()]).toEqual([]);
    expect([...editedModules(graph, { "names.ts": " " }).keys()]).toEqual(["names.ts"]);
    expect([...editedModules(graph, { "toString.ts": "" }).keys()]).toEqual(["toString.ts"]);
  });
});

describe("what is wrong with a program", () => {
  it("is a syntax error at its line", async () => {
    const [error] = await errorsOf({ "names.ts": "export const a = 1;\nexport const = 2;\n" });
    expect(error).toMatchObject({ kind: "syntax", file: "names.ts", line: 2, fatal: true });
  });

  it("is an import cycle, named with the statement that closes it", async () => {
    const text =
      '// Round and round.\nimport { sync } from "./set.ts";\nexport const podName = sync;\n';
    const [error] = await errorsOf({ "names.ts": text });
    expect(error).toMatchObject({ kind: "cycle", file: "names.ts", line: 2, column: 23 });
    expect(error!.params).toEqual({ path: "names.ts → set.ts → names.ts" });
  });

  it("is not a cycle of types alone", async () => {
    const text =
      'import type { sync } from "./set.ts";\nexport const podName = (s: typeof sync) => "x";\n';
    expect((await link(source, { "names.ts": text })).modules).toHaveLength(4);
  });

  it("is an unknown import, with the ending that was forgotten", async () => {
    const [error] = await errorsOf({
      "names.ts": 'import { Kernel } from "./kernel";\nexport const podName = Kernel;\n',
    });
    expect(error).toMatchObject({
      kind: "unknown-import",
      line: 1,
      params: { specifier: "./kernel", suggestion: "./kernel.ts" },
    });
    const [bare] = await errorsOf({
      "names.ts": 'import fs from "node:fs";\nexport const podName = fs;\n',
    });
    expect(bare).toMatchObject({
      kind: "unknown-import",
      params: { specifier: "node:fs", suggestion: "" },
    });
  });

  it("is a name that is not there: taken by the edit, or taken from it", async () => {
    const [wanted] = await errorsOf({
      "set.ts": 'import { podname } from "./names.ts";\nexport const sync = podname;\n',
    });
    expect(wanted).toMatchObject({
      kind: "missing-export",
      file: "set.ts",
      line: 1,
      params: { name: "podname" },
    });
    const [gone] = await errorsOf({ "names.ts": "export const other = 1;\n" });
    expect(gone).toMatchObject({
      kind: "missing-export",
      file: "names.ts",
      params: { name: "podName", importer: "set.ts" },
    });
    const [typeOnly] = await errorsOf({
      "set.ts": 'import { Options } from "./kernel.ts";\nexport const sync = Options;\n',
    });
    expect(typeOnly).toMatchObject({
      kind: "missing-export",
      params: { name: "Options", from: "kernel.ts" },
    });
  });

  it("is import(), which cannot be followed", async () => {
    const [error] = await errorsOf({
      "names.ts": '\nexport const podName = () => import("./kernel.ts");\n',
    });
    expect(error).toMatchObject({ kind: "dynamic-import", file: "names.ts", line: 2 });
  });

  it("is a file that is too large", async () => {
    const [error] = await errorsOf({ "names.ts": `// ${"x".repeat(400_001)}` });
    expect(error).toMatchObject({ kind: "too-large", file: "names.ts" });
  });

  it("is told of all files at once", async () => {
    const errors = await errorsOf({ "names.ts": "export const = 1", "set.ts": "enum A { b }" });
    expect(errors.map(({ file, kind }) => [file, kind])).toEqual([
      ["names.ts", "syntax"],
      ["set.ts", "non-erasable"],
    ]);
  });
});

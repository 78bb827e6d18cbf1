import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createContext, runInContext } from "node:vm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildSim } from "../../scripts/build-sim.ts";
import { hashText } from "../../src/sandbox/runtime/hash.ts";
import type { SimGraph, SimManifest } from "../../src/sandbox/runtime/manifest.ts";
import { BOOT_SCRIPT, FRAME_PAGE } from "../../src/sandbox/runtime/worker/frame-page.ts";
import { buildMiniSim, miniSimSource } from "../browser/support/mini-sim.ts";

describe("the built simulator", () => {
  const folder = mkdtempSync(join(tmpdir(), "built-sim-"));
  const out = join(folder, "sim");
  let manifest: SimManifest;
  const readFile = (name: string) => readFileSync(join(out, name), "utf8");
  const read = (file: "core" | "graph") => readFile(manifest.files[file]);
  const readAll = (kind: "modules" | "sources") => {
    const files = Object.values(manifest.files[kind]).map((name) => JSON.parse(readFile(name)));
    return Object.assign({}, ...files);
  };

  beforeAll(async () => {
    manifest = await buildMiniSim(out);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it("gives each module's namespace by path, once", () => {
    const scope = createContext({}) as { __sim?: Record<string, Record<string, unknown>> };
    runInContext(read("core"), scope);
    const { __sim } = scope;
    expect(__sim!["kernel/index.ts"]!.Kernel).toBe(__sim!["index.ts"]!.Kernel);
    const graph: SimGraph = JSON.parse(read("graph"));
    expect(Object.keys(graph)).toHaveLength(manifest.modules);
    for (const [path, { exports, bundled }] of Object.entries(graph)) {
      expect(bundled && Object.keys(__sim![path]!).sort(), path).toEqual(bundled && exports);
    }
    expect(Object.keys(__sim!)).not.toContain("kernel/disk.ts"); // The entry does not reach it.
  });

  it("holds each source as it is, and its JavaScript line by line", () => {
    const graph: SimGraph = JSON.parse(read("graph"));
    const sources = readAll("sources");
    const modules = readAll("modules");
    expect(Object.keys(modules).sort()).toEqual(Object.keys(graph).sort());
    expect(Object.keys(manifest.files.modules).sort()).toEqual([
      "",
      "controllers",
      "kernel",
      "view",
    ]);
    for (const [path, { hash }] of Object.entries(graph)) {
      expect(hashText(sources[path])).toBe(hash);
      expect(modules[path].code.split("\n").length, path).toBe(sources[path].split("\n").length);
    }
  });

  it("names its files by what is in them", async () => {
    const again = await buildMiniSim(`${out}-again`);
    rmSync(`${out}-again`, { recursive: true });
    expect(again).toEqual(manifest);
  });

  it("gives the hash of the frame's script for a site's own policy", () => {
    const [, script] = /<script>([\s\S]*)<\/script>/.exec(FRAME_PAGE)!;
    expect(script).toBe(BOOT_SCRIPT);
    expect(manifest.bootScript).toBe(
      `sha256-${createHash("sha256").update(script!).digest("base64")}`,
    );
  });
});

describe("building the simulator fails", () => {
  const failWith = async (files: Record<string, string>): Promise<string> => {
    const src = miniSimSource();
    for (const [path, text] of Object.entries(files)) writeFileSync(join(src, path), text);
    const out = join(src, "out");
    const error = await buildSim({ src, entry: "index.ts", out }).catch((thrown) => thrown);
    rmSync(src, { recursive: true });
    return error instanceof Error ? error.message : "it was built";
  };

  it("on an import cycle, naming its files", async () => {
    const files = { "a.ts": 'import "./b.ts";', "b.ts": 'import "./a.ts";' };
    expect(await failWith(files)).toContain("import cycle a.ts → b.ts → a.ts");
  });

  it("but not on a cycle of types", async () => {
    const files = {
      "a.ts": 'import type { B } from "./b.ts";\nexport interface A { b: B }',
      "b.ts": 'import type { A } from "./a.ts";\nexport interface B { a: A }',
    };
    expect(await failWith(files)).toBe("it was built");
  });

  it("on an import of what is not there, on an exported let, on more than types", async () => {
    expect(await failWith({ "a.ts": 'import "./nothing.ts";' })).toContain(
      "a.ts imports ./nothing.ts",
    );
    expect(await failWith({ "a.ts": "export let a = 1;" })).toContain("a.ts: exports a `let`");
    expect(await failWith({ "a.ts": "\nenum A { b }" })).toContain(
      "a.ts:2: enum is more than a type",
    );
  });
});

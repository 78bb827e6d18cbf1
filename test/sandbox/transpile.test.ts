import { describe, expect, it } from "vitest";
import { asConstants } from "../../src/sandbox/runtime/bindings.ts";
import { findNonErasable } from "../../src/sandbox/runtime/erasable.ts";
import { asScript } from "../../src/sandbox/runtime/script.ts";
import { type CompiledModule, compile } from "../../src/sandbox/runtime/transpile.ts";

const constructs = (source: string) => findNonErasable(source).map(({ construct }) => construct);

describe("syntax that is more than types", () => {
  it.each([
    ["enum A { x }", "enum"],
    ["const enum A { x }", "enum"],
    ["export enum A {}", "enum"],
    ["namespace N { export const x = 1 }", "namespace"],
    ["export namespace N {}", "namespace"],
    ["module M { export const x = 1 }", "namespace"],
    ["class K { constructor(private a: number) {} }", "parameter-property"],
    ["class K { constructor(readonly a = 1) {} }", "parameter-property"],
    ['import x = require("y");', "import-equals"],
    ["const x = 1;\nexport = x;", "export-equals"],
  ])("is found: %s", async (source, construct) => {
    expect(constructs(source)).toEqual([construct]);
    expect(await compile("a.ts", source)).toMatchObject([{ kind: "non-erasable" }]);
  });

  it.each([
    "declare enum A { x }",
    "declare namespace N { const x: number }",
    'declare module "m" { const x: number }',
    "class K { private a = 1; readonly b = 2; constructor(a: number) {} m(readonly: number) {} }",
    "const o = { enum: 1, namespace: 2 }; o.enum;",
    "type T = { readonly a: string }; const f = (x: readonly string[]) => x;",
    "abstract class K { abstract m(): void; declare y: number }",
    "const x = y as const satisfies Z; export default x;",
  ])("is not found in: %s", (source) => {
    expect(constructs(source)).toEqual([]);
  });
});

describe("compiling a module", () => {
  const read = async (source: string) => (await compile("a.ts", source)) as CompiledModule;

  it("keeps every line where it was", async () => {
    const source =
      "interface A {\n  b: string;\n}\nexport const a = (\n  b: A,\n): string => b.b;\n";
    const lines = (await read(source)).code.split("\n");
    expect(lines).toHaveLength(source.split("\n").length);
    expect(lines[3]).toMatch(/^export const a = \(/);
  });

  it("lists what is imported and exported at run time", async () => {
    const { imports, exports, stars } = await read(`
import type { T } from "./t.ts";
import D, { a as b, type U } from "./d.ts";
import * as all from "./all.ts";
import "./effect.ts";
export { c as d } from "./c.ts";
export * from "./star.ts";
export * as ns from "./ns.ts";
export const x = 1; export default class {}
export type V = string;
`);
    expect(imports.map(({ specifier, names }) => [specifier, names])).toEqual([
      ["./d.ts", ["default", "a"]],
      ["./all.ts", ["*"]],
      ["./effect.ts", []],
      ["./c.ts", ["c"]],
      ["./star.ts", ["*"]],
      ["./ns.ts", ["*"]],
    ]);
    expect([...exports].sort()).toEqual(["d", "default", "ns", "x"]);
    expect(stars).toEqual(["./star.ts"]);
  });
});

describe("a module as a plain script", () => {
  const lineOf = (code: string): string => {
    try {
      new Function(`return ${asScript(code)}`);
      return "parses";
    } catch (error) {
      return (error as Error).message;
    }
  };

  it("parses if the module does, whatever it imports and exports", () => {
    const code = `import D, { a } from "./d.ts";
import * as all
  from "./all.ts";
import "./effect.ts";
export { a as b };
export * from "./star.ts";
export const x = await Promise.resolve(1);
export default function f() {}
export class K {}
`;
    expect(lineOf(code)).toBe("parses");
    expect(asScript(code).split("\n")).toHaveLength(code.split("\n").length + 1);
  });

  it("keeps an error of the engine's", () => {
    expect(lineOf("export const a = 1;\nconst a = 2;\n")).toContain("already been declared");
  });
});

describe("an import of a bundled module", () => {
  it.each([
    ['import { a } from "./x.ts"', "const { a } = N"],
    ['import { a as b, default as c, } from "./x.ts"', "const { a: b, default: c } = N"],
    ['import D from "./x.ts"', "const { default: D } = N"],
    ['import D, { a } from "./x.ts"', "const { default: D, a } = N"],
    ['import D, * as all from "./x.ts"', "const { default: D } = N, all = N"],
    ['import * as all from "./x.ts"', "const all = N"],
    ['import {\n  a, // first\n  b,\n} from "./x.ts"', "const { a, b } = N\n\n\n"],
    ["import {  } from './x.ts'", "void 0"],
  ])("becomes constants: %s", (statement, constants) => {
    expect(asConstants(statement, "N")).toBe(constants);
  });

  it.each([
    'export { a } from "./x.ts"',
    'export * from "./x.ts"',
    'import "./x.ts"',
    'import { "a b" as c } from "./x.ts"',
  ])("stays an import: %s", (statement) => {
    expect(asConstants(statement, "N")).toBeNull();
  });
});

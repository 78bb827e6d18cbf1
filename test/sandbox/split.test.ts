import { describe, expect, it } from "vitest";
import { splitModule } from "../../scripts/sim/split.ts";

/** Splits `text` when a run called the functions of these names alone. */
function split(text: string, ...called: string[]) {
  const ranges = called.map((name): [number, number] => {
    const start = text.indexOf(`function ${name}`);
    return [start, text.indexOf("\n}\n", start) + 2];
  });
  return splitModule("a.ts", text, { called: ranges, unreached: [] }, 7);
}

const COLD = `export function cold(list: string[]): string[] {
  return list.filter((one) => one.startsWith(NAMES[0]!) && one.length > LEAST.size);
}
`;
const HOT = `export function hot(): number {
  return 1;
}
`;

describe("a module in two halves", () => {
  it("leaves a call of what moved where it was, line by line", () => {
    const text = `import { flags } from "./flags.ts";\nconst NAMES = ["x"];\nconst LEAST = new Set();\n${COLD}${HOT}`;
    const { hot, cold, functions } = split(text, "hot");
    expect(functions).toEqual([{ id: 7, exported: "cold" }]);
    expect(hot).toContain("export function cold(...$a) { return $late(7, $a, this); }");
    expect(hot).toContain("return 1;");
    expect(cold).toContain("$late.f[7] = cold;");
    const lineOf = (half: string, what: string) =>
      half.slice(0, half.indexOf(what)).split("\n").length;
    expect(lineOf(cold, "return list.filter")).toBe(lineOf(text, "return list.filter"));
    expect(lineOf(hot, "return 1;")).toBe(lineOf(text, "return 1;"));
  });

  const moves = (names: string, more = "") => {
    const text = `import { flags } from "./flags.ts";\n${names}\nconst LEAST = new Set();\n${COLD}${HOT}${more}`;
    const { hot, cold, inner } = split(text, "hot", "warm");
    expect(hot.includes("NAMES =")).not.toBe(cold.includes("NAMES ="));
    return cold.includes("NAMES =") && !inner.includes("NAMES");
  };

  it("moves a constant that only what moved reads", () => {
    expect(moves(`const NAMES = ["x"];`)).toBe(true);
    expect(moves(`const NAMES = flags("x", { y: 1 });`)).toBe(true);
    expect(moves(`const NAMES = "x y".split(" ");`)).toBe(true);
    expect(moves(`const NAMES = Object.freeze(["x"]);`)).toBe(true);
  });

  it("leaves one that is read elsewhere, that can change, or that is made where more may happen", () => {
    expect(moves(`const NAMES = ["x"];`, "export function warm() {\n  return NAMES;\n}\n")).toBe(
      false,
    );
    expect(moves(`let NAMES = ["x"];`)).toBe(false);
    expect(moves(`export const NAMES = ["x"];`)).toBe(false);
    expect(moves(`const NAMES = new Registry();`)).toBe(false);
    expect(moves("const NAMES = globalThis.names();")).toBe(false);
  });
});

/** The package as others import it: each entry loads, and each public name is told of. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { simulatorApi } from "../../src/lib/simulator-api.ts";

const { exports } = JSON.parse(readFileSync("sim/package.json", "utf8")) as {
  exports: Record<string, string>;
};
const entries = Object.entries(exports).filter(([, file]) => file.endsWith(".ts"));

describe("@shikumi/sim", () => {
  it.each(entries)("%s can be imported", async (_path, file) => {
    const module = await import(/* @vite-ignore */ join(process.cwd(), "sim", file));
    expect(Object.keys(module).length).toBeGreaterThan(0);
  });

  const api = simulatorApi();

  it("has a docstring for every public name", () => {
    const names = api.flatMap((entry) => entry.names);
    expect(names.length).toBeGreaterThan(50);
    expect(names.filter(({ doc }) => doc === "").map(({ name }) => name)).toEqual([]);
  });

  it("shows members of classes that others may call, and no others", () => {
    const names = api.flatMap((entry) => entry.names);
    const kernel = names.find(({ name }) => name === "Kernel");
    expect(kernel?.declaration).toMatch(/^class Kernel \{/);
    expect(kernel?.declaration).toContain("after(delayMs: number, run: () => void): Timer;");
    expect(kernel?.declaration).not.toMatch(/private|nextStep/);
  });
});

/** Files fit on a screen: readers edit them. See the budgets in the style guide. */
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { describe, expect, it } from "vitest";

const sim = join(import.meta.dirname, "../sim/src");
const files = readdirSync(sim, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && entry.name.endsWith(".ts"))
  .map((entry) => join(entry.parentPath, entry.name))
  .map((file) => ({ name: relative(sim, file), text: readFileSync(file, "utf8") }));

/** Lines a file may have; one that says `Longer because:` in its header, more. */
const LINES = 220;
const LINES_WITH_REASON = 420;

describe("the shape of sim/src", () => {
  it("keeps files short, or says why not", () => {
    const long = files.filter(({ text }) => {
      const lines = text.split("\n").length;
      const reason = /Longer because:/.test(text.slice(0, 1500));
      return lines > (reason ? LINES_WITH_REASON : LINES);
    });
    expect(long.map(({ name, text }) => `${name}: ${text.split("\n").length}`)).toEqual([]);
  });

  it("opens each file with what it is", () => {
    const bare = files.filter(({ text }) => !text.startsWith("/**") && !text.startsWith("/*"));
    expect(bare.map(({ name }) => name)).toEqual([]);
  });

  it("reads no wall clock and no unseeded chance", () => {
    const pattern =
      /Date\.now|new Date\(\)|Math\.random|performance\.now|setTimeout|setInterval|crypto\.randomUUID/;
    const code = (text: string) => text.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, "");
    const bad = files.filter(({ text }) => pattern.test(code(text)));
    expect(bad.map(({ name }) => name)).toEqual([]);
  });

  it("escapes from no type", () => {
    const pattern = /\bas any\b|: any\b|@ts-(ignore|nocheck|expect-error)|as unknown as/;
    const bad = files.filter(({ text }) => pattern.test(text));
    expect(bad.map(({ name }) => name)).toEqual([]);
  });

  it("exports no `then`: such a module could not be imported dynamically", () => {
    const bad = files.filter(({ text }) =>
      /export (async )?(function|const|let) then\b/.test(text),
    );
    expect(bad.map(({ name }) => name)).toEqual([]);
  });
});

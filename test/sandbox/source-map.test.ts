import { build } from "esbuild";
import { describe, expect, it } from "vitest";
import { SourceMap } from "../../src/sandbox/runtime/source-map.ts";
import { framesOf } from "../../src/sandbox/runtime/stack.ts";

const SOURCE = `/** Three lines
 * of header. */
function inner(n: number): string {
  return new Error(String(n)).stack ?? "";
}
export function outer(n: number): string {
  inner(n);
  return inner(n + 1);
}
(globalThis as { stackHere?: string }).stackHere = outer(1);
`;

describe("the source map of the bundle", () => {
  it("leads each frame of a minified script back to its line", async () => {
    const { outputFiles } = await build({
      stdin: { contents: SOURCE, loader: "ts", sourcefile: "a/b.ts" },
      bundle: true,
      minify: true,
      write: false,
      format: "iife",
      sourcemap: "external",
      outfile: "core.js",
    });
    const [map, core] = outputFiles.map(({ text }) => text) as [string, string];
    new Function(`${core}\n//# sourceURL=sim-core:///core.js`)();
    const { stackHere } = globalThis as { stackHere?: string };
    // The function that runs it puts two lines before the first.
    const stack = stackHere!.replace(/core\.js:(\d+):/g, (_, line) => `core.js:${line - 2}:`);
    const places = framesOf(stack, () => new SourceMap(map)).map(
      ({ file, line }) => `${file}:${line}`,
    );
    expect(places.slice(0, 3)).toEqual(["a/b.ts:4", "a/b.ts:8", "a/b.ts:10"]);
    expect(framesOf(stack)).toEqual([]);
  });

  it("gives nothing for a place outside", () => {
    const map = new SourceMap('{"sources":["a.ts"],"mappings":";EAAA"}');
    expect(map.place(1, 1)).toBeNull();
    expect(map.place(2, 1)).toBeNull();
    expect(map.place(2, 9)).toEqual({ file: "a.ts", line: 1, column: 1 });
    expect(map.place(9, 9)).toBeNull();
  });
});

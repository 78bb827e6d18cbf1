/** Makes one script of many modules: bundled, minified, mapped to its sources. */
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { type BuildOptions, build, type OutputFile } from "esbuild";
import { minify } from "terser";

export interface BuiltScript {
  readonly code: string;
  readonly map: string;
}

/** Bundles what `options` name; esbuild joins, terser makes it small, in so many passes. */
export async function buildScript(
  src: string,
  options: BuildOptions,
  passes = 1,
): Promise<BuiltScript> {
  const result = await build({
    ...options,
    bundle: true,
    minifySyntax: true,
    write: false,
    format: "iife",
    target: "es2022",
    legalComments: "none",
    charset: "utf8",
    logLevel: "silent",
    sourcemap: "external",
    sourcesContent: false,
    absWorkingDir: src,
    tsconfigRaw: { compilerOptions: {} },
    outfile: join(src, "core.js"), // Not written: the map's paths count from here.
  });
  const textOf = (ending: string) =>
    result.outputFiles!.find(({ path }: OutputFile) => path.endsWith(ending))!.text;
  const joined = JSON.parse(textOf(".map")) as { sources: string[] };
  joined.sources = joined.sources.map((path) => path.replace(/^(cold|late):/, ""));
  const small = await minify(textOf(".js"), {
    ecma: 2020,
    compress: { ecma: 2020, passes, keep_fargs: false },
    mangle: true,
    format: { comments: false },
    sourceMap: { content: JSON.stringify(joined) },
  });
  return { code: small.code!, map: String(small.map) };
}

export function sizeOf(code: string): { min: number; gzip: number } {
  return { min: Buffer.byteLength(code), gzip: gzipSync(code, { level: 9 }).length };
}

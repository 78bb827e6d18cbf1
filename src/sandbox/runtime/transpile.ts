/**
 * TypeScript to JavaScript, a module at a time: types are erased, lines stay.
 * Loaded only when there is an edit to run (54 KiB with the module lexer), and
 * by the build, so that the page and the build read modules the same way.
 */
import { parse as lex } from "es-module-lexer/minimal/js";
import { transform } from "sucrase";
import { placeOf } from "./place.ts";
import { type RunError, runError } from "./types.ts";

export interface ModuleImport {
  readonly specifier: string;
  /** Where the specifier stands in `code`, without its quotes. */
  readonly start: number;
  readonly end: number;
  /** Where the whole statement stands, without its semicolon. */
  readonly from: number;
  readonly to: number;
  /** Names taken; `default` among them, `*` for all. */
  readonly names: readonly string[];
}

/** A module ready to be linked. */
export interface CompiledModule {
  readonly code: string;
  readonly imports: readonly ModuleImport[];
  /** Names exported, without those of `stars`. */
  readonly exports: readonly string[];
  /** Specifiers of `export * from`. */
  readonly stars: readonly string[];
}

/**
 * Words that syntax beyond types cannot do without. Most files have none of
 * them, and so spare the page the parser that knows for sure.
 */
const SUSPECT =
  /\benum\b|\b(namespace|module)\s+[\w"']|\bconstructor\s*\([\s\S]{0,600}?\b(public|private|protected|readonly|override)\s|\bimport\s+(type\s+)?[\w$]+\s*=|\bexport\s*=/;

/** Compiles `source`; gives the errors of the file instead if it has any. */
export async function compile(path: string, source: string): Promise<CompiledModule | RunError[]> {
  const refused = SUSPECT.test(source) ? await beyondTypes(path, source) : [];
  if (refused.length > 0) return refused;
  try {
    return read(path, erase(source));
  } catch (error) {
    return [syntaxError(path, source, error)];
  }
}

async function beyondTypes(path: string, source: string): Promise<RunError[]> {
  const { findNonErasable } = await import("./erasable.ts");
  return findNonErasable(source).map(({ construct, offset }) =>
    runError("non-erasable", `${construct} is more than a type`, {
      params: { construct },
      file: path,
      ...placeOf(source, offset),
    }),
  );
}

/** The source with its types blanked; throws with sucrase's `loc`. */
export function erase(source: string): string {
  return transform(source, {
    transforms: ["typescript"],
    disableESTransforms: true,
    preserveDynamicImport: true,
    keepUnusedImports: true,
  }).code;
}

function read(path: string, code: string): CompiledModule | RunError[] {
  const [found, exported] = lex(code, path);
  const imports: ModuleImport[] = [];
  const stars: string[] = [];
  const errors: RunError[] = [];
  for (const one of found) {
    if (one.d === -2) continue; // import.meta
    if (one.d >= 0 || one.n === undefined) {
      const place = placeOf(code, one.ss);
      errors.push(
        runError("dynamic-import", "import() cannot be followed", { file: path, ...place }),
      );
      continue;
    }
    const statement = code.slice(one.ss, one.se);
    if (/^export\s*\*\s*from/.test(statement)) stars.push(one.n);
    const names = namesIn(statement);
    imports.push({ specifier: one.n, start: one.s, end: one.e, from: one.ss, to: one.se, names });
  }
  if (errors.length > 0) return errors;
  return { code, imports, exports: exported.map((one) => one.n), stars };
}

/** Names that an import or re-export statement takes from its module. */
function namesIn(statement: string): string[] {
  const head = statement.replace(/\/\*[\s\S]*?\*\/|\/\/[^\n]*/g, " ");
  const names: string[] = [];
  if (/^import\s+[\w$]+\s*(,|from)/.test(head)) names.push("default");
  if (/^(import|export)[^{'"]*\*/.test(head)) names.push("*");
  const braces = /\{([^}]*)\}/.exec(head)?.[1] ?? "";
  for (const part of braces.split(",")) {
    const name = /^\s*([\w$]+)/.exec(part)?.[1];
    if (name) names.push(name);
  }
  return names;
}

function syntaxError(path: string, source: string, error: unknown): RunError {
  const { loc, idx } = error as { loc?: { line: number; column: number }; idx?: number };
  const message = error instanceof Error ? error.message : String(error);
  const text = message.replace(/^Error transforming [^:]*: /, "").replace(/ \(\d+:\d+\)$/, "");
  const place = loc ? { line: loc.line, column: loc.column } : placeOf(source, idx ?? 0);
  return runError("syntax", text, { file: path, ...place });
}

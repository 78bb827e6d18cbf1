/**
 * Checks code that stands in a lesson by doing with it what a reader would:
 * TypeScript is type-checked over the simulator, a manifest is applied to a
 * cluster, a query is run.
 */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { createSession } from "@shikumi/sim";
import { parse as parseToml } from "smol-toml";
import ts from "typescript";

const sim = resolve("sim/src");
const RUN_MS = 30_000;

/** Texts that lie over the simulator's files, by path under sim/src. */
export type Overlay = Readonly<Record<string, string>>;

/** Type-checks texts laid over the simulator, one after another, fast from the second on. */
class TypeChecker {
  private overlay = new Map<string, string>();
  private version = 0;
  private readonly service: ts.LanguageService;

  constructor() {
    const { config } = ts.readConfigFile("tsconfig.json", ts.sys.readFile);
    const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, ".");
    this.service = ts.createLanguageService({
      getCompilationSettings: () => ({ ...options, types: [] }),
      getScriptFileNames: () => [join(sim, "index.ts"), ...this.overlay.keys()],
      getScriptVersion: (path) => (this.overlay.has(path) ? `${this.version}` : "0"),
      getScriptSnapshot: (path) => {
        const text = this.overlay.get(path) ?? ts.sys.readFile(path);
        return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
      },
      getCurrentDirectory: () => process.cwd(),
      getDefaultLibFileName: ts.getDefaultLibFilePath,
      fileExists: (path) => this.overlay.has(path) || ts.sys.fileExists(path),
      readFile: (path) => this.overlay.get(path) ?? ts.sys.readFile(path),
    });
  }

  /** What the compiler has against the files, and against those that import them. */
  check(files: Overlay): string[] {
    this.version++;
    this.overlay = new Map(
      Object.entries(files).map(([path, text]) => [join(sim, path), text] as const),
    );
    const paths = [...this.overlay.keys()];
    const importers = this.service
      .getProgram()!
      .getSourceFiles()
      .filter(({ fileName, text }) =>
        paths.some(
          (path) => fileName.startsWith(sim) && text.includes(`/${path.split("/").at(-1)}"`),
        ),
      );
    return [...new Set([...paths, ...importers.map(({ fileName }) => fileName)])].flatMap((path) =>
      [
        ...this.service.getSyntacticDiagnostics(path),
        ...this.service.getSemanticDiagnostics(path),
      ].map(told),
    );
  }
}

function told({ file, start = 0, messageText }: ts.Diagnostic): string {
  const line = file ? file.getLineAndCharacterOfPosition(start).line + 1 : 0;
  return `${file?.fileName}:${line} ${ts.flattenDiagnosticMessageText(messageText, " ")}`;
}

type Check = (code: string) => string[] | Promise<string[]>;
export const types = new TypeChecker();

/** By the language of a code sample: what is wrong with it. */
const checks: Readonly<Record<string, Check>> = {
  ts: (code) => types.check({ "sample.ts": code }),
  yaml: applied,
  json: (code) => failureOf(() => JSON.parse(code)),
  toml: (code) => failureOf(() => parseToml(code)),
  sql: (code) => failureOf(() => queried(code)),
  sh: (code) => failureOf(() => execFileSync("sh", ["-n"], { input: code, stdio: "pipe" })),
};

/** What is wrong with a code sample of a lesson. */
export async function faultsOf(language: string, code: string): Promise<string[]> {
  const check = checks[language];
  if (check) return check(code);
  return [`Nothing checks "${language}". Give the sample another language, or add a check here.`];
}

/** The API server takes the objects, and none of the parts fails over them. */
async function applied(yaml: string): Promise<string[]> {
  const errors: string[] = [];
  const session = createSession({
    seed: 1,
    scenario: { name: "sample", untilMs: RUN_MS },
    inputs: [{ atMs: 1_000, do: "apply", yaml }],
    onOutput: ({ isError, text }) => isError && text && errors.push(text),
  });
  await session.run();
  return errors;
}

/** Over the one table that the samples speak of. */
function queried(sql: string): void {
  const database = new DatabaseSync(":memory:");
  database.exec("CREATE TABLE customers (name TEXT, city TEXT)");
  database.prepare(sql).all();
  database.close();
}

function failureOf(action: () => unknown): string[] {
  try {
    action();
    return [];
  } catch (error) {
    return [String(error)];
  }
}

/** Files of a folder laid over the simulator: `…/solution/loop/controllers/a.ts`. */
export function overlayOf(folder: string, files: readonly string[]): Overlay {
  return Object.fromEntries(
    files.map((file) => [file.slice(folder.length + 1), readFileSync(file, "utf8")]),
  );
}

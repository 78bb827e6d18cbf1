/**
 * The public names of the package `@shikumi/sim`, as its declarations and
 * docstrings give them: what the page on its API is made of.
 */
import { readFileSync } from "node:fs";
import { join, relative } from "node:path";
import ts from "typescript";

export interface ApiName {
  name: string;
  kind: "function" | "class" | "interface" | "type" | "value";
  /** From the root of the repository: sim/src/session.ts */
  file: string;
  line: number;
  /** Its docstring as text; "" if it has none. */
  doc: string;
  /** The declaration without bodies, with the docstrings of its members. */
  declaration: string;
}

export interface ApiEntry {
  /** What is imported: `@shikumi/sim/view`. */
  specifier: string;
  names: ApiName[];
}

let entries: ApiEntry[] | undefined;

/** Every entry that the package exports; read once a build. */
export function simulatorApi(): ApiEntry[] {
  return (entries ??= read());
}

function read(): ApiEntry[] {
  const root = process.cwd();
  const { name, exports } = JSON.parse(readFileSync(join(root, "sim/package.json"), "utf8")) as {
    name: string;
    exports: Record<string, string>;
  };
  const files = Object.entries(exports)
    .filter(([, file]) => file.endsWith(".ts"))
    .map(([path, file]) => ({ specifier: join(name, path), file: join(root, "sim", file) }));
  const program = ts.createProgram(
    files.map(({ file }) => file),
    optionsOf(root),
  );
  const reader = new ApiReader(program, root);
  return files.map(({ specifier, file }) => ({ specifier, names: reader.names(file) }));
}

function optionsOf(root: string): ts.CompilerOptions {
  const { config } = ts.readConfigFile(join(root, "tsconfig.json"), ts.sys.readFile);
  const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, root);
  return { ...options, noEmit: false, declaration: true, emitDeclarationOnly: true };
}

class ApiReader {
  readonly program: ts.Program;
  readonly checker: ts.TypeChecker;
  readonly root: string;
  /** Statements of a file's declarations by the names that they declare. */
  readonly declared = new Map<string, Map<string, string>>();

  constructor(program: ts.Program, root: string) {
    this.program = program;
    this.checker = program.getTypeChecker();
    this.root = root;
  }

  names(entry: string): ApiName[] {
    const source = this.program.getSourceFile(entry);
    const module = source && this.checker.getSymbolAtLocation(source);
    if (!module) throw new Error(`${relative(this.root, entry)} exports nothing.`);
    return this.checker.getExportsOfModule(module).map((symbol) => this.nameOf(symbol));
  }

  nameOf(exported: ts.Symbol): ApiName {
    const isAlias = (exported.flags & ts.SymbolFlags.Alias) !== 0;
    const symbol = isAlias ? this.checker.getAliasedSymbol(exported) : exported;
    const [node] = symbol.declarations ?? [];
    if (!node) throw new Error(`No declaration of ${exported.name}.`);
    const source = node.getSourceFile();
    const { line } = source.getLineAndCharacterOfPosition(node.getStart());
    return {
      name: exported.name,
      kind: kindOf(node),
      file: relative(this.root, source.fileName),
      line: line + 1,
      doc: ts.displayPartsToString(symbol.getDocumentationComment(this.checker)),
      declaration: this.declarationOf(source, symbol.name),
    };
  }

  declarationOf(source: ts.SourceFile, name: string): string {
    const { fileName } = source;
    const known = this.declared.get(fileName) ?? this.emit(source);
    this.declared.set(fileName, known);
    const text = known.get(name);
    if (!text) throw new Error(`${fileName} declares no ${name}.`);
    return text;
  }

  /** Cuts the declarations of a file into its statements, each without its own docstring. */
  emit(source: ts.SourceFile): Map<string, string> {
    let text = "";
    const keep = (_file: string, written: string) => {
      text = written;
    };
    this.program.emit(source, keep, undefined, true);
    const tree = ts.createSourceFile("declared.d.ts", text, ts.ScriptTarget.Latest, true);
    const found = new Map<string, string>();
    for (const statement of tree.statements) {
      for (const name of namesOf(statement)) found.set(name, plain(publicText(statement)));
    }
    return found;
  }
}

function namesOf(statement: ts.Statement): string[] {
  if (ts.isVariableStatement(statement)) {
    return statement.declarationList.declarations.map(({ name }) => name.getText());
  }
  const { name } = statement as ts.Statement & { name?: ts.Node };
  return name ? [name.getText()] : [];
}

/** Without what a class keeps to itself. */
function publicText(statement: ts.Statement): string {
  const text = statement.getText();
  if (!ts.isClassDeclaration(statement)) return text;
  const isPrivate = (member: ts.ClassElement) =>
    ts.canHaveModifiers(member) &&
    ts.getModifiers(member)?.some(({ kind }) => kind === ts.SyntaxKind.PrivateKeyword);
  return statement.members.filter(isPrivate).reduceRight((rest, member) => {
    const [from, to] = [member.getFullStart(), member.getEnd()].map(
      (at) => at - statement.getStart(),
    );
    return rest.slice(0, from) + rest.slice(to);
  }, text);
}

/** As one would write it, with two blanks for an indent. */
function plain(declaration: string): string {
  return declaration
    .replace(/^export (?:declare )?/, "")
    .replace(/^( {4})+/gm, (indent) => indent.slice(indent.length / 2));
}

function kindOf(node: ts.Declaration): ApiName["kind"] {
  if (ts.isFunctionDeclaration(node)) return "function";
  if (ts.isClassDeclaration(node)) return "class";
  if (ts.isInterfaceDeclaration(node)) return "interface";
  return ts.isTypeAliasDeclaration(node) ? "type" : "value";
}

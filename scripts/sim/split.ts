/**
 * Splits a module in two: what a first run calls, and what can come later. A
 * function that a profile never saw called leaves a call of `$late` behind
 * and lies, lines kept, in the module's cold half, which a part holds.
 *
 * Names of the module's own are read by import there; variables of functions
 * around are handed over at each call, so they must be ones that never change.
 */
import ts from "typescript";
import type { ModuleProfile } from "./profile.ts";
import { assignedIn, coldTails, declaredIn, visibleFrom } from "./tails.ts";

/** A function that moved. */
export interface ColdFunction {
  /** Number by which `$late` finds it, among all modules'. */
  readonly id: number;
  /** Name that the module exports it by; "" if it does not. */
  readonly exported: string;
}

export interface SplitModule {
  /** What stays: TypeScript, with the lines of the original. */
  readonly hot: string;
  /** What moved: TypeScript, with the lines of the original; "" if nothing. */
  readonly cold: string;
  readonly functions: readonly ColdFunction[];
  /** Names of the module's own that the cold half reads and nobody exports. */
  readonly inner: readonly string[];
  /** Imported names that the cold half reads. */
  readonly reads: ReadonlySet<string>;
}

type Range = readonly [number, number];

/** A replacement in one of the halves. */
interface Edit {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/** Below these lengths of text, what is left behind is no shorter. */
const LENGTH_MIN = 80;
const CLOSURE_LENGTH_MIN = 110;

/** Splits `text` by what ran of it. Ids count from `firstId`. */
export function splitModule(
  path: string,
  text: string,
  profile: ModuleProfile,
  firstId: number,
): SplitModule {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.ES2022, true);
  const scope = topLevelOf(file);
  const ran = new Ran(profile.called);
  const tails = coldTails(file, scope, profile.unreached, ran);
  const within = new Set<ts.Node>(tails.flatMap(({ statements }) => statements));
  const cold = coldNodes(file, scope, ran, within);
  const nodes = cold.map(({ node }) => node);
  const whole = nodes.filter(isTopLevel);
  const moved = movedWith(file, scope, [...nodes, ...tails.flatMap((tail) => tail.statements)]);
  if (nodes.length + tails.length === 0) {
    return { hot: text, cold: "", functions: [], inner: [], reads: new Set() };
  }

  const tailed = tails.flatMap((tail) => tail.statements);
  const hotNames = namesOutside(file, [...nodes, ...tailed, ...moved]);
  const functions: ColdFunction[] = [];
  const stays: Edit[] = [];
  const goes: Edit[] = [];
  for (const { node, captured } of cold) {
    const exported = whole.includes(node) && isExported(node) ? nameOf(node) : "";
    const isCalled = !whole.includes(node) || exported !== "" || hotNames.has(nameOf(node));
    const id = firstId + functions.length;
    if (isCalled) functions.push({ id, exported });
    stays.push(isCalled ? remains(text, node, id, captured) : blank(text, node));
    goes.push(taken(text, node, isCalled ? id : -1, captured));
  }
  for (const tail of tails) {
    const id = firstId + functions.length;
    functions.push({ id, exported: "" });
    const from = tail.statements[0]!.getStart();
    const to = tail.statements.at(-1)!.end;
    const names = tail.captured.join(", ");
    const call = `${tail.returns ? "return " : ""}$late(${id}, [${names}]${tail.usesThis ? ", this" : ""});`;
    stays.push({ from, to, text: call + linesOf(text, from, to) });
    const made = `$late.f[${id}] = function (${names}) { ${text.slice(from, to)} };`;
    goes.push({ from, to, text: made });
  }
  for (const one of moved) {
    stays.push(blank(text, one));
    goes.push({ from: one.getStart(), to: one.end, text: one.getText() });
  }
  const local = new Set([...whole.map(nameOf), ...moved.flatMap(declaredBy)]);
  const needed = [...usedBy([...nodes, ...tailed, ...moved], scope)].filter(
    (name) => !local.has(name),
  );
  const own = needed.filter((name) => scope.own.has(name));
  const inner = own.filter((name) => !scope.exported.has(name));
  const imports = file.statements.filter(ts.isImportDeclaration);
  for (const one of imports) goes.push({ from: one.getStart(), to: one.end, text: one.getText() });
  const names = whole.filter((node) => isExported(node)).map(nameOf);
  const self = `./${path.split("/").at(-1)}`;
  const head =
    `import { late as $late } from "sim:late";` +
    (own.length > 0 ? `import { ${own.join(", ")} } from ${JSON.stringify(`${self}#inner`)};` : "");
  return {
    hot: apply(text, stays, text) + tailOf(inner, functions.length > 0),
    cold:
      head +
      apply(text, goes, text.replace(/[^\n]/g, " ")) +
      (names.length > 0 ? `\nexport { ${names.join(", ")} };` : ""),
    functions,
    inner,
    reads: new Set(needed.filter((name) => scope.imported.has(name))),
  };
}

function tailOf(inner: readonly string[], usesLate: boolean): string {
  const late = usesLate ? `\nimport { late as $late } from "sim:late";` : "";
  return inner.length > 0 ? `${late}\nexport { ${inner.join(", ")} };` : late;
}

/** What a run called, by the end of each function. */
export class Ran {
  private readonly starts = new Map<number, number[]>();

  constructor(called: readonly Range[]) {
    for (const [start, end] of called) {
      const list = this.starts.get(end);
      if (list) list.push(start);
      else this.starts.set(end, [start]);
    }
  }

  has(node: ts.FunctionLikeDeclaration): boolean {
    const starts = this.starts.get(node.end) ?? [];
    return starts.some((start) => start >= node.getStart() && start <= node.parameters.pos);
  }
}

export interface TopLevel {
  /** Names that the module declares. */
  readonly own: ReadonlySet<string>;
  /** Of them, those that can change: `let`, or a class, which cannot move. */
  readonly changing: ReadonlySet<string>;
  readonly imported: ReadonlySet<string>;
  readonly exported: ReadonlySet<string>;
}

function topLevelOf(file: ts.SourceFile): TopLevel {
  const own = new Set<string>();
  const changing = new Set<string>();
  const imported = new Set<string>();
  const exported = new Set<string>();
  for (const one of file.statements) {
    if (ts.isImportDeclaration(one)) for (const name of importedBy(one)) imported.add(name);
    if (ts.isExportDeclaration(one) && !one.moduleSpecifier && one.exportClause)
      if (ts.isNamedExports(one.exportClause))
        for (const { name, propertyName } of one.exportClause.elements)
          exported.add((propertyName ?? name).text);
    const isLet = ts.isVariableStatement(one) && !(one.declarationList.flags & ts.NodeFlags.Const);
    for (const name of declaredBy(one)) {
      own.add(name);
      if (isLet) changing.add(name);
      if (isExported(one)) exported.add(name);
    }
  }
  return { own, changing, imported, exported };
}

function importedBy({ importClause }: ts.ImportDeclaration): string[] {
  const names = importClause?.name ? [importClause.name.text] : [];
  const bindings = importClause?.namedBindings;
  if (!bindings) return names;
  if (ts.isNamespaceImport(bindings)) return [...names, bindings.name.text];
  return [...names, ...bindings.elements.map(({ name }) => name.text)];
}

/** Names that a statement declares for the block or module that it is in. */
export function declaredBy(one: ts.Node): string[] {
  if (ts.isVariableStatement(one)) return listed(one.declarationList);
  const isNamed = ts.isFunctionDeclaration(one) || ts.isClassDeclaration(one);
  return isNamed && one.name ? [one.name.text] : [];
}

export function listed({ declarations }: ts.VariableDeclarationList): string[] {
  return declarations.flatMap(({ name }) => boundBy(name));
}

export function boundBy(name: ts.BindingName): string[] {
  if (ts.isIdentifier(name)) return [name.text];
  return name.elements.flatMap((one) => (ts.isOmittedExpression(one) ? [] : boundBy(one.name)));
}

function isExported(node: ts.Node): boolean {
  return (
    ts.canHaveModifiers(node) &&
    !!ts.getModifiers(node)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)
  );
}

function isTopLevel(node: ts.Node): boolean {
  return ts.isSourceFile(node.parent) && ts.isFunctionDeclaration(node);
}

function nameOf(node: ts.Node): string {
  return ts.isFunctionDeclaration(node) ? (node.name?.text ?? "") : "";
}

type Movable =
  | ts.FunctionDeclaration
  | ts.FunctionExpression
  | ts.ArrowFunction
  | ts.MethodDeclaration;

function isMovable(node: ts.Node): node is Movable {
  return (
    (ts.isFunctionDeclaration(node) && node.name !== undefined) ||
    ts.isFunctionExpression(node) ||
    ts.isArrowFunction(node) ||
    ts.isMethodDeclaration(node)
  );
}

/** A function that moves, and the variables of functions around that it reads. */
interface Cold {
  readonly node: Movable;
  /** Undefined: it is no closure. */
  readonly captured?: readonly string[];
}

/** The outermost functions that nothing called and that can move. */
function coldNodes(
  file: ts.SourceFile,
  scope: TopLevel,
  ran: Ran,
  without: ReadonlySet<ts.Node>,
): Cold[] {
  const found: Cold[] = [];
  const visit = (node: ts.Node, around: readonly ts.Node[]) => {
    if (without.has(node)) return;
    if (ts.isFunctionLike(node) && "body" in node && node.body) {
      const isCold = !ran.has(node as ts.FunctionLikeDeclaration);
      const cold = isCold && isMovable(node) ? moving(node, scope, around) : undefined;
      if (cold) found.push(cold);
      if (isCold) return;
      around = [...around, node];
    }
    ts.forEachChild(node, (child) => visit(child, around));
  };
  visit(file, []);
  return found;
}

function moving(node: Movable, scope: TopLevel, around: readonly ts.Node[]): Cold | undefined {
  const isWhole = isTopLevel(node);
  const length = node.end - node.getStart();
  // What a short function gives can be long.
  const gives = ts.isArrowFunction(node) && ts.isIdentifier(node.body) ? node.body.text : "";
  const isShort = length < LENGTH_MIN && !scope.imported.has(gives);
  if (!isWhole && isShort) return;
  const outer = around.at(0);
  const declared = visibleFrom(node.parent, new Set([node]));
  const captured = new Set<string>();
  const use = { ok: true, usesThis: false };
  const look = (one: ts.Node) => {
    if (ts.isTypeNode(one) && !ts.isExpressionWithTypeArguments(one)) return;
    if (one.kind === ts.SyntaxKind.SuperKeyword) use.ok = false;
    if (one.kind === ts.SyntaxKind.ThisKeyword) use.usesThis = true;
    if (ts.isIdentifier(one) && one.text === "arguments") use.ok = false;
    if (ts.isIdentifier(one) && isReference(one)) {
      if (declared.has(one.text)) captured.add(one.text);
      else if (scope.changing.has(one.text)) use.ok = false;
    }
    ts.forEachChild(one, look);
  };
  ts.forEachChild(node, look);
  if (!use.ok) return;
  const isInner = outer !== undefined && ts.isFunctionDeclaration(node);
  const isClosure = captured.size > 0 || isInner || (ts.isArrowFunction(node) && use.usesThis);
  if (!isClosure) return { node };
  if (length < CLOSURE_LENGTH_MIN || isShadowed(node, captured)) return;
  const changed = outer ? assignedIn([outer]) : new Set<string>();
  for (const name of captured) {
    // It must be there, and the same, whenever the function may be called.
    if (changed.has(name) || declared.get(name)! > node.getStart()) return;
  }
  return { node, captured: [...captured] };
}

/** A name that it takes from outside means something else somewhere inside. */
function isShadowed(node: Movable, captured: ReadonlySet<string>): boolean {
  const parts = [...node.parameters, ...(node.body ? [node.body] : [])];
  return [...declaredIn(parts)].some((name) => captured.has(name));
}

/** The identifier reads a variable; it is not a property's name or a type's. */
export function isReference(one: ts.Identifier): boolean {
  const { parent } = one;
  if (ts.isPropertyAccessExpression(parent)) return parent.expression === one;
  if (ts.isPropertyAssignment(parent)) return parent.initializer === one;
  if (ts.isMethodDeclaration(parent) || ts.isPropertyDeclaration(parent))
    return parent.name !== one;
  if (ts.isBindingElement(parent)) return parent.propertyName !== one;
  return !ts.isTypeReferenceNode(parent) && !ts.isQualifiedName(parent);
}

function usedBy(nodes: readonly ts.Node[], scope: TopLevel): Set<string> {
  const names = new Set<string>();
  const look = (one: ts.Node) => {
    if (ts.isTypeNode(one) && !ts.isExpressionWithTypeArguments(one)) return;
    if (ts.isIdentifier(one) && isReference(one))
      if (scope.own.has(one.text) || scope.imported.has(one.text)) names.add(one.text);
    ts.forEachChild(one, look);
  };
  for (const node of nodes) look(node);
  return names;
}

/** Names read in the module outside of `nodes`. */
function namesOutside(file: ts.SourceFile, nodes: readonly ts.Node[]): Set<string> {
  const names = new Set<string>();
  const left = new Set(nodes);
  const look = (one: ts.Node) => {
    if (left.has(one)) return;
    if (ts.isTypeNode(one) && !ts.isExpressionWithTypeArguments(one)) return;
    if (ts.isIdentifier(one) && isReference(one)) names.add(one.text);
    ts.forEachChild(one, look);
  };
  look(file);
  return names;
}

/** Constants that only the cold functions read, and whose making shows nowhere. */
function movedWith(
  file: ts.SourceFile,
  scope: TopLevel,
  nodes: readonly ts.Node[],
): ts.VariableStatement[] {
  const candidates = file.statements.filter(
    (one): one is ts.VariableStatement =>
      ts.isVariableStatement(one) &&
      !isExported(one) &&
      declaredBy(one).every((name) => !scope.exported.has(name) && !scope.changing.has(name)) &&
      one.declarationList.declarations.every(
        ({ name, initializer }) =>
          ts.isIdentifier(name) && !!initializer && isPlain(initializer, scope),
      ),
  );
  let moved = candidates;
  for (;;) {
    const outside = namesOutside(file, [...nodes, ...moved]);
    const kept = moved.filter((one) => declaredBy(one).every((name) => !outside.has(name)));
    if (kept.length === moved.length) return kept;
    moved = kept;
  }
}

/**
 * A value made of literals, patterns, sets, maps, other constants and what
 * functions make of these. Such a function was called when its module was
 * loaded for the profile, so it is no cold one, and no function of the
 * simulator that is called there does anything but give a value.
 */
function isPlain(node: ts.Expression, scope: TopLevel): boolean {
  const all = (nodes: readonly ts.Expression[]) => nodes.every((one) => isPlain(one, scope));
  if (
    ts.isAsExpression(node) ||
    ts.isParenthesizedExpression(node) ||
    ts.isSatisfiesExpression(node)
  )
    return isPlain(node.expression, scope);
  if (ts.isIdentifier(node)) {
    const { text } = node;
    return scope.imported.has(text) || (scope.own.has(text) && !scope.changing.has(text));
  }
  if (ts.isCallExpression(node)) return isPlainCall(node, scope) && all(node.arguments);
  if (ts.isPrefixUnaryExpression(node)) return isPlain(node.operand, scope);
  if (ts.isBinaryExpression(node)) return all([node.left, node.right]);
  if (ts.isArrayLiteralExpression(node)) return all(node.elements);
  if (ts.isObjectLiteralExpression(node)) return node.properties.every((one) => isSet(one, scope));
  if (ts.isNewExpression(node)) {
    const isKnown = ts.isIdentifier(node.expression) && /^(Set|Map)$/.test(node.expression.text);
    return isKnown && all(node.arguments ?? []);
  }
  return (
    ts.isLiteralExpression(node) ||
    node.kind === ts.SyntaxKind.TrueKeyword ||
    node.kind === ts.SyntaxKind.FalseKeyword ||
    node.kind === ts.SyntaxKind.NullKeyword
  );
}

/** `flags("a b")`, `"a b".split(" ")`, `Object.freeze([])`. */
function isPlainCall({ expression }: ts.CallExpression, scope: TopLevel): boolean {
  if (ts.isIdentifier(expression)) return isPlain(expression, scope);
  if (!ts.isPropertyAccessExpression(expression)) return false;
  const { expression: of, name } = expression;
  if (ts.isIdentifier(of) && of.text === "Object") return /^(freeze|keys|entries)$/.test(name.text);
  return /^(split|trim|concat)$/.test(name.text) && isPlain(of, scope);
}

function isSet(one: ts.ObjectLiteralElementLike, scope: TopLevel): boolean {
  if (ts.isShorthandPropertyAssignment(one)) return isPlain(one.name, scope);
  return ts.isPropertyAssignment(one) && isPlain(one.initializer, scope);
}

function linesOf(text: string, from: number, to: number): string {
  return "\n".repeat(text.slice(from, to).split("\n").length - 1);
}

function blank(text: string, node: ts.Node): Edit {
  return { from: node.getStart(), to: node.end, text: linesOf(text, node.getStart(), node.end) };
}

/** The call that stands for the function where it was. */
function remains(
  text: string,
  node: Movable,
  id: number,
  captured: readonly string[] | undefined,
): Edit {
  const lines = linesOf(text, node.getStart(), node.end);
  const edit = { from: node.getStart(), to: node.end };
  const handed = captured ? `[${["$a", ...captured].join(", ")}]` : "$a";
  if (ts.isArrowFunction(node)) {
    const self = captured ? ", this" : "";
    return { ...edit, text: `(...$a) => $late(${id}, ${handed}${self})${lines}` };
  }
  const words = (ts.getModifiers(node) ?? [])
    .filter(({ kind }) => kind !== ts.SyntaxKind.AsyncKeyword)
    .map((one) => `${one.getText()} `)
    .join("");
  const name = node.name?.getText() ?? "";
  const before = ts.isMethodDeclaration(node) ? name : `function ${name}`;
  const call = `return $late(${id}, ${handed}, this);`;
  return { ...edit, text: `${words}${before}(...$a) { ${call} }${lines}` };
}

/** The function as the cold half holds it, known by its id unless that is -1. */
function taken(
  text: string,
  node: Movable,
  id: number,
  captured: readonly string[] | undefined,
): Edit {
  const edit = { from: node.getStart(), to: node.end };
  const as = (made: string) =>
    captured
      ? `$late.f[${id}] = function ($a, ${captured.join(", ")}) { return (${made}).apply(this, $a); };`
      : `$late.f[${id}] = ${made};`;
  const words = ts.getModifiers(node) ?? [];
  const isAsync = words.some(({ kind }) => kind === ts.SyntaxKind.AsyncKeyword);
  const star = !ts.isArrowFunction(node) && node.asteriskToken ? "*" : "";
  if (ts.isArrowFunction(node)) return { ...edit, text: as(node.getText()) };
  const open = node.typeParameters?.pos
    ? node.typeParameters.pos - 1
    : text.indexOf("(", node.name?.end ?? node.parameters.pos - 1);
  const isNamed = isTopLevel(node) || (captured && ts.isFunctionDeclaration(node));
  const name = isNamed ? ` ${nameOf(node)}` : "";
  const made = `${isAsync ? "async " : ""}function${star}${name}${text.slice(open, node.end)}`;
  if (!isTopLevel(node)) return { ...edit, text: as(made) };
  return { ...edit, text: id < 0 ? made : `$late.f[${id}] = ${nameOf(node)}; ${made}` };
}

/** `base` with the edits, which do not overlap, in place of what is there. */
function apply(text: string, edits: readonly Edit[], base: string): string {
  const sorted = [...edits].sort((a, b) => a.from - b.from);
  let result = "";
  let at = 0;
  for (const { from, to, text: put } of sorted) {
    result += base.slice(at, from) + put;
    at = to;
  }
  return result + base.slice(at, text.length);
}

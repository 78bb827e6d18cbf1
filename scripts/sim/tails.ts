/**
 * Finds branches and ends of functions that a run never reached and that can
 * be a function of their own: statements that read the variables around them
 * and change none, and either never return or do nothing else at their end.
 */
import ts from "typescript";
import { boundBy, declaredBy, isReference, listed, type Ran, type TopLevel } from "./split.ts";

export interface Tail {
  readonly statements: readonly ts.Statement[];
  /** Variables of the functions around it, passed to it by value. */
  readonly captured: readonly string[];
  readonly usesThis: boolean;
  /** The function around returns what it returns. */
  readonly returns: boolean;
}

type Range = readonly [number, number];
type Body = ts.FunctionLikeDeclaration & { body: ts.Block };

/** Below this length of text, what is left behind is no shorter. */
const LENGTH_MIN = 45;

export function coldTails(
  file: ts.SourceFile,
  scope: TopLevel,
  unreached: readonly Range[],
  ran: Ran,
): Tail[] {
  const found: Tail[] = [];
  const isCold = (node: ts.Node) =>
    unreached.some(([from, to]) => from <= node.getStart() && node.end <= to);
  const visit = (node: ts.Node, around: readonly Body[]) => {
    if (ts.isFunctionLike(node) && "body" in node && node.body) {
      if (!ran.has(node as ts.FunctionLikeDeclaration)) return;
      around = [...around, node as Body];
    }
    const list = listOf(node);
    if (list && around.length > 0) {
      const tail = tailOf(list, node, around, scope, isCold);
      if (tail) {
        found.push(tail);
        for (const one of list) if (!tail.statements.includes(one)) visit(one, around);
        return;
      }
    }
    const branch = around.length > 0 && isCold(node) && branchOf(node, around, scope);
    if (branch) found.push(branch);
    else ts.forEachChild(node, (child) => visit(child, around));
  };
  visit(file, []);
  return found;
}

/** A branch of an `if` after which the function goes on. */
function branchOf(node: ts.Node, around: readonly Body[], scope: TopLevel): Tail | undefined {
  const { parent } = node;
  if (!ts.isIfStatement(parent) || node === parent.expression) return;
  const statements = ts.isBlock(node) ? [...node.statements] : [node as ts.Statement];
  const [first] = statements;
  if (!first || ts.isIfStatement(node) || node.end - first.getStart() < LENGTH_MIN) return;
  return movable(statements, around, scope, false);
}

function listOf(node: ts.Node): readonly ts.Statement[] | undefined {
  if (ts.isBlock(node) || ts.isCaseOrDefaultClause(node)) return node.statements;
  const isBranch = ts.isReturnStatement(node) || ts.isThrowStatement(node);
  return isBranch && ts.isIfStatement(node.parent) ? [node] : undefined;
}

function tailOf(
  list: readonly ts.Statement[],
  node: ts.Node,
  around: readonly Body[],
  scope: TopLevel,
  isCold: (node: ts.Node) => boolean,
): Tail | undefined {
  const last = list.at(-1);
  const inner = around.at(-1)!;
  if (!last || ts.isConstructorDeclaration(inner) || inner.asteriskToken) return;
  if (!ts.isReturnStatement(last) && !ts.isThrowStatement(last) && node !== inner.body) return;
  const first = list.findIndex((_, i) => list.slice(i).every(isCold));
  if (first < 0) return;
  const statements = list.slice(first);
  if (last.end - statements[0]!.getStart() < LENGTH_MIN) return;
  return movable(statements, around, scope, true);
}

function movable(
  statements: readonly ts.Statement[],
  around: readonly Body[],
  scope: TopLevel,
  returns: boolean,
): Tail | undefined {
  const inside = new Set<ts.Node>(statements);
  const declaredHere = declaredIn(statements);
  const declaredAround = visibleFrom(statements[0]!.parent, inside);
  const assigned = assignedIn([around.at(0)!]);
  const readAround = readIn([statements[0]!.parent], inside);
  for (const name of declaredHere) if (declaredAround.has(name)) return;
  for (const name of statements.flatMap(declaredBy)) if (readAround.has(name)) return;
  const assignedHere = assignedIn(statements);
  const use = { ok: true, usesThis: false, hasClosure: false };
  const captured = new Set<string>();
  const start = statements[0]!.getStart();
  const look = (one: ts.Node, depth: number) => {
    if (ts.isTypeNode(one) && !ts.isExpressionWithTypeArguments(one)) return;
    if (ts.isReturnStatement(one) && depth === 0 && !returns) use.ok = false;
    if (REFUSED.has(one.kind)) use.ok = false;
    if (one.kind === ts.SyntaxKind.ThisKeyword) use.usesThis = true;
    if (ts.isFunctionLike(one)) {
      use.hasClosure = true;
      depth++;
    }
    if (ts.isIdentifier(one) && isReference(one)) {
      const { text } = one;
      if (text === "arguments" || scope.changing.has(text)) use.ok = false;
      const at = declaredAround.get(text);
      if (at !== undefined) captured.add(text);
      if (at !== undefined && (at >= start || assignedHere.has(text))) use.ok = false;
    }
    ts.forEachChild(one, (child) => look(child, depth));
  };
  for (const one of statements) look(one, 0);
  if (use.hasClosure && [...captured].some((name) => assigned.has(name))) return;
  const { ok, usesThis } = use;
  return ok ? { statements, captured: [...captured], usesThis, returns } : undefined;
}

const REFUSED: ReadonlySet<ts.SyntaxKind> = new Set([
  ts.SyntaxKind.AwaitExpression,
  ts.SyntaxKind.YieldExpression,
  ts.SyntaxKind.BreakStatement,
  ts.SyntaxKind.ContinueStatement,
  ts.SyntaxKind.SuperKeyword,
  ts.SyntaxKind.FunctionDeclaration,
  ts.SyntaxKind.ClassDeclaration,
]);

/** Names declared anywhere in `nodes`. */
export function declaredIn(nodes: readonly ts.Node[]): Set<string> {
  const names = new Set<string>();
  const look = (one: ts.Node) => {
    if (ts.isParameter(one) || ts.isVariableDeclaration(one))
      for (const name of boundBy(one.name)) names.add(name);
    if (isNamed(one)) names.add(one.name!.text);
    ts.forEachChild(one, look);
  };
  for (const node of nodes) look(node);
  return names;
}

function isNamed(one: ts.Node): one is ts.FunctionDeclaration | ts.ClassLikeDeclaration {
  return (
    (ts.isFunctionDeclaration(one) || ts.isFunctionExpression(one) || ts.isClassLike(one)) &&
    one.name !== undefined
  );
}

/**
 * Names that functions around declare and that are seen in `node`, with the
 * place from which they are there; what `without` declares is left out.
 */
export function visibleFrom(
  node: ts.Node,
  without: ReadonlySet<ts.Node> = new Set(),
): Map<string, number> {
  const names = new Map<string, number>();
  const note = (found: readonly string[], place: number) => {
    for (const name of found) if (!names.has(name)) names.set(name, place);
  };
  for (let at = node; !ts.isSourceFile(at); at = at.parent) {
    if (ts.isBlock(at) || ts.isCaseOrDefaultClause(at)) {
      for (const one of at.statements) {
        if (without.has(one)) continue;
        // A function is there from the beginning of its block.
        note(declaredBy(one), ts.isFunctionDeclaration(one) ? -1 : one.getStart());
      }
    }
    if (ts.isFunctionLike(at))
      for (const { name } of at.parameters) note(boundBy(name as ts.BindingName), at.getStart());
    if (ts.isForStatement(at) || ts.isForOfStatement(at) || ts.isForInStatement(at)) {
      const { initializer } = at;
      if (initializer && ts.isVariableDeclarationList(initializer))
        note(listed(initializer), at.getStart());
    }
    if (ts.isCatchClause(at) && at.variableDeclaration)
      note(boundBy(at.variableDeclaration.name), at.getStart());
    if ((ts.isFunctionExpression(at) || ts.isClassExpression(at)) && at.name)
      note([at.name.text], at.getStart());
  }
  return names;
}

function readIn(nodes: readonly ts.Node[], without: ReadonlySet<ts.Node>): Set<string> {
  const names = new Set<string>();
  const look = (one: ts.Node) => {
    if (without.has(one)) return;
    if (ts.isIdentifier(one) && isReference(one)) names.add(one.text);
    ts.forEachChild(one, look);
  };
  for (const node of nodes) look(node);
  return names;
}

/** Variables that are given a value other than where they are declared. */
export function assignedIn(nodes: readonly ts.Node[]): Set<string> {
  const names = new Set<string>();
  const all = (one: ts.Node) => {
    if (ts.isIdentifier(one) && isReference(one)) names.add(one.text);
    ts.forEachChild(one, all);
  };
  const look = (one: ts.Node) => {
    if (ts.isBinaryExpression(one) && isAssignment(one.operatorToken.kind)) {
      if (!ts.isPropertyAccessExpression(one.left) && !ts.isElementAccessExpression(one.left))
        all(one.left);
    }
    if (ts.isPrefixUnaryExpression(one) || ts.isPostfixUnaryExpression(one)) {
      const { operator, operand } = one;
      const isStep =
        operator === ts.SyntaxKind.PlusPlusToken || operator === ts.SyntaxKind.MinusMinusToken;
      if (isStep && ts.isIdentifier(operand)) names.add(operand.text);
    }
    if ((ts.isForOfStatement(one) || ts.isForInStatement(one)) && ts.isExpression(one.initializer))
      all(one.initializer);
    ts.forEachChild(one, look);
  };
  for (const node of nodes) look(node);
  return names;
}

function isAssignment(kind: ts.SyntaxKind): boolean {
  return kind >= ts.SyntaxKind.FirstAssignment && kind <= ts.SyntaxKind.LastAssignment;
}

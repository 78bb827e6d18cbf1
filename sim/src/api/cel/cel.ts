/**
 * The Common Expression Language, in which policies, match conditions and
 * rules of custom resources are written. Parsed expressions are remembered.
 * Models: google/cel-go as kube-apiserver 1.36 sets it up
 */
import { type Bindings, Evaluation } from "./evaluate.ts";
import { type Node, parse } from "./parser.ts";

export { CelError } from "./lexer.ts";

const parsed = new Map<string, Node>();

/** Throws CelError if the text is no expression. */
export function compileCel(text: string): Node {
  let node = parsed.get(text);
  if (!node) {
    node = parse(text);
    parsed.set(text, node);
  }
  return node;
}

/** What `text` comes to. Throws CelError. */
export function evaluateCel(text: string, names: Bindings): unknown {
  return new Evaluation().value(compileCel(text), names);
}

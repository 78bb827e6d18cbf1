/**
 * Reading a script of the small shell: words, separators, loops.
 */
export type Statement =
  | { readonly kind: "command"; readonly words: readonly string[] }
  | {
      readonly kind: "loop";
      readonly until: boolean;
      readonly condition: readonly Joined[];
      readonly body: readonly Joined[];
    };

/** A statement, and how it hangs together with the one before it. */
export interface Joined {
  readonly join: ";" | "&&" | "||";
  readonly statement: Statement;
}

/** Words and separators; quotes hold words together. */
function tokens(script: string): string[] {
  const found = script.match(
    />&2|&&|\|\||;|\n|(?:"[^"]*"|'[^']*'|[^\s;&|"'])+/g,
  );
  return (found ?? []).map((token) => token.replace(/["']/g, ""));
}

/** The statements of a script. */
export function parseScript(script: string): Joined[] {
  const all = tokens(script);
  let at = 0;
  const list = (ends: readonly string[]): Joined[] => {
    const out: Joined[] = [];
    let join: Joined["join"] = ";";
    let words: string[] = [];
    const flush = () => {
      if (words.length > 0)
        out.push({ join, statement: { kind: "command", words } });
      words = [];
    };
    for (; at < all.length; at++) {
      const token = all[at]!;
      if (words.length === 0 && ends.includes(token)) break;
      if (words.length === 0 && (token === "while" || token === "until")) {
        at++;
        const condition = list(["do"]);
        at++;
        const body = list(["done"]);
        const until = token === "until";
        out.push({ join, statement: { kind: "loop", until, condition, body } });
      } else if (
        token === ";" ||
        token === "\n" ||
        token === "&&" ||
        token === "||"
      ) {
        flush();
        join = token === "&&" || token === "||" ? token : ";";
      } else words.push(token);
    }
    flush();
    return out;
  };
  return list([]);
}

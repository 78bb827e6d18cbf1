/**
 * Names of fields that an expression cannot write are written otherwise:
 * `foo-bar` is `foo__dash__bar`.
 * Models: apiserver/pkg/cel/escaping.go @ v1.36
 */

const RESERVED =
  /^(true|false|null|in|as|break|const|continue|else|for|function|if|import|let|loop|package|namespace|return|var|void|while)$/;

/** True for what may be the name of a variable. */
export function isCelIdentifier(name: string): boolean {
  return /^[_a-zA-Z][_a-zA-Z0-9]*$/.test(name) && !RESERVED.test(name);
}

/** A name that expressions can write; "": there is none. */
export function escapedName(name: string): string {
  if (RESERVED.test(name)) return `__${name}__`;
  if (!/^[A-Za-z_]/.test(name)) return "";
  const escaped = name
    .replaceAll("__", "__underscores__")
    .replaceAll(".", "__dot__")
    .replaceAll("-", "__dash__")
    .replaceAll("/", "__slash__");
  return /^\w+$/.test(escaped) ? escaped : "";
}

const SIGNS: { readonly [word: string]: string } = {
  underscores: "__",
  dot: ".",
  dash: "-",
  slash: "/",
};

export function unescapedName(name: string): string {
  if (!name.includes("__")) return name;
  const whole = /^__([a-z]+)__$/.exec(name)?.[1] ?? "";
  if (RESERVED.test(whole)) return whole;
  return name.replace(
    /__(underscores|dot|dash|slash)__/g,
    (_, word: string) => SIGNS[word]!,
  );
}

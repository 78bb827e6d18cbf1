/**
 * Field selectors: "spec.nodeName=n1,status.phase!=Running".
 * Models:     apimachinery/pkg/fields/selector.go @ v1.36
 * Leaves out: which fields a kind allows: that is the API server's.
 */
import { SelectorError } from "./requirement.ts";

export interface FieldTerm {
  readonly field: string;
  readonly operator: "=" | "!=";
  readonly value: string;
}

/** Terms that all must hold, sorted by their text. */
export interface FieldSelector {
  readonly terms: readonly FieldTerm[];
  readonly empty: boolean;
  /** `textOf` gives a field's text, "" if it is not set. */
  matches(textOf: (field: string) => string): boolean;
  toString(): string;
}

/** Parses `?fieldSelector=…`. Throws SelectorError. */
export function parseFieldSelector(text: string): FieldSelector {
  const parts = splitTerms(text).toSorted();
  const terms = parts
    .filter((part) => part !== "")
    .map((part) => termOf(part, text))
    // A term of nothing at all ("=") holds always.
    .filter(({ field, value }) => field !== "" || value !== "");
  return {
    terms,
    empty: terms.length === 0,
    matches: (textOf) => {
      for (const { field, operator, value } of terms) {
        if ((textOf(field) === value) !== (operator === "=")) return false;
      }
      return true;
    },
    toString: () => terms.map(termText).join(","),
  };
}

/** At commas that no backslash precedes. */
function splitTerms(text: string): string[] {
  const parts: string[] = [];
  let from = 0;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === "\\") at++;
    else if (text[at] === ",") {
      parts.push(text.slice(from, at));
      from = at + 1;
    }
  }
  return [...parts, text.slice(from)];
}

function termOf(part: string, selector: string): FieldTerm {
  const match = /^(.*?)(!=|==|=)(.*)$/s.exec(part);
  if (!match) {
    throw new SelectorError(
      `invalid selector: '${selector}'; can't understand '${part}'`,
    );
  }
  const [, field = "", operator, value = ""] = match;
  return {
    field,
    operator: operator === "!=" ? "!=" : "=",
    value: unescaped(value),
  };
}

function unescaped(value: string): string {
  let plain = "";
  for (let at = 0; at < value.length; at++) {
    const char = value.charAt(at);
    if (char === "\\") {
      const next = value.charAt(++at);
      if (next === "" || !"\\,=".includes(next)) {
        throw new SelectorError(
          `invalid field selector: invalid escape sequence: \\${next}`,
        );
      }
      plain += next;
    } else if (char === "," || char === "=") {
      throw new SelectorError(
        `invalid field selector: unescaped character in value: ${char.charCodeAt(0)}`,
      );
    } else plain += char;
  }
  return plain;
}

function termText({ field, operator, value }: FieldTerm): string {
  return `${field}${operator}${value.replace(/[\\,=]/g, "\\$&")}`;
}

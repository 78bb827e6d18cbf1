/** Mistakes in the manifest, in the reader's language. */
import type { Problem } from "../runtime/types.ts";
import type { Texts } from "../texts.ts";

/** `Document 1, line 6: …`, or without the place if it has none. */
export function problemText(problem: Problem, t: Texts): string {
  const { code, params, document, line } = problem;
  const key = code === "kindUnknown" && params.near ? "kindNear" : code;
  const text = t(`problem.${key}`, params);
  return line > 0 ? `${t("problem.at", { document, line })}${text}` : text;
}

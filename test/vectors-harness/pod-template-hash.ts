/** Replays pod-template-hash.json: Go's text of a template, and its hash. */
import { printTemplate } from "../../sim/src/api/template-hash/go-print.ts";
import { podTemplateHash } from "../../sim/src/api/template-hash.ts";
import type { JsonObject } from "../../sim/src/api/types.ts";
import type { Result, VectorFile } from "./harness.ts";
import { casesOf, nameOf, Tally } from "./harness.ts";

interface Case {
  template: JsonObject;
  collisionCount?: number | null;
  hash: string;
  goPrinted?: string;
}

export function replay(file: VectorFile): Result {
  const tally = new Tally();
  for (const [i, c] of casesOf<Case>(file).entries()) {
    const { template, collisionCount, hash, goPrinted } = c;
    const made = () => ({
      hash: podTemplateHash(template, collisionCount),
      ...(goPrinted === undefined ? {} : { goPrinted: printTemplate(template) }),
    });
    const expected = goPrinted === undefined ? { hash } : { hash, goPrinted };
    tally.same(nameOf(c, i), made, expected);
  }
  return tally.result();
}

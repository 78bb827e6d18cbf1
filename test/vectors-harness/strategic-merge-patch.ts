/** Replays strategic-merge-patch.json. */
import { strategicMerge } from "../../sim/src/api/patch/strategic.ts";
import { schemaTexts } from "../../sim/src/api/schema/texts.ts";
import { Schemas } from "../../sim/src/api/schema.ts";
import type { JsonObject } from "../../sim/src/api/types.ts";
import type { Result, VectorFile } from "./harness.ts";
import { casesOf, nameOf, Tally } from "./harness.ts";

interface Case {
  kind: string;
  current: JsonObject;
  patch: JsonObject;
  result?: JsonObject;
  error?: string;
}

export function replay(file: VectorFile): Result {
  const schemas = new Schemas(schemaTexts);
  const tally = new Tally();
  for (const [i, c] of casesOf<Case>(file).entries()) {
    const merge = () => strategicMerge(c.current, c.patch, c.kind, schemas);
    if (c.error) tally.throws(nameOf(c, i), merge, (error) => error.message === c.error);
    else tally.same(nameOf(c, i), merge, c.result);
  }
  return tally.result();
}

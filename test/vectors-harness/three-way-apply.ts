/** Replays three-way-apply.json: the patch kubectl apply makes, and its result. */
import { strategicMerge } from "../../sim/src/api/patch/strategic.ts";
import { threeWayPatch } from "../../sim/src/api/patch/three-way.ts";
import { schemaTexts } from "../../sim/src/api/schema/texts.ts";
import { Schemas } from "../../sim/src/api/schema.ts";
import type { JsonObject } from "../../sim/src/api/types.ts";
import type { Result, VectorFile } from "./harness.ts";
import { casesOf, nameOf, Tally } from "./harness.ts";

interface Case {
  kind?: string;
  lastApplied: JsonObject | null;
  live: JsonObject;
  manifest: JsonObject;
  patch: JsonObject;
  result: JsonObject;
}

export function replay(file: VectorFile): Result {
  const schemas = new Schemas(schemaTexts);
  const tally = new Tally();
  for (const [i, c] of casesOf<Case>(file).entries()) {
    const { lastApplied, live, manifest, patch, result } = c;
    const kind = kindOf(c);
    const apply = () => {
      const made = threeWayPatch({ lastApplied: lastApplied ?? {}, manifest, live }, kind, schemas);
      return { patch: made, result: strategicMerge(live, made, kind, schemas) };
    };
    tally.same(nameOf(c, i), apply, { patch, result });
  }
  return tally.result();
}

/** A case may name its kind, or hold it; else its fields tell. */
function kindOf({ kind, manifest, live }: Case): string {
  const named = kind ?? manifest.kind ?? live.kind;
  if (typeof named === "string") return named;
  const spec = { ...(live.spec as JsonObject), ...(manifest.spec as JsonObject) };
  if (spec.containers) return "Pod";
  if (!spec.template && (spec.ports || spec.clusterIP)) return "Service";
  return manifest.data || live.data ? "ConfigMap" : "Deployment";
}

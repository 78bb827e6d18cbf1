/** The schemas of all kinds, as the simulator's schema texts have them. */
import { readdirSync } from "node:fs";
import { Schemas } from "../../../sim/src/api/schema.ts";

const folder = new URL("../../../sim/src/api/schema/", import.meta.url);

/** Reads every `…Schema` text under sim/src/api/schema. */
export async function loadSchemas(): Promise<Schemas> {
  const schemas = new Schemas();
  for (const name of readdirSync(folder).toSorted()) {
    const module: Record<string, unknown> = await import(new URL(name, folder).href);
    for (const [key, text] of Object.entries(module)) {
      if (key.endsWith("Schema") && typeof text === "string") schemas.add(text);
    }
  }
  return schemas;
}

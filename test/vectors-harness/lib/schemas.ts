/** The schemas of all kinds, as the simulator's schema texts have them. */
import { schemaTexts } from "../../../sim/src/api/schema/texts.ts";
import { Schemas } from "../../../sim/src/api/schema.ts";

export async function loadSchemas(): Promise<Schemas> {
  return new Schemas(schemaTexts);
}

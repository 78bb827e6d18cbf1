/** An object of the API as the JSON that it is. */
import type { JsonObject } from "../../api/types.ts";

export function json(value: object): JsonObject {
  return value as JsonObject;
}

/** The operation that a verb is for admission. */
import type { Operation } from "./plugin.ts";

export function operationOf(verb: string, exists: boolean): Operation {
  switch (verb) {
    case "create":
      return "CREATE";
    case "delete":
    case "deletecollection":
      return "DELETE";
    case "update":
    case "patch":
      return exists ? "UPDATE" : "CREATE";
    default:
      return "CONNECT";
  }
}

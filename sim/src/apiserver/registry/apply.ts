/** Server-side apply. */
import type { Obj } from "../../api/kinds/definition.ts";
import { statusError } from "../../api/status.ts";
import type { RequestContext } from "../context.ts";

export function serverSideApply(_ctx: RequestContext): Obj {
  throw statusError(415, "UnsupportedMediaType", "415: Unsupported Media Type");
}

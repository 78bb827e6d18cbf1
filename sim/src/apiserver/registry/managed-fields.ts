/** Who set which field. */
import type { RequestContext } from "../context.ts";

export function trackFields(_ctx: RequestContext): void {}

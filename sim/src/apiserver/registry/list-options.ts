/**
 * Which combinations of list options make sense.
 * Models: apimachinery/pkg/apis/meta/internalversion/validation @ v1.36
 */
import {
  type FieldError,
  forbidden,
  notSupported,
} from "../../api/field-error.ts";
import {
  badRequest,
  invalidObject,
  tooLargeResourceVersion,
} from "../../api/status.ts";
import type { RequestContext } from "../context.ts";

const OPTIONS = { group: "meta.k8s.io", kind: "ListOptions" };

/** Throws 400, 422 or 504. */
export function checkListOptions(ctx: RequestContext): void {
  const { resourceVersion, resourceVersionMatch, sendInitialEvents } =
    ctx.options;
  const errors: FieldError[] = [];
  if (sendInitialEvents !== undefined) {
    const why = "sendInitialEvents is forbidden for list";
    errors.push(forbidden("sendInitialEvents", why));
  }
  if (resourceVersionMatch) {
    const match = "resourceVersionMatch";
    if (!resourceVersion) {
      const why = `${match} is forbidden unless resourceVersion is provided`;
      errors.push(forbidden(match, why));
    }
    if (ctx.options.continue) {
      const why = `${match} is forbidden when continue is provided`;
      errors.push(forbidden(match, why));
    }
    const supported = ["Exact", "NotOlderThan"];
    if (!supported.includes(resourceVersionMatch)) {
      errors.push(notSupported(match, resourceVersionMatch, supported));
    }
    if (resourceVersionMatch === "Exact" && resourceVersion === "0") {
      const why = `${match} "Exact" is forbidden for resourceVersion "0"`;
      errors.push(forbidden(match, why));
    }
  }
  if (errors.length > 0) throw invalidObject(OPTIONS, "", errors);
  checkRevision(ctx);
}

export function checkWatchOptions(ctx: RequestContext): void {
  const { resourceVersionMatch, sendInitialEvents } = ctx.options;
  const errors: FieldError[] = [];
  const match = "resourceVersionMatch";
  if (resourceVersionMatch && sendInitialEvents === undefined) {
    const why = `${match} is forbidden for watch unless sendInitialEvents is provided`;
    errors.push(forbidden(match, why));
  }
  if (sendInitialEvents !== undefined) {
    if (resourceVersionMatch !== "NotOlderThan") {
      const why =
        "sendInitialEvents requires setting resourceVersionMatch to NotOlderThan";
      errors.push(forbidden(match, why));
    }
  }
  if (resourceVersionMatch && resourceVersionMatch !== "NotOlderThan") {
    const supported = ["NotOlderThan"];
    errors.push(notSupported(match, resourceVersionMatch, supported));
  }
  if (errors.length > 0) throw invalidObject(OPTIONS, "", errors);
  parseRevision(ctx.options.resourceVersion);
}

function checkRevision({ options, server }: RequestContext): void {
  const wanted = parseRevision(options.resourceVersion);
  const current = server.revision;
  if (wanted > current) throw tooLargeResourceVersion(wanted, current);
}

/** The number in a resourceVersion; 0 for none. Throws 400. */
export function parseRevision(text: string | undefined): number {
  if (!text) return 0;
  if (/^\d+$/.test(text)) return Number(text);
  const parse = `strconv.ParseUint: parsing "${text}": invalid syntax`;
  const field = `resourceVersion: Invalid value: "${text}": ${parse}`;
  throw badRequest(`invalid resource version: ${field}`);
}

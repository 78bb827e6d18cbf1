/**
 * Which combinations of list options make sense.
 * Models: apimachinery/pkg/apis/meta/internalversion/validation,
 *         apiserver/pkg/storage/api_object_versioner.go @ v1.36
 */
import {
  type FieldError,
  forbidden,
  notSupported,
} from "../../api/field-error.ts";
import { quote } from "../../api/go-text.ts";
import {
  badRequest,
  invalidObject,
  statusError,
  tooLargeResourceVersion,
} from "../../api/status.ts";
import type { RequestOptions } from "../../api/transport.ts";
import type { RequestContext } from "../context.ts";

/** Throws 400 for the first number in a URL that is none. */
export function checkNumbers(
  { unparsed }: RequestOptions,
  ...names: readonly string[]
): void {
  if (unparsed) refuseNumbers(unparsed, names);
}

function refuseNumbers(
  unparsed: { readonly [name: string]: string },
  names: readonly string[],
): void {
  for (const name of names) {
    const text = unparsed[name];
    if (text !== undefined) throw noNumber(text);
  }
}

/** 400 of a text that is no 64-bit integer. */
export function noNumber(text: string) {
  const digits = /^[-+]?\d+$/.test(text);
  const why = digits ? "value out of range" : "invalid syntax";
  return badRequest(`strconv.ParseInt: parsing ${quote(text)}: ${why}`);
}

/** Throws 422. */
export function checkListOptions({ options }: RequestContext): void {
  const { resourceVersionMatch: match, sendInitialEvents } = options;
  if (match || sendInitialEvents !== undefined) refuse(listErrors(options));
}

/** Throws 422. */
export function checkWatchOptions({ options }: RequestContext): void {
  const { resourceVersionMatch: match, sendInitialEvents } = options;
  if (match || sendInitialEvents !== undefined) refuse(watchErrors(options));
}

function refuse(errors: readonly FieldError[]): void {
  if (errors.length === 0) return;
  const kind = { group: "meta.k8s.io", kind: "ListOptions" };
  throw invalidObject(kind, "", errors);
}

function matchForbidden(when: string): FieldError {
  const field = "resourceVersionMatch";
  return forbidden(field, `${field} is forbidden ${when}`);
}

function listErrors(options: RequestOptions): FieldError[] {
  const { resourceVersion, resourceVersionMatch, sendInitialEvents } = options;
  // Whatever the type says: it comes from outside.
  const match: string = resourceVersionMatch ?? "";
  const errors: FieldError[] = [];
  if (match && !resourceVersion) {
    errors.push(matchForbidden("unless resourceVersion is provided"));
  }
  if (match && options.continue) {
    errors.push(matchForbidden("when continue is provided"));
  }
  if (match && match !== "Exact" && match !== "NotOlderThan") {
    const known = ["Exact", "NotOlderThan", ""];
    errors.push(notSupported("resourceVersionMatch", match, known));
  }
  if (match === "Exact" && resourceVersion === "0") {
    const why = `resourceVersionMatch "exact" is forbidden for resourceVersion "0"`;
    errors.push(forbidden("resourceVersionMatch", why));
  }
  if (sendInitialEvents !== undefined) {
    const field = "sendInitialEvents";
    errors.push(forbidden(field, `${field} is forbidden for list`));
  }
  return errors;
}

function watchErrors(options: RequestOptions): FieldError[] {
  const { resourceVersionMatch: match, sendInitialEvents } = options;
  const errors: FieldError[] = [];
  const known = match === "NotOlderThan";
  if (sendInitialEvents !== undefined && !known) {
    const why =
      "sendInitialEvents requires setting resourceVersionMatch to NotOlderThan";
    errors.push(forbidden("resourceVersionMatch", why));
  }
  if (!match) return errors;
  if (sendInitialEvents === undefined) {
    errors.push(
      matchForbidden("for watch unless sendInitialEvents is provided"),
    );
  }
  if (!known) {
    errors.push(notSupported("resourceVersionMatch", match, ["NotOlderThan"]));
  }
  if (options.continue) {
    errors.push(matchForbidden("when continue is provided"));
  }
  return errors;
}

/** Throws 504 for a version that this server has not seen yet. */
export function checkRevision(
  { options, server }: RequestContext,
  list = false,
): void {
  const wanted = parseRevision(options.resourceVersion, list);
  const current = server.revision;
  if (wanted > current) throw tooLargeResourceVersion(wanted, current);
}

/** The number in a resourceVersion; 0 for none. Throws 400 or 500. */
export function parseRevision(text: string | undefined, list = false): number {
  if (!text) return 0;
  if (/^\d+$/.test(text) && Number(text) < 2 ** 64) return Number(text);
  throw badRevision(text, list);
}

/** Only lists know that it is the client's fault. */
function badRevision(text: string, list: boolean) {
  const why = /^\d+$/.test(text) ? "value out of range" : "invalid syntax";
  const parse = `strconv.ParseUint: parsing ${quote(text)}: ${why}`;
  const field = `resourceVersion: Invalid value: ${quote(text)}: ${parse}`;
  if (!list) return statusError(500, "", field);
  return badRequest(`invalid resource version: ${field}`);
}

/**
 * `?timeout=` of a request: what is no duration is refused before anything
 * else is looked at, even who asks.
 * Models:     apiserver/pkg/endpoints/filters/request_deadline.go @ v1.36
 * Leaves out: the deadline itself; the server answers when it is done.
 */
import { goDurationMs } from "../../api/go-duration.ts";
import { badRequest } from "../../api/status.ts";
import type { ParsedUrl } from "./url.ts";

/** Throws 400. */
export function checkTimeout(url: URL, parsed: ParsedUrl): void {
  const text = url.searchParams.get("timeout");
  if (!text || isLongRunning(parsed)) return;
  goDurationMs(text, (why) => {
    const what = "invalid timeout specified in the request URL";
    throw badRequest(`${what} - ${why}`);
  });
}

/** Those end when they end. */
function isLongRunning(parsed: ParsedUrl): boolean {
  if (!("resource" in parsed)) return false;
  const { verb, subresource = "" } = parsed.resource;
  const streams = /^(attach|exec|log|portforward|proxy)$/;
  return verb === "watch" || streams.test(subresource);
}

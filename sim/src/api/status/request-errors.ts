/**
 * Errors that concern a request and no object.
 * Models:     apimachinery/pkg/api/errors/errors.go,
 *             apiserver/pkg/endpoints/handlers/negotiation @ v1.36
 */
import { groupResource } from "../resource.ts";
import type { StatusError } from "./error.ts";
import { statusError } from "./error.ts";

/** A path that no resource has. */
export function resourceNotFound(): StatusError {
  const message = "the server could not find the requested resource";
  return statusError(404, "NotFound", message, {});
}

export function unauthorized(): StatusError {
  return statusError(401, "Unauthorized", "Unauthorized");
}

export function badRequest(message: string): StatusError {
  return statusError(400, "BadRequest", message);
}

/** The watch's or list's resourceVersion was compacted away. */
export function expired(message: string): StatusError {
  return statusError(410, "Expired", message);
}

export function gone(message: string): StatusError {
  return statusError(410, "Gone", message);
}

export function timeout(message: string, retryAfterSeconds = 0): StatusError {
  const details = retryAfterSeconds ? { retryAfterSeconds } : {};
  return statusError(504, "Timeout", `Timeout: ${message}`, details);
}

/** The client knows a version that this server has not seen yet. */
export function tooLargeResourceVersion(
  wanted: number,
  current: number,
): StatusError {
  const message = `Timeout: Too large resource version: ${wanted}, current: ${current}`;
  return statusError(504, "Timeout", message, {
    causes: [
      {
        reason: "ResourceVersionTooLarge",
        message: "Too large resource version",
      },
    ],
    retryAfterSeconds: 1,
  });
}

export function tooManyRequests(
  message: string,
  retryAfterSeconds = 0,
): StatusError {
  const details = retryAfterSeconds ? { retryAfterSeconds } : {};
  return statusError(429, "TooManyRequests", message, details);
}

export function serviceUnavailable(message: string): StatusError {
  return statusError(503, "ServiceUnavailable", message);
}

export function internalError(why: string): StatusError {
  const message = `Internal error occurred: ${why}`;
  return statusError(500, "InternalError", message, {
    causes: [{ message: why }],
  });
}

/** An HTTP method that the path does not have. */
export function methodNotAllowed(): StatusError {
  const message =
    "the server does not allow this method on the requested resource";
  return statusError(405, "MethodNotAllowed", message, {});
}

/** A kind that has no watch: it is answered, and not stored. */
export function watchNotSupported(of: {
  readonly group: string;
  readonly resource: string;
}): StatusError {
  const message = `watch is not supported on resources of kind ${JSON.stringify(groupResource(of))}`;
  const { group, resource: kind } = of;
  const details = group ? { group, kind } : { kind };
  return statusError(405, "MethodNotAllowed", message, details);
}

const mediaTypes = [
  "application/json",
  "application/yaml",
  "application/vnd.kubernetes.protobuf",
].join(", ");

/** A body in a format that cannot be read. */
export function unsupportedMediaType(accepted = mediaTypes): StatusError {
  const message = `the body of the request was in an unknown format - accepted media types include: ${accepted}`;
  return statusError(415, "UnsupportedMediaType", message);
}

export function notAcceptable(available = mediaTypes): StatusError {
  const message = `406: Not Acceptable\n\nAvailable representations: ${available}`;
  return statusError(406, "NotAcceptable", message, {});
}

export function requestEntityTooLarge(message: string): StatusError {
  const text = `Request entity too large: ${message}`;
  return statusError(413, "RequestEntityTooLarge", text);
}

/**
 * An error answer of the API server, thrown, and how to ask which it is.
 * Models:     apimachinery/pkg/api/errors/errors.go @ v1.36
 */
import type { Status, StatusDetails } from "../types.ts";

/** An error answer of the API server, thrown. `status` is its body. */
export class StatusError extends Error {
  readonly status: Status;

  constructor(status: Status) {
    super(status.message ?? status.reason ?? "unknown");
    this.name = "StatusError";
    this.status = status;
  }

  /** HTTP status code. */
  get code(): number {
    return this.status.code ?? 500;
  }

  get reason(): string {
    return this.status.reason ?? "";
  }
}

/** Any error answer. Without `details` the body has none. */
export function statusError(
  code: number,
  reason: string,
  message: string,
  details?: StatusDetails,
): StatusError {
  const status: Status = {
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status: "Failure",
    message,
    ...(reason ? { reason } : {}),
    ...(details ? { details } : {}),
    code,
  };
  return new StatusError(status);
}

/** The reason of an API error; "" for any other error. */
export function reasonOf(error: unknown): string {
  return error instanceof StatusError ? error.reason : "";
}

export function isNotFound(error: unknown): boolean {
  return reasonOf(error) === "NotFound";
}

export function isAlreadyExists(error: unknown): boolean {
  return reasonOf(error) === "AlreadyExists";
}

export function isConflict(error: unknown): boolean {
  return reasonOf(error) === "Conflict";
}

export function isInvalid(error: unknown): boolean {
  return reasonOf(error) === "Invalid";
}

export function isForbidden(error: unknown): boolean {
  return reasonOf(error) === "Forbidden";
}

export function isTimeout(error: unknown): boolean {
  return reasonOf(error) === "Timeout";
}

export function isTooManyRequests(error: unknown): boolean {
  return reasonOf(error) === "TooManyRequests";
}

/** 410: relist and watch anew. */
export function isGone(error: unknown): boolean {
  const reason = reasonOf(error);
  return reason === "Gone" || reason === "Expired";
}

/** The namespace of a write is being taken down. */
export function hasCause(error: unknown, reason: string): boolean {
  if (!(error instanceof StatusError)) return false;
  const causes = error.status.details?.causes ?? [];
  return causes.some((cause) => cause.reason === reason);
}

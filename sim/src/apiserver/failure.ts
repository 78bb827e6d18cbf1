/** From an error to an answer. */
import { StatusError, statusError } from "../api/status.ts";
import type { ApiResponse } from "../api/transport.ts";
import { EtcdError } from "../etcd/index.ts";

/** The answer that an error becomes; errors of our own code stay errors. */
export function failure(error: unknown): ApiResponse {
  if (error instanceof StatusError) {
    const { status, code } = error;
    const retryAfterSeconds = status.details?.retryAfterSeconds;
    return retryAfterSeconds === undefined
      ? { code, body: status }
      : { code, body: status, retryAfterSeconds };
  }
  if (error instanceof EtcdError) {
    const { status } = statusError(500, "", error.message);
    return { code: 500, body: status };
  }
  throw error;
}

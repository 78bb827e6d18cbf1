/**
 * Errors as kubectl prints them.
 * Models:     kubectl/pkg/cmd/util/helpers.go (StandardErrorMessage) @ v1.36
 */
import type { StatusError } from "../api/status.ts";

/** `Error from server (NotFound): …`; `doing` stands before the message. */
export function serverError(error: StatusError, doing = ""): string {
  const { reason, message } = error;
  const text = doing ? `${doing}: ${message}` : message;
  if (reason === "Invalid" && doing === "") return invalid(error);
  if (reason === "") return `Error from server: ${text}`;
  return reason === "Invalid"
    ? `${capital(doing)}: ${message}`
    : `Error from server (${reason}): ${text}`;
}

function invalid(error: StatusError): string {
  return `${error.message}`;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

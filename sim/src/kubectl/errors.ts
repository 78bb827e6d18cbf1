/**
 * Errors as kubectl prints them.
 * Models:     kubectl/pkg/cmd/util/helpers.go (checkErr, StandardErrorMessage,
 *             AddSourceToErr) @ v1.36
 */
import { StatusError } from "../api/status.ts";
import { ConnectionError } from "../api/transport.ts";
import { CommandError, Errors, PlainError } from "./environment.ts";

/** What goes to standard error; undefined: no error of ours. */
export function errorText(error: unknown): string | undefined {
  if (error instanceof Errors) {
    return error.errors.map((one) => messageOf(one)).join("\n");
  }
  if (error instanceof PlainError) return error.message;
  if (error instanceof CommandError) return `error: ${error.message}`;
  if (error instanceof StatusError) {
    return error.reason === "Invalid" ? invalid(error) : serverError(error);
  }
  return error instanceof ConnectionError ? refused(error) : undefined;
}

/** One of several: without `error: ` before it. */
function messageOf(error: unknown): string {
  if (error instanceof StatusError) return serverError(error);
  if (error instanceof CommandError) return error.message;
  return errorText(error) ?? String(error);
}

/** `Error from server (NotFound): …` */
export function serverError({ reason, message }: StatusError): string {
  if (reason === "Unauthorized")
    return `error: You must be logged in to the server (${message})`;
  const where = reason === "" ? "" : ` (${reason})`;
  return `Error from server${where}: ${message}`;
}

/** `The Deployment "web" is invalid: …`, a line a cause. */
function invalid({ status, message }: StatusError): string {
  const { details } = status;
  if (!details) return `The request is invalid: ${message}`;
  const { kind = "", name = "", causes = [] } = details;
  const named = kind !== "" || name !== "";
  const head = named
    ? `The ${kind} "${name}" is invalid`
    : "The request is invalid";
  const lines = [
    ...new Set(causes.map((cause) => `${cause.field}: ${cause.message}`)),
  ];
  if (lines.length === 0) return named ? head : `${head}: ${message}`;
  if (lines.length === 1) return `${head}: ${lines[0]}`;
  return `${head}: \n${lines.map((line) => `* ${line}`).join("\n")}`;
}

function refused({ target, message }: ConnectionError): string {
  if (!message.includes("connection refused")) {
    return `Unable to connect to the server: ${message}`;
  }
  return (
    `The connection to the server ${target} was refused - did you ` +
    "specify the right host or port?"
  );
}

/** The same error, telling what was being done to which file. */
export function whileDoing(
  error: unknown,
  doing: string,
  file: string,
): unknown {
  if (!(error instanceof StatusError)) return error;
  const message = `error when ${doing} "${file}": ${error.message}`;
  return new StatusError({ ...error.status, message });
}

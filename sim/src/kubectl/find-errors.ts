/**
 * Errors of reading objects, with what was looked for.
 * Models:     cli-runtime/pkg/resource/{selector,visitor}.go @ v1.36
 */
import { quote } from "../api/go-text.ts";
import type { Kind } from "../api/kinds/definition.ts";
import { Namespace } from "../api/kinds/namespace.ts";
import { isNotFound, StatusError } from "../api/status.ts";
import type { RequestOptions } from "../api/transport.ts";
import type { Environment } from "./environment.ts";

/** Where an object is not found, its Namespace may be what is missing. */
export async function namespaceMissing(
  error: StatusError,
  namespace: string,
  env: Environment,
): Promise<StatusError | undefined> {
  if (!isNotFound(error) || !namespace || namespace === "default") return;
  try {
    await env.client.get(Namespace, "", namespace);
  } catch (missing) {
    if (isNotFound(missing)) return missing as StatusError;
  }
  return;
}

/** Tells what was looked for, where the request was no good. */
export function listError(error: unknown, kind: Kind, options: RequestOptions) {
  if (!(error instanceof StatusError)) return error;
  if (error.reason !== "BadRequest" && !isNotFound(error)) return error;
  const { labelSelector = "", fieldSelector = "" } = options;
  const { group, version, resource } = kind;
  const what = `"${group}/${version}, Resource=${resource}"`;
  const doing =
    labelSelector || fieldSelector
      ? `Unable to find ${what} that match label selector ` +
        `${quote(labelSelector)}, field selector ${quote(fieldSelector)}`
      : `Unable to list ${what}`;
  const message = `${doing}: ${error.message}`;
  return new StatusError({ ...error.status, message });
}

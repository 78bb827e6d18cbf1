/**
 * The errors of an API server, with upstream's code, reason and wording.
 * Models:     apimachinery/pkg/api/errors/errors.go @ v1.36
 * Leaves out: errors of streaming and of protobuf.
 */
import type { FieldError } from "../field-error.ts";
import { aggregate, causeOf, fieldErrorText } from "../field-error.ts";
import { quote } from "../go-text.ts";
import { groupResource } from "../resource.ts";
import type { StatusCause, StatusDetails } from "../types.ts";
import type { StatusError } from "./error.ts";
import { statusError } from "./error.ts";

/** A resource as errors name it: `{ group: "apps", resource: "deployments" }`. */
export interface Resource {
  readonly group: string;
  readonly resource: string;
}

export function notFound(resource: Resource, name: string): StatusError {
  const message = `${groupResource(resource)} ${quote(name)} not found`;
  return statusError(404, "NotFound", message, detailsOf(resource, name));
}

export function alreadyExists(resource: Resource, name: string): StatusError {
  const message = `${groupResource(resource)} ${quote(name)} already exists`;
  return statusError(409, "AlreadyExists", message, detailsOf(resource, name));
}

/** A name that generateName made was taken, many times over. */
export function generateNameConflict(
  resource: Resource,
  name: string,
): StatusError {
  const message = `${groupResource(resource)} ${quote(name)} already exists, the server was not able to generate a unique name for the object`;
  return statusError(409, "AlreadyExists", message, {
    ...detailsOf(resource, name),
    retryAfterSeconds: 1,
  });
}

export function conflict(
  resource: Resource,
  name: string,
  why: string,
): StatusError {
  const message = `Operation cannot be fulfilled on ${groupResource(resource)} ${quote(name)}: ${why}`;
  return statusError(409, "Conflict", message, detailsOf(resource, name));
}

/** What an update with an old resourceVersion gets. */
export function staleVersion(resource: Resource, name: string): StatusError {
  const why =
    "the object has been modified; please apply your changes to the latest version and try again";
  return conflict(resource, name, why);
}

/** Server-side apply met fields of other managers. */
export function applyConflict(
  causes: readonly StatusCause[],
  message: string,
): StatusError {
  return statusError(409, "Conflict", message, { causes });
}

/** Validation failed. `kind` is the kind, not the resource. */
export function invalidObject(
  kind: { readonly group: string; readonly kind: string },
  name: string,
  errors: readonly FieldError[],
): StatusError {
  const qualified = kind.group ? `${kind.kind}.${kind.group}` : kind.kind;
  const why =
    errors.length > 0 ? `: ${aggregate(errors.map(fieldErrorText))}` : "";
  return statusError(
    422,
    "Invalid",
    `${qualified} ${quote(name)} is invalid${why}`,
    {
      ...(name ? { name } : {}),
      ...(kind.group ? { group: kind.group } : {}),
      ...(kind.kind ? { kind: kind.kind } : {}),
      ...(errors.length > 0 ? { causes: errors.map(causeOf) } : {}),
    },
  );
}

/** `name` may be "" and the resource too, as upstream allows. */
export function forbidden(
  resource: Resource,
  name: string,
  why: string,
  causes?: readonly StatusCause[],
): StatusError {
  const subject = groupResource(resource);
  let message = `${subject} ${quote(name)} is forbidden: ${why}`;
  if (subject === "") message = `forbidden: ${why}`;
  else if (name === "") message = `${subject} is forbidden: ${why}`;
  return statusError(403, "Forbidden", message, {
    ...detailsOf(resource, name),
    ...(causes ? { causes } : {}),
  });
}

/** A verb that the resource does not have. */
export function methodNotSupported(
  resource: Resource,
  action: string,
): StatusError {
  const kind = quote(groupResource(resource));
  const message = `${action} is not supported on resources of kind ${kind}`;
  return statusError(405, "MethodNotAllowed", message, detailsOf(resource, ""));
}

export function serverTimeout(
  resource: Resource,
  operation: string,
  retryAfterSeconds: number,
): StatusError {
  const message = `The ${operation} operation against ${groupResource(resource)} could not be completed at this time, please try again.`;
  return statusError(500, "ServerTimeout", message, {
    ...(resource.group ? { group: resource.group } : {}),
    kind: resource.resource,
    name: operation,
    ...(retryAfterSeconds ? { retryAfterSeconds } : {}),
  });
}

function detailsOf({ group, resource }: Resource, name: string): StatusDetails {
  return {
    ...(name ? { name } : {}),
    ...(group ? { group } : {}),
    ...(resource ? { kind: resource } : {}),
  };
}

/**
 * An admission plugin looks at a write after the user was allowed to make it.
 * A mutating one may complete the object, a validating one may refuse it.
 * Models: apiserver/pkg/admission/interfaces.go @ v1.36
 */
import type { Operation } from "../../api/admission-review.ts";
import { forbidden, type StatusError } from "../../api/status.ts";
import type { StatusCause } from "../../api/types.ts";
import type { RequestContext } from "../context.ts";
import type { MaybePromise } from "../maybe.ts";

export type { Operation };

/** What a write is about, before its object is looked at. */
export interface Target {
  readonly operation: Operation;
  readonly group: string;
  readonly resource: string;
  readonly subresource: string;
}

export interface AdmissionPlugin {
  readonly name: string;
  /** False: writes like this one never concern it. */
  handles(target: Target): boolean;
  /** May put another object in `ctx.object`. */
  mutate?(ctx: RequestContext): MaybePromise<void>;
  /** Throws to refuse. */
  validate?(ctx: RequestContext): MaybePromise<void>;
}

/** True for writes of Pods themselves. */
export function isPodWrite({ group, resource, subresource }: Target): boolean {
  return resource === "pods" && group === "" && subresource === "";
}

/** True for writes that give the containers of a Pod more or less. */
export function isPodResize(target: Target): boolean {
  const { operation, group, resource, subresource } = target;
  const isPod = resource === "pods" && group === "";
  return isPod && subresource === "resize" && operation === "UPDATE";
}

/** The name that a refusal says: also where only its beginning is known. */
export function nameFor(ctx: RequestContext): string {
  return ctx.name || ctx.object?.metadata.generateName || "";
}

/** 403 of a plugin: `pods "x" is forbidden: …` */
export function refuse(
  ctx: RequestContext,
  why: string,
  causes?: readonly StatusCause[],
): StatusError {
  return forbidden(ctx.resource.kind, nameFor(ctx), why, causes);
}

/**
 * The way of a request through the API server: an array of stages, each with
 * a name and a function. A stage fills the context in, refuses the request by
 * throwing a StatusError, or ends it by setting the response. This array is
 * what runs; take a stage out, or put one in, and the server does as it says.
 * Models:     apiserver/pkg/server/config.go (DefaultBuildHandlerChain),
 *             apiserver/pkg/endpoints/handlers/{create,update,patch,delete}.go
 * Try:        put `admit` before `mutate`, and send a Pod without requests to
 *             a namespace with a quota and a limit range.
 */
import type { ApiResponse } from "../api/transport.ts";
import { admit, mutate } from "./admission/stages.ts";
import { authenticateStage } from "./authentication/stage.ts";
import { authorizeStage } from "./authorization/stage.ts";
import type { RequestContext } from "./context.ts";
import type { FlowControl } from "./flow-control.ts";
import type { MaybePromise } from "./maybe.ts";
import { loadObject } from "./registry/load.ts";
import { answerReads } from "./registry/read.ts";
import { patchObject, readBody } from "./registry/read-body.ts";
import { readRaw } from "./registry/read-raw.ts";
import { store } from "./registry/store.ts";
import { answerSubresource } from "./registry/subresource.ts";
import { validate } from "./registry/validate.ts";

export interface Stage {
  readonly name: string;
  run(ctx: RequestContext): MaybePromise<void>;
}

// region: pipeline
/** Who are you? May you? Then what you ask, made whole, checked and kept. */
export const PIPELINE: readonly Stage[] = [
  { name: "authentication", run: authenticateStage },
  { name: "authorization", run: authorizeStage },
  { name: "reads", run: answerReads },
  { name: "body", run: readRaw },
  { name: "subresources", run: answerSubresource },
  { name: "decoding and defaulting", run: readBody },
  { name: "load", run: loadObject },
  { name: "patching", run: patchObject },
  { name: "mutating admission", run: mutate },
  { name: "validation", run: validate },
  { name: "validating admission", run: admit },
  { name: "storage", run: store },
];
// endregion: pipeline

/** The same with a stage that lets requests wait for their turn. */
export function withFlowControl(control: FlowControl): readonly Stage[] {
  const [authentication, ...rest] = PIPELINE;
  const run = (ctx: RequestContext) => control.enter(ctx);
  return [authentication!, { name: "flow control", run }, ...rest];
}

/** Runs the stages from `from` on until one answers. */
export function runStages(
  ctx: RequestContext,
  stages: readonly Stage[],
  from = 0,
): MaybePromise<ApiResponse> {
  for (let i = from; i < stages.length; i++) {
    const done = stages[i]!.run(ctx);
    if (done instanceof Promise) {
      return done.then(() => ctx.response ?? runStages(ctx, stages, i + 1));
    }
    if (ctx.response) return ctx.response;
  }
  throw new Error(`no stage answered ${ctx.request.verb}`);
}

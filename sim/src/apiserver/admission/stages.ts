/**
 * The two admission stages. Which plugins a write concerns is worked out once
 * a resource and remembered.
 * Models: apiserver/pkg/admission/chain.go @ v1.36
 */
import { StatusError } from "../../api/status.ts";
import { type RequestContext, recordStage } from "../context.ts";
import { andThen, forEach, type MaybePromise } from "../maybe.ts";
import type { AdmissionPlugin, Operation, Target } from "./plugin.ts";

/** Plugins by target, of one server. */
export class AdmissionChain {
  readonly plugins: readonly AdmissionPlugin[];
  private readonly concerned = new Map<string, Concerned>();

  constructor(plugins: readonly AdmissionPlugin[]) {
    this.plugins = plugins;
  }

  for(ctx: RequestContext): Concerned {
    const { verb, group, resource, subresource = "" } = ctx.request;
    const operation = operationOf(verb, ctx.old !== undefined);
    const key = `${operation} ${group}/${resource}/${subresource}`;
    let found = this.concerned.get(key);
    if (!found) {
      const target: Target = { operation, group, resource, subresource };
      const all = this.plugins.filter((plugin) => plugin.handles(target));
      found = {
        mutating: all.filter((plugin) => plugin.mutate),
        validating: all.filter((plugin) => plugin.validate),
      };
      this.concerned.set(key, found);
    }
    return found;
  }
}

interface Concerned {
  readonly mutating: readonly AdmissionPlugin[];
  readonly validating: readonly AdmissionPlugin[];
}

/** The operation that a verb is for admission. */
export function operationOf(verb: string, exists: boolean): Operation {
  if (verb === "create") return "CREATE";
  if (verb === "delete" || verb === "deletecollection") return "DELETE";
  if (verb === "update" || verb === "patch")
    return exists ? "UPDATE" : "CREATE";
  return "CONNECT";
}

// region: mutate
export function mutate(ctx: RequestContext): MaybePromise<void> {
  const { mutating } = ctx.server.admission.for(ctx);
  return forEach(mutating, (plugin) => {
    const before = ctx.object;
    const done = attempt(ctx, plugin.name, "mutate", () => plugin.mutate!(ctx));
    return andThen(done, () => {
      if (ctx.object === before) return;
      const after = ctx.object;
      const detail = {
        verdict: "change",
        by: plugin.name,
        before,
        after,
      } as const;
      recordStage(ctx, "mutate", detail);
    });
  });
}
// endregion: mutate

export function admit(ctx: RequestContext): MaybePromise<void> {
  const { validating } = ctx.server.admission.for(ctx);
  const done = forEach(validating, (plugin) =>
    attempt(ctx, plugin.name, "admit", () => plugin.validate!(ctx)),
  );
  return andThen(done, () => {
    const by = validating.map(({ name }) => name).join(", ");
    recordStage(ctx, "admit", { verdict: by ? "allow" : "none", by });
  });
}

/** Runs a plugin; its refusal is recorded on its way out. */
function attempt(
  ctx: RequestContext,
  by: string,
  verb: "mutate" | "admit",
  run: () => MaybePromise<void>,
): MaybePromise<void> {
  const note = (error: unknown): never => {
    if (error instanceof StatusError) {
      recordStage(ctx, verb, { verdict: "deny", by, message: error.message });
    }
    throw error;
  };
  try {
    const done = run();
    return done instanceof Promise ? done.catch(note) : done;
  } catch (error) {
    return note(error);
  }
}

/**
 * The two admission stages. Which plugins a write concerns is worked out once
 * a resource and remembered.
 * Models: apiserver/pkg/admission/chain.go @ v1.36
 */
import { StatusError } from "../../api/status.ts";
import type { StageDetail } from "../../api/transport.ts";
import { type RequestContext, recordStage } from "../context.ts";
import { andThen, forEach, type MaybePromise } from "../maybe.ts";
import { operationOf } from "./operation.ts";
import type { AdmissionPlugin, Operation, Target } from "./plugin.ts";

/** Plugins by target, of one server. */
export class AdmissionChain {
  readonly plugins: readonly AdmissionPlugin[];
  /** By resource, then by operation and subresource. */
  private readonly concerned = new WeakMap<object, Map<string, Concerned>>();

  constructor(plugins: readonly AdmissionPlugin[]) {
    this.plugins = plugins;
  }

  for(ctx: RequestContext): Concerned {
    const { verb, subresource = "" } = ctx.request;
    const operation = operationOf(verb, ctx.old !== undefined);
    const key = operation + subresource;
    let ofResource = this.concerned.get(ctx.resource);
    if (!ofResource) {
      ofResource = new Map();
      this.concerned.set(ctx.resource, ofResource);
    }
    let found = ofResource.get(key);
    if (!found) {
      found = this.select(ctx, operation);
      ofResource.set(key, found);
    }
    return found;
  }

  private select({ request }: RequestContext, operation: Operation) {
    const { group, resource, subresource = "" } = request;
    const target: Target = { operation, group, resource, subresource };
    const all = this.plugins.filter((plugin) => plugin.handles(target));
    const validating = all.filter((plugin) => plugin.validate);
    return {
      mutating: all.filter((plugin) => plugin.mutate),
      validating,
      admitted: admittedBy(validating.map(({ name }) => name).join(", ")),
    };
  }
}

interface Concerned {
  readonly mutating: readonly AdmissionPlugin[];
  readonly validating: readonly AdmissionPlugin[];
  /** What is recorded if none of the validating ones objects. */
  readonly admitted: StageDetail;
}

function admittedBy(by: string): StageDetail {
  return Object.freeze({ verdict: by ? "allow" : "none", by });
}

const UNCHANGED: StageDetail = Object.freeze({ verdict: "none", by: "" });

// region: mutate
export function mutate(ctx: RequestContext): MaybePromise<void> {
  const sent = ctx.object;
  const plugins = ctx.server.admission.for(ctx).mutating;
  const done = mutateAll(ctx, plugins);
  return andThen(done && reinvoke(ctx, plugins, done), () => {
    if (ctx.object === sent) recordStage(ctx, "mutate", UNCHANGED);
  });
}

/** Runs the plugins one after the other. */
function mutateAll(
  ctx: RequestContext,
  plugins: readonly AdmissionPlugin[],
): MaybePromise<void> {
  return forEach(plugins, (plugin) => {
    const before = ctx.object;
    const done = attempt(ctx, plugin, "mutate");
    return andThen(done, () => noteChange(ctx, plugin.name, before));
  });
}
// endregion: mutate

/**
 * A webhook changed the object: all look at it once more, itself among them
 * if it asks for that.
 * Models: apiserver/pkg/admission/reinvocation.go @ v1.36
 */
async function reinvoke(
  ctx: RequestContext,
  plugins: readonly AdmissionPlugin[],
  done: Promise<void>,
): Promise<void> {
  await done;
  const { reinvocation } = ctx;
  if (reinvocation?.isNeeded) {
    reinvocation.isAgain = true;
    await mutateAll(ctx, plugins);
  }
  ctx.reinvocation = undefined;
}

function noteChange(ctx: RequestContext, by: string, before: unknown): void {
  const after = ctx.object;
  if (after === before) return;
  recordStage(ctx, "mutate", { verdict: "change", by, before, after });
}

export function admit(ctx: RequestContext): MaybePromise<void> {
  const { validating, admitted } = ctx.server.admission.for(ctx);
  const ask = (plugin: AdmissionPlugin) => attempt(ctx, plugin, "admit");
  return andThen(forEach(validating, ask), () =>
    recordStage(ctx, "admit", admitted),
  );
}

/** Runs a plugin; its refusal is recorded on its way out. */
function attempt(
  ctx: RequestContext,
  plugin: AdmissionPlugin,
  verb: "mutate" | "admit",
): MaybePromise<void> {
  try {
    const done =
      verb === "mutate" ? plugin.mutate!(ctx) : plugin.validate!(ctx);
    if (!(done instanceof Promise)) return;
    return done.catch((error) => refused(ctx, plugin.name, verb, error));
  } catch (error) {
    refused(ctx, plugin.name, verb, error);
  }
}

function refused(
  ctx: RequestContext,
  by: string,
  verb: "mutate" | "admit",
  error: unknown,
): never {
  if (error instanceof StatusError) {
    recordStage(ctx, verb, { verdict: "deny", by, message: error.message });
  }
  throw error;
}

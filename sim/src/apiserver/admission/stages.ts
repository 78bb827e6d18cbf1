/**
 * The two admission stages. Which plugins a write concerns is worked out once
 * a resource and remembered.
 * Models: apiserver/pkg/admission/chain.go @ v1.36
 */
import { StatusError } from "../../api/status.ts";
import type { StageDetail } from "../../api/transport.ts";
import { type RequestContext, recordStage } from "../context.ts";
import type { MaybePromise } from "../maybe.ts";
import { operationOf } from "./operation.ts";
import type { AdmissionPlugin, Operation, Target } from "./plugin.ts";

/** Plugins by target, of one server. */
export class AdmissionChain {
  readonly plugins: readonly AdmissionPlugin[];
  /** By operation, resource and subresource. */
  private readonly concerned = {
    CREATE: new WeakMap<object, Map<string, Concerned>>(),
    UPDATE: new WeakMap<object, Map<string, Concerned>>(),
    DELETE: new WeakMap<object, Map<string, Concerned>>(),
    CONNECT: new WeakMap<object, Map<string, Concerned>>(),
  };

  constructor(plugins: readonly AdmissionPlugin[]) {
    this.plugins = plugins;
  }

  for(ctx: RequestContext): Concerned {
    const { verb, subresource = "" } = ctx.request;
    const operation = operationOf(verb, ctx.old !== undefined);
    const concerned = this.concerned[operation];
    let ofResource = concerned.get(ctx.resource);
    if (!ofResource) {
      ofResource = new Map();
      concerned.set(ctx.resource, ofResource);
    }
    let found = ofResource.get(subresource);
    if (!found) {
      found = this.select(ctx, operation);
      ofResource.set(subresource, found);
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
  const unchanged = () => {
    if (ctx.object !== sent) return;
    recordStage(ctx, "mutate", UNCHANGED);
  };
  const done = mutateFrom(ctx, plugins, 0);
  return done ? done.then(unchanged) : unchanged();
}

/** Runs the plugins from `from` on, one after the other. */
function mutateFrom(
  ctx: RequestContext,
  plugins: readonly AdmissionPlugin[],
  from: number,
): MaybePromise<void> {
  for (let i = from; i < plugins.length; i++) {
    const plugin = plugins[i]!;
    const before = ctx.object;
    const done = attempt(ctx, plugin, "mutate");
    if (done) {
      return done.then(() => {
        noteChange(ctx, plugin.name, before);
        return mutateFrom(ctx, plugins, i + 1);
      });
    }
    noteChange(ctx, plugin.name, before);
  }
}
// endregion: mutate

function noteChange(ctx: RequestContext, by: string, before: unknown): void {
  const after = ctx.object;
  if (after === before) return;
  recordStage(ctx, "mutate", { verdict: "change", by, before, after });
}

export function admit(ctx: RequestContext): MaybePromise<void> {
  return admitFrom(ctx, 0);
}

function admitFrom(ctx: RequestContext, from: number): MaybePromise<void> {
  const { validating, admitted } = ctx.server.admission.for(ctx);
  for (let i = from; i < validating.length; i++) {
    const done = attempt(ctx, validating[i]!, "admit");
    if (done) return done.then(() => admitFrom(ctx, i + 1));
  }
  recordStage(ctx, "admit", admitted);
}

/** Runs a plugin; its refusal is recorded on its way out. */
function attempt(
  ctx: RequestContext,
  plugin: AdmissionPlugin,
  verb: "mutate" | "admit",
): Promise<void> | undefined {
  try {
    const done =
      verb === "mutate" ? plugin.mutate!(ctx) : plugin.validate!(ctx);
    if (!(done instanceof Promise)) return undefined;
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

/**
 * Binding: the scheduler's word that a Pod belongs to a node. It can be given
 * once.
 * Models: BindingREST of pkg/registry/core/pod/storage/storage.go @ v1.36
 */
import { at, list, obj, str } from "../../../api/kinds/access.ts";
import type { Obj } from "../../../api/kinds/definition.ts";
import {
  badRequest,
  conflict,
  invalidObject,
  notFound,
} from "../../../api/status.ts";
import type { Condition, Json, Status } from "../../../api/types.ts";
import { admit, mutate } from "../../admission/stages.ts";
import type { RequestContext } from "../../context.ts";
import { andThen, type MaybePromise } from "../../maybe.ts";
import { commitUpdate } from "../commit.ts";
import { decodeBody } from "../decode.ts";
import { loadObject } from "../load.ts";
import { LostRace } from "../lost-race.ts";

const BINDINGS = { group: "", resource: "pods/binding" };

export const SUCCESS: Status = Object.freeze({
  kind: "Status",
  apiVersion: "v1",
  metadata: {},
  status: "Success",
  code: 201,
});

export function answerBinding(ctx: RequestContext): MaybePromise<void> {
  const { server } = ctx;
  const bindings = server.resourceOf("", "v1", "bindings")!;
  const binding = decodeBody(ctx, bindings, ctx.body);
  ctx.name ||= binding.metadata.name;
  if (ctx.name !== binding.metadata.name) {
    throw badRequest("name in URL does not match name in Binding object");
  }
  ctx.object = binding;
  return andThen(mutate(ctx), () => andThen(admit(ctx), () => bind(ctx)));
}

function bind(ctx: RequestContext): MaybePromise<void> {
  const binding = ctx.object!;
  const pods = ctx.server.resourceOf("", "v1", "pods")!;
  const { kind } = ctx.server.resourceOf("", "v1", "bindings")!;
  const errors = kind.validateCreate(binding);
  if (errors.length > 0) throw invalidObject(kind, ctx.name, errors);
  const about = { ...ctx, resource: pods };
  return andThen(loadObject({ ...about, request: asUpdate(ctx) }), () => {
    const pod = pods.storage!.get(ctx.namespace, ctx.name);
    if (!pod) throw notFound(pods.kind, ctx.name);
    const bound = boundPod(ctx, pod, binding);
    if (ctx.dryRun) return succeed(ctx);
    return andThen(commitUpdate(about, bound, pod), (stored) => {
      if (!stored) throw new LostRace();
      succeed(ctx);
    });
  });
}

function asUpdate({ request }: RequestContext) {
  return { ...request, verb: "patch" as const };
}

function succeed(ctx: RequestContext): void {
  ctx.response = { code: 201, body: SUCCESS };
}

function boundPod(ctx: RequestContext, pod: Obj, binding: Obj): Obj {
  const spec = obj(pod.spec);
  const node = str(at(binding.target as Json, "name"));
  const { metadata } = pod;
  const fail = (why: string): never => {
    throw conflict(BINDINGS, metadata.name, why);
  };
  const { uid } = binding.metadata;
  if (uid && uid !== metadata.uid) {
    fail(
      `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${metadata.uid}`,
    );
  }
  if (metadata.deletionTimestamp) {
    fail(`pod ${metadata.name} is being deleted, cannot be assigned to a host`);
  }
  if (str(spec.nodeName)) {
    fail(`pod ${metadata.name} is already assigned to node "${spec.nodeName}"`);
  }
  if (list(spec.schedulingGates).length > 0) {
    fail(`pod ${metadata.name} has non-empty .spec.schedulingGates`);
  }
  const { annotations, labels } = binding.metadata;
  const more = {
    ...(annotations
      ? { annotations: { ...metadata.annotations, ...annotations } }
      : {}),
    ...(labels ? { labels: { ...metadata.labels, ...labels } } : {}),
  };
  return {
    ...pod,
    metadata: annotations || labels ? { ...metadata, ...more } : metadata,
    spec: { ...spec, nodeName: node },
    status: scheduled(ctx, obj(pod.status)),
  };
}

/** Condition PodScheduled turns True; any old one is replaced. */
function scheduled(ctx: RequestContext, status: ReturnType<typeof obj>) {
  const conditions = list(
    status.conditions,
  ) as readonly unknown[] as Condition[];
  const lastTransitionTime = ctx.server.kernel.timestamp();
  const condition: Condition = {
    type: "PodScheduled",
    status: "True",
    lastProbeTime: null,
    lastTransitionTime,
  };
  const others = conditions.filter(({ type }) => type !== "PodScheduled");
  return { ...status, conditions: [...others, condition] };
}

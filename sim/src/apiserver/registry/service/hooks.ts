/**
 * Services get addresses and ports before they are checked; what a refused
 * request took is given back, and what a deleted Service had.
 * Models: pkg/registry/core/service/storage/{storage,alloc}.go @ v1.36
 */
import { type FieldError, invalid } from "../../../api/field-error.ts";
import {
  list,
  num,
  obj,
  same,
  str,
  strings,
} from "../../../api/kinds/access.ts";
import type { Obj } from "../../../api/kinds/definition.ts";
import {
  hasClusterIp,
  mayHaveNodePorts,
  needsHealthCheck,
  singleClusterIp,
} from "../../../api/kinds/service-strategy.ts";
import { internalError, invalidObject } from "../../../api/status.ts";
import type { JsonObject } from "../../../api/types.ts";
import type { RequestContext } from "../../context.ts";
import { withFamilies } from "./families.ts";

export function beginCreate(ctx: RequestContext, sent: Obj): Obj {
  const service = singleClusterIp(sent);
  return allocated(ctx, service, {});
}

export function beginUpdate(ctx: RequestContext, sent: Obj, old: Obj): Obj {
  const before = obj(old.spec);
  const spec = inherited(obj(sent.spec), before);
  const service = singleClusterIp({ ...sent, spec }, old);
  const done = allocated(ctx, service, before);
  return same(done.spec, sent.spec) ? sent : done;
}

function hasNodePorts({ type, ...spec }: JsonObject): boolean {
  if (type === "NodePort") return true;
  return (
    type === "LoadBalancer" && spec.allocateLoadBalancerNodePorts !== false
  );
}

/** What an update left out is as it was. */
function inherited(spec: JsonObject, before: JsonObject): JsonObject {
  let next = spec;
  if (hasClusterIp(spec) && hasClusterIp(before)) {
    if (!next.clusterIP) next = { ...next, clusterIP: before.clusterIP };
    const none = strings(next.clusterIPs).length === 0;
    if (none && next.clusterIP === before.clusterIP) {
      next = { ...next, clusterIPs: before.clusterIPs };
    }
  }
  if (hasNodePorts(spec) && hasNodePorts(before)) {
    next = { ...next, ports: inheritedPorts(spec, before) };
  }
  if (needsHealthCheck(spec) && needsHealthCheck(before)) {
    const healthCheckNodePort =
      num(spec.healthCheckNodePort) || before.healthCheckNodePort;
    next = { ...next, healthCheckNodePort };
  }
  return next;
}

function inheritedPorts(spec: JsonObject, before: JsonObject) {
  const usedBy = (one: JsonObject) =>
    new Set(list(one.ports).map(({ nodePort }) => num(nodePort)));
  const newly = usedBy(spec);
  const used = new Set([...usedBy(before)].filter((port) => newly.has(port)));
  const known = new Map(
    list(before.ports).map(({ name, nodePort }) => [str(name), num(nodePort)]),
  );
  return list(spec.ports).map((port) => {
    const old = known.get(str(port.name)) ?? 0;
    if (num(port.nodePort) > 0 || old === 0 || used.has(old)) return port;
    used.add(old);
    return { ...port, nodePort: old };
  });
}

/** Takes what the Service needs and does not have yet. Throws 422 and 500. */
function allocated(ctx: RequestContext, service: Obj, before: JsonObject): Obj {
  const refuse = (errors: readonly FieldError[]): never => {
    throw undone(
      ctx,
      invalidObject(ctx.resource.kind, service.metadata.name, errors),
    );
  };
  const fail = (error: FieldError | string): never => {
    if (typeof error !== "string") return refuse([error]);
    throw undone(ctx, internalError(error));
  };
  let next = withFamilies(obj(service.spec), before, refuse);
  if (hasClusterIp(next)) next = withAddress(ctx, next, before, fail);
  if (mayHaveNodePorts(next)) next = withPorts(ctx, next, before, fail);
  if (needsHealthCheck(next)) next = withHealthPort(ctx, next, before, fail);
  return next === service.spec ? service : { ...service, spec: next };
}

function undone(ctx: RequestContext, error: Error): Error {
  for (const undo of ctx.undo.splice(0)) undo();
  return error;
}

/** With a field that is wrong, or a word on what the server lacks. */
type Fail = (error: FieldError | string) => never;

function withAddress(
  ctx: RequestContext,
  spec: JsonObject,
  before: JsonObject,
  fail: Fail,
): JsonObject {
  const { addresses } = ctx.server.services;
  const asked = str(spec.clusterIP) || strings(spec.clusterIPs)[0] || "";
  if (asked === "None") return spec;
  if (hasClusterIp(before) && str(before.clusterIP)) return spec;
  let address = asked;
  if (asked) {
    const why = addresses.take(asked);
    const problem = `failed to allocate IP ${asked}: ${why}`;
    if (why) fail(invalid("spec.clusterIPs", [asked], problem));
  } else {
    const found = addresses.next();
    if (!found) return fail("failed to allocate a serviceIP: range is full");
    address = found;
  }
  ctx.undo.push(() => addresses.release(address));
  return { ...spec, clusterIP: address, clusterIPs: [address] };
}

function withPorts(
  ctx: RequestContext,
  spec: JsonObject,
  before: JsonObject,
  fail: Fail,
): JsonObject {
  const had = new Set(list(before.ports).map(({ nodePort }) => num(nodePort)));
  const { ports } = ctx.server.services;
  /** Two protocols may share one node port. */
  const ours = new Map<number, Set<string>>();
  const next = list(spec.ports).map((port, i) => {
    const asked = num(port.nodePort);
    const protocol = str(port.protocol);
    const path = `spec.ports[${i}].nodePort`;
    const shared =
      asked > 0 && ours.has(asked) && !ours.get(asked)!.has(protocol);
    if (asked > 0 && !had.has(asked) && !shared) {
      const why = ports.take(asked);
      if (why) return fail(invalid(path, asked, why));
      ctx.undo.push(() => ports.release(asked));
    }
    // Without any of its own it still gets those that it names.
    if (!asked && !hasNodePorts(spec)) return port;
    const found =
      asked || sharable(port, ours, list(spec.ports)) || ports.next();
    if (!found) return fail("failed to allocate a nodePort: range is full");
    if (!asked) ctx.undo.push(() => ports.release(found));
    ours.set(found, (ours.get(found) ?? new Set()).add(protocol));
    return asked ? port : { ...port, nodePort: found };
  });
  return { ...spec, ports: next };
}

/** The node port of the same port number for another protocol, if any. */
function sharable(
  { port, protocol }: JsonObject,
  ours: ReadonlyMap<number, ReadonlySet<string>>,
  all: readonly JsonObject[],
): number {
  for (const other of all) {
    const nodePort = num(other.nodePort);
    if (other.port !== port || other.protocol === protocol) continue;
    if (nodePort > 0 && !ours.get(nodePort)?.has(str(protocol)))
      return nodePort;
  }
  return 0;
}

function withHealthPort(
  ctx: RequestContext,
  spec: JsonObject,
  before: JsonObject,
  fail: Fail,
): JsonObject {
  const asked = num(spec.healthCheckNodePort);
  if (asked > 0 && asked === num(before.healthCheckNodePort)) return spec;
  const { ports } = ctx.server.services;
  if (asked > 0) {
    const why = ports.take(asked);
    const what = "failed to allocate requested HealthCheck NodePort";
    if (why) fail(`${what} ${asked}: ${why}`);
  }
  const found = asked || ports.next();
  if (!found) {
    return fail("failed to allocate a HealthCheck NodePort 0: range is full");
  }
  ctx.undo.push(() => ports.release(found));
  return { ...spec, healthCheckNodePort: found };
}

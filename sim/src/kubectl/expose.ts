/**
 * kubectl expose: a Service for the Pods of a workload.
 * Models:     kubectl/pkg/cmd/expose/expose.go @ v1.36
 */
import { goValue } from "../api/go-text.ts";
import { at, list, map, num, str } from "../api/kinds/access.ts";
import type { Obj } from "../api/kinds/definition.ts";
import { StatusError } from "../api/status.ts";
import type { Json, JsonObject, KubeObject } from "../api/types.ts";
import { type Args, flags, OUTPUT, parseArgs, SELECT } from "./args.ts";
import { made, pairsOf } from "./create/generator.ts";
import { send } from "./create.ts";
import {
  type Command,
  CommandError,
  type Environment,
  throwAll,
} from "./environment.ts";
import { type Found, find } from "./find.ts";
import { objectPrinterFor } from "./print/object.ts";
import { groupKind } from "./print/table.ts";
import { overridden } from "./run/overrides.ts";

const FLAGS = flags(
  "port:value target-port:value protocol:value name:value type:value " +
    "cluster-ip:value external-ip:value load-balancer-ip:value session-affinity:value labels:value,l " +
    "overrides:value override-type:value",
  OUTPUT,
  SELECT,
  { selector: { kind: "value" } },
);

export const expose: Command = async (argv, env) => {
  const args = parseArgs(argv, FLAGS);
  objectPrinterFor(args, env);
  const { selector, ...rest } = { selector: args.get("selector") };
  const unselected: Args = {
    ...args,
    ...rest,
    get: (name) => (name === "selector" ? undefined : args.get(name)),
  };
  const { items, errors } = await find(unselected, args.words, env, {
    verb: "expose",
  });
  const failed: unknown[] = [...errors];
  for (const found of items) {
    try {
      await exposeOne(found, selector, args, env);
    } catch (error) {
      if (!(error instanceof CommandError || error instanceof StatusError))
        throw error;
      failed.push(error);
    }
  }
  throwAll(failed);
  return 0;
};

async function exposeOne(
  found: Found,
  selector: string | undefined,
  args: Args,
  env: Environment,
): Promise<void> {
  const name = args.get("name") ?? found.object.metadata.name;
  const chosen = selector ? pairsOf(args, "selector") : selectorOf(found);
  const ports = portsOf(found, args);
  const labels = args.get("labels")
    ? pairsOf(args, "labels")
    : (found.object.metadata.labels ?? {});
  const externalIp = args.get("external-ip");
  const more: JsonObject = {
    ...optional("type", args.get("type")),
    ...optional("clusterIP", args.get("cluster-ip")),
    ...(externalIp ? { externalIPs: [externalIp] } : {}),
    ...(args.get("type") === "LoadBalancer"
      ? optional("loadBalancerIP", args.get("load-balancer-ip"))
      : {}),
    ...optional("sessionAffinity", args.get("session-affinity")),
  };
  const service = overridden(
    makeService(name, chosen, ports, more, labels),
    args,
    env,
  );
  await send(service, args, env, "kubectl-expose", "exposed");
}

function optional(name: string, value: string | undefined): JsonObject {
  return value ? { [name]: value } : {};
}

export function makeService(
  name: string,
  selector: JsonObject,
  ports: readonly JsonObject[],
  more: JsonObject,
  labels?: JsonObject,
): KubeObject {
  const spec = { ports, selector, ...more };
  const fields = { spec, status: { loadBalancer: {} } };
  const some = labels && Object.keys(labels).length > 0 ? labels : undefined;
  return made("v1", "Service", name, fields, some);
}

const WORKLOADS = ["Deployment", "ReplicaSet", "ReplicationController"];

function selectorOf({ kind, object }: Found): { [key: string]: string } {
  const { spec, metadata } = object as Obj & { spec: Json };
  if (kind.kind === "Service") return { ...map(at(spec, "selector")) };
  if (kind.kind === "Pod") {
    if (metadata.labels) return { ...metadata.labels };
    throw new CommandError(
      "couldn't retrieve selectors via --selector flag or introspection: the pod has no labels and cannot be exposed",
    );
  }
  if (!WORKLOADS.includes(kind.kind)) {
    throw new CommandError(`cannot expose a ${groupKind(kind)}`);
  }
  if (kind.kind === "ReplicationController")
    return { ...map(at(spec, "selector")) };
  const expressions = list(at(spec, "selector", "matchExpressions"));
  if (expressions.length > 0) {
    const texts = expressions.map(
      ({ key, operator, values }) =>
        `{Key:${key} Operator:${operator} Values:${goValue(values ?? [])}}`,
    );
    throw new CommandError(
      "couldn't retrieve selectors via --selector flag or introspection: " +
        `couldn't convert expressions - "[${texts.join(" ")}]" to map-based ` +
        "selector format",
    );
  }
  return { ...map(at(spec, "selector", "matchLabels")) };
}

function portsOf({ kind, object }: Found, args: Args): JsonObject[] {
  const protocol = args.get("protocol") ?? "TCP";
  const target = args.get("target-port");
  const port = args.int("port");
  const targetOf = (own: number) =>
    target === undefined ? own : /^\d+$/.test(target) ? Number(target) : target;
  if (port !== undefined)
    return [{ port, protocol, targetPort: targetOf(port) }];
  const path = kind.kind === "Pod" ? ["spec"] : ["spec", "template", "spec"];
  const containers = list(at(object as object as Json, ...path, "containers"));
  const found = containers.flatMap((one) => list(one.ports));
  if (found.length === 0) {
    throw new CommandError(
      "couldn't find port via --port flag or introspection",
    );
  }
  return found.map((one, i) => ({
    ...(found.length > 1 ? { name: `port-${i + 1}` } : {}),
    port: num(one.containerPort),
    protocol: str(one.protocol) || protocol,
    targetPort: targetOf(num(one.containerPort)),
  }));
}

/**
 * kubectl cluster-info: where the control plane answers; `dump` shows objects
 * and logs, as a person who helps would ask for them.
 * Models:     kubectl/pkg/cmd/clusterinfo @ v1.36
 */

import { list, num, obj, str } from "../api/kinds/access.ts";
import type { Obj } from "../api/kinds/definition.ts";
import { Pod } from "../api/kinds/pod.ts";
import { Service } from "../api/kinds/service.ts";
import { StatusError } from "../api/status.ts";
import { type Args, flags, parseArgs } from "./args.ts";
import { serverOf } from "./config/connect.ts";
import type { Command, Environment } from "./environment.ts";
import { kindNamed } from "./find.ts";
import { itemsOf, jsonOf } from "./objects.ts";
import { listInGoOrder } from "./print/go-order.ts";
import { objectPrinterFor, printText } from "./print/object.ts";
import { formatOf } from "./print/template-text.ts";

export const clusterInfo: Command = async (argv, env) => {
  const [first, ...rest] = argv;
  if (first === "dump") return dump(rest, env);
  const args = parseArgs(argv, {});
  const server = serverOf(env);
  const namespace = args.all("namespace").at(-1) ?? "kube-system";
  const labelSelector = "kubernetes.io/cluster-service=true";
  const services = await env.client.list(Service, namespace, { labelSelector });
  env.out(`Kubernetes control plane is running at ${server}`);
  for (const service of itemsOf(services)) {
    const { labels = {}, name } = service.metadata;
    const title = labels["kubernetes.io/name"] || name;
    env.out(`${title} is running at ${linkOf(service, server)}`);
  }
  env.out(
    "\nTo further debug and diagnose cluster problems, use 'kubectl cluster-info dump'.",
  );
  return 0;
};

/** By its load balancer, or through the API server. */
function linkOf(service: Obj, server: string): string {
  const { name, namespace } = service.metadata;
  const ports = list(obj(service.spec).ports);
  const [ingress] = list(obj(obj(service.status).loadBalancer).ingress);
  if (ingress) {
    const host = str(ingress.ip) || str(ingress.hostname);
    return ports.map(({ port }) => `http://${host}:${num(port)} `).join("");
  }
  const [port] = ports;
  const secure = port && (port.name === "https" || num(port.port) === 443);
  const which = `${secure ? "https:" : ""}${name}:${str(port?.name)}`;
  const shown = port ? which : name;
  return `${server}/api/v1/namespaces/${namespace}/services/${shown}/proxy`;
}

const KINDS = [
  ...["events", "replicationcontrollers", "services", "daemonsets.apps"],
  ...["deployments.apps", "replicasets.apps", "pods"],
];

async function dump(
  argv: readonly string[],
  env: Environment,
): Promise<number> {
  const table = flags(
    "output:value,o output-directory:value namespaces:value all-namespaces,A pod-running-timeout:value",
  );
  const args = parseArgs(argv, table);
  const printer = objectPrinterFor(withDefault(args), env)!;
  let count = 0;
  const print = async (name: string, namespace?: string) => {
    const kind = kindNamed(name, env);
    const { items, metadata } = await env.client.list(kind, namespace);
    // What is in a list of a Go type does not say its kind.
    const bare = (items as readonly Obj[]).map(
      ({ kind: _, apiVersion: __, ...one }) => one as Obj,
    );
    const object = listInGoOrder(kind, jsonOf(metadata), bare, env);
    const isYaml = formatOf(args).name === "yaml" && count++ > 0;
    const text = printer([{ kind, object }], true, true);
    printText(isYaml ? `---\n${text}` : text, env);
  };
  await print("nodes");
  for (const namespace of await namespacesOf(args, env)) {
    for (const name of KINDS) await print(name, namespace);
    const pods = await env.client.list(Pod, namespace);
    for (const pod of pods.items)
      for (const container of pod.spec.containers)
        await printLog(pod, container.name, env);
  }
  return 0;
}

/** JSON unless something else is asked for. */
function withDefault(args: Args): Args {
  return {
    ...args,
    get: (name) => args.get(name) ?? (name === "output" ? "json" : undefined),
  };
}

async function namespacesOf(args: Args, env: Environment): Promise<string[]> {
  if (args.on("all-namespaces")) {
    const all = await env.client.list(kindNamed("namespaces", env));
    return all.items.map(({ metadata }) => metadata.name);
  }
  const asked = args.list("namespaces").filter(Boolean);
  return asked.length > 0
    ? asked
    : ["kube-system", args.get("namespace") ?? "default"];
}

async function printLog(
  { metadata: { namespace = "", name } }: Pod,
  container: string,
  env: Environment,
): Promise<void> {
  env.out(
    `==== START logs for container ${container} of pod ${namespace}/${name} ====`,
  );
  try {
    const log = await env.client.getSub(Pod, namespace, name, "log", {
      container,
    });
    const text = str(jsonOf(log).text).replace(/\n$/, "");
    if (text) env.out(text);
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    env.out(`Request log error: ${error.message}`);
  }
  env.out(
    `==== END logs for container ${container} of pod ${namespace}/${name} ====`,
  );
}

/**
 * exec, attach, cp, port-forward and proxy: what they check before a stream
 * would be opened; then they say that there is none.
 * Models:     kubectl/pkg/cmd/{exec,attach,cp,portforward,proxy} @ v1.36
 * Leaves out: the streams themselves.
 */
import { at, list, num } from "../api/kinds/access.ts";
import { Pod } from "../api/kinds/pod.ts";
import type { Json } from "../api/types.ts";
import { type Args, flags, parseArgs, SELECT } from "./args.ts";
import {
  type Command,
  CommandError,
  type Environment,
  wrongUse,
} from "./environment.ts";
import { kindNamed, namespaceOf } from "./find.ts";
import { containersOf } from "./logs/containers.ts";
import { podBehind } from "./logs/pods.ts";

const FILES = { filename: SELECT.filename! };
const TERMINAL = flags(
  "container:value,c stdin,i tty,t quiet,q pod-running-timeout:value",
  FILES,
);

export const exec: Command = async (argv, env) => {
  const args = parseArgs(argv, TERMINAL);
  const [name, ...more] = args.words;
  if (name === undefined)
    throw new CommandError("pod, type/name or --filename must be specified");
  if (more.length > 0)
    throw wrongUse(
      "exec",
      "exec [POD] [COMMAND] is not supported anymore. Use exec [POD] -- [COMMAND] instead",
    );
  if (args.rest.length === 0)
    throw new CommandError(
      "you must specify at least one command for the container",
    );
  const pod = await podBehind(name, args, env);
  const phase = pod.status?.phase ?? "";
  if (phase === "Succeeded" || phase === "Failed")
    throw new CommandError(
      `cannot exec into a container in a completed pod; current phase is ${phase}`,
    );
  containersOf(pod, args, env);
  return open(pod, "exec", env);
};

export const attach: Command = async (argv, env) => {
  const args = parseArgs(argv, TERMINAL);
  const [name, ...more] = args.words;
  if (name === undefined && args.all("filename").length === 0)
    throw new CommandError("at least 1 argument is required for attach");
  if (more.length > 1)
    throw new CommandError(
      "expected POD, TYPE/NAME, or TYPE NAME, (at most 2 arguments) saw " +
        `${args.words.length}: [${args.words.join(" ")}]`,
    );
  const word = more.length === 1 ? `${name}/${more[0]}` : (name ?? "");
  const pod = await podBehind(word, args, env);
  const phase = pod.status?.phase ?? "";
  if (phase === "Succeeded" || phase === "Failed")
    throw new CommandError(
      `cannot attach a container in a completed pod; current phase is ${phase}`,
    );
  containersOf(pod, args, env);
  return open(pod, "attach", env);
};

/** The server has the last word: who may not open a stream is told so. */
async function open(
  { metadata: { namespace = "", name } }: Pod,
  subresource: string,
  { client }: Environment,
): Promise<number> {
  await client.createSub(Pod, namespace, name, subresource, undefined);
  return 0;
}

export const cp: Command = async (argv, env) => {
  const args = parseArgs(
    argv,
    flags("container:value,c no-preserve retries:value"),
  );
  const { words } = args;
  if (words.length !== 2)
    throw new CommandError("source and destination are required");
  const places = words.map(readPlace);
  const remote = places.filter(({ pod }) => pod !== "");
  if (remote.length === 0)
    throw new CommandError(
      "one of src or dest must be a remote file specification",
    );
  if (remote.length === 2)
    throw new CommandError(
      "one of src or dest must be a local file specification",
    );
  if (places.some(({ file }) => file === ""))
    throw new CommandError("filepath can not be empty");
  const [{ pod, namespace }] = remote as [Place];
  const kind = kindNamed("pod", env);
  const where = namespace || namespaceOf(args, kind);
  const object = await env.client.get(Pod, where, pod);
  containersOf(object, args, env);
  return open(object, "exec", env);
};

interface Place {
  readonly namespace: string;
  readonly pod: string;
  readonly file: string;
}

/** `namespace/pod:file`, `pod:file` or a file here. */
function readPlace(word: string): Place {
  const [before = "", file] = word.split(/:(.*)/s);
  if (file === undefined) return { namespace: "", pod: "", file: word };
  if (before === "")
    throw new CommandError(
      "filespec must match the canonical format: [[namespace/]pod:]file/path",
    );
  const parts = before.split("/");
  const [pod = "", namespace = ""] = parts.toReversed();
  if (parts.length <= 2) return { namespace, pod, file };
  throw new CommandError(
    "filespec must match the canonical format: [[namespace/]pod:]file/path",
  );
}

export const portForward: Command = async (argv, env) => {
  const table = flags("address:value pod-running-timeout:value");
  const args = parseArgs(argv, table);
  const [word, ...ports] = args.words;
  if (word === undefined || ports.length === 0)
    throw wrongUse(
      "port-forward",
      "TYPE/NAME and list of ports are required for port-forward",
    );
  if (/^(svc|service|services)\//.test(word))
    await checkPorts(word.split("/")[1]!, ports, args, env);
  const pod = await podBehind(word, args, env);
  const phase = pod.status?.phase ?? "";
  if (phase !== "Running")
    throw new CommandError(
      `unable to forward port because pod is not running. Current status=${phase}`,
    );
  return open(pod, "portforward", env);
};

/** A Service has the ports that are to be forwarded, by number or name. */
async function checkPorts(
  name: string,
  ports: readonly string[],
  args: Args,
  env: Environment,
): Promise<void> {
  const kind = kindNamed("services", env);
  const service = await env.client.get(kind, namespaceOf(args, kind), name);
  const known = list(at(service as object as Json, "spec", "ports"));
  for (const text of ports) {
    const wanted = text.split(":").at(-1)!;
    const has = known.some(
      (port) => port.name === wanted || String(num(port.port)) === wanted,
    );
    if (!has)
      throw new CommandError(
        `Service ${name} does not have a service port ${wanted}`,
      );
  }
}

export const proxy: Command = async (argv) => {
  const args = parseArgs(
    argv,
    flags(
      "port:value,p address:value www:value,w www-prefix:value,P " +
        "api-prefix:value accept-hosts:value accept-paths:value " +
        "reject-paths:value reject-methods:value keepalive:value " +
        "append-server-path disable-filter unix-socket:value,u",
    ),
  );
  args.int("port");
  throw new CommandError(
    "nothing here can listen on a port: read a path with 'kubectl get --raw', " +
      "or serve the cluster with 'npx shikumi serve'",
  );
};

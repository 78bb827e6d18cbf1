/**
 * kubectl run: one Pod.
 * Models:     kubectl/pkg/cmd/run/run.go, kubectl/pkg/generate/versioned/run.go @ v1.36
 * Leaves out: streams: --attach, --rm, -it only make the Pod.
 */
import { strictEnvVarName } from "../api/names.ts";
import type { JsonObject } from "../api/types.ts";
import { type Args, parseArgs } from "./args.ts";
import { made, pairsOf } from "./create/generator.ts";
import { send } from "./create.ts";
import { type Command, CommandError } from "./environment.ts";
import { makeService } from "./expose.ts";
import { dryRunOf } from "./print/done.ts";
import { checkRun, FLAGS } from "./run/checks.ts";
import { overridden } from "./run/overrides.ts";

export const run: Command = async (argv, env) => {
  const args = parseArgs(argv, FLAGS);
  checkRun(args, env);
  const name = args.words[0]!;
  const port = portOf(args);
  const asked =
    args.all("labels").length > 0 ? pairsOf(args, "labels") : undefined;
  const labels = asked ?? { run: name };
  const spec = {
    containers: [containerOf(name, port, args)],
    dnsPolicy: "ClusterFirst",
    restartPolicy: args.get("restart") ?? "Always",
  };
  const plain = made("v1", "Pod", name, { spec, status: {} }, labels);
  const annotations = annotationsOf(args);
  const some = Object.keys(annotations).length > 0 ? { annotations } : {};
  const metadata = { ...plain.metadata, ...some };
  const pod = overridden({ ...plain, metadata }, args, env);
  if (port !== undefined && args.on("expose")) {
    const ports = [{ port, protocol: "TCP", targetPort: port }];
    const service = makeService(name, labels, ports, {});
    await send(service, args, env, "kubectl-run");
    // Two printers share one count of documents.
    if (args.get("output") === "yaml" && dryRunOf(args) !== "server")
      env.out("---\n---");
  }
  await send(pod, args, env, "kubectl-run");
  return 0;
};

function portOf(args: Args): number | undefined {
  const text = args.get("port");
  if (!text) return;
  if (/^[-+]?\d+$/.test(text)) return Number(text);
  throw new CommandError(`strconv.Atoi: parsing "${text}": invalid syntax`);
}

function containerOf(
  name: string,
  port: number | undefined,
  args: Args,
): JsonObject {
  const command = [...args.words.slice(1), ...args.rest];
  const field = args.on("command") ? "command" : "args";
  const env = variablesOf(args);
  const policy = args.get("image-pull-policy");
  return {
    name,
    image: args.get("image"),
    ...(command.length > 0 ? { [field]: command } : {}),
    ...(env.length > 0 ? { env } : {}),
    ...(port === undefined ? {} : { ports: [{ containerPort: port }] }),
    ...(policy ? { imagePullPolicy: policy } : {}),
    ...(args.on("stdin") ? { stdin: true } : {}),
    ...(args.on("stdin") && !args.on("leave-stdin-open")
      ? { stdinOnce: true }
      : {}),
    ...(args.on("tty") ? { tty: true } : {}),
    ...(args.on("privileged") ? { securityContext: { privileged: true } } : {}),
    resources: {},
  };
}

function variablesOf(args: Args): JsonObject[] {
  return args.all("env").map((text) => {
    const [name = "", value] = text.split(/=(.*)/s);
    if (value === undefined || strictEnvVarName(name).length > 0)
      throw new CommandError(`invalid env: ${text}`);
    return value === "" ? { name } : { name, value };
  });
}

function annotationsOf(args: Args): { [key: string]: string } {
  const pairs: { [key: string]: string } = {};
  for (const text of args.all("annotations")) {
    const [key = "", value] = text.split(/=(.*)/s);
    if (value === undefined || key === "")
      throw new CommandError(`invalid annotations format: ${text}`);
    pairs[key] = value;
  }
  return pairs;
}

/**
 * kubectl run: one Pod.
 * Models:     kubectl/pkg/cmd/run/run.go @ v1.36
 * Leaves out: --attach, --rm, -it: nothing is streamed.
 */
import { flags, OUTPUT, parseArgs } from "./args.ts";
import { made, pairsOf } from "./create/generator.ts";
import { send } from "./create.ts";
import { type Command, CommandError } from "./environment.ts";
import { makeService } from "./expose.ts";

const FLAGS = flags(
  "image:value image-pull-policy:value port:value env:value labels:value,l " +
    "annotations:value restart:value command expose privileged",
  OUTPUT,
);

export const run: Command = async (argv, env) => {
  const args = parseArgs(argv, FLAGS);
  const [name, ...words] = args.words;
  if (name === undefined) {
    throw new CommandError("NAME is required for run");
  }
  const image = args.get("image");
  if (!image) throw new CommandError('required flag(s) "image" not set');
  const command = [...words, ...args.rest];
  const port = args.int("port");
  const variables = args.all("env").map((text) => {
    const [key = "", value = ""] = text.split(/=(.*)/s);
    return { name: key, value };
  });
  const policy = args.get("image-pull-policy");
  const asked =
    args.all("labels").length > 0 ? pairsOf(args, "labels") : undefined;
  const labels = asked ?? { run: name };
  const container = {
    name,
    image,
    ...(command.length === 0
      ? {}
      : { [args.on("command") ? "command" : "args"]: command }),
    ...(variables.length > 0 ? { env: variables } : {}),
    ...(port === undefined ? {} : { ports: [{ containerPort: port }] }),
    ...(policy ? { imagePullPolicy: policy } : {}),
    resources: {},
  };
  const spec = {
    containers: [container],
    dnsPolicy: "ClusterFirst",
    restartPolicy: args.get("restart") ?? "Always",
  };
  const pod = made("v1", "Pod", name, { spec, status: {} }, labels);
  const annotations = pairsOf(args, "annotations");
  const some = Object.keys(annotations).length > 0 ? { annotations } : {};
  const metadata = { ...pod.metadata, ...some };
  if (args.on("expose")) {
    if (port === undefined) {
      throw new CommandError("--port must be set when exposing a service");
    }
    const service = makeService(
      name,
      labels,
      [{ port, protocol: "TCP", targetPort: port }],
      {},
    );
    await send(service, args, env, "kubectl-run");
  }
  await send({ ...pod, metadata }, args, env, "kubectl-run");
  return 0;
};

/** kubectl top and version: a sentence each. */
import { flags, parseArgs } from "./args.ts";
import { type Command, CommandError } from "./environment.ts";

/** No metrics server runs here, as in a new cluster. */
export const top: Command = async () => {
  throw new CommandError("Metrics API not available");
};

/** The versions that the simulator follows. */
const CLIENT = "v1.35.2";
const KUSTOMIZE = "v5.7.1";
const SERVER = "v1.36.2";

export const version: Command = async (argv, env) => {
  const args = parseArgs(argv, flags("client output:value,o"));
  if (args.words.length > 0)
    throw new CommandError(`extra arguments: [${args.words.join(" ")}]`);
  if (!["", "json", "yaml"].includes(args.get("output") ?? ""))
    throw new CommandError("--output must be 'yaml' or 'json'");
  const server = args.on("client") ? "" : `\nServer Version: ${SERVER}`;
  env.out(
    `Client Version: ${CLIENT}\nKustomize Version: ${KUSTOMIZE}${server}`,
  );
  return 0;
};

/**
 * kubectl version: the client's own, and what the server says of itself.
 * Models:     kubectl/pkg/cmd/version/version.go @ v1.36
 */
import { goJson } from "../api/go-text.ts";
import type { Json, JsonObject } from "../api/types.ts";
import { stringify } from "../api/yaml.ts";
import { flags, parseArgs } from "./args.ts";
import { type Command, CommandError } from "./environment.ts";

/** The kubectl whose texts are printed here. */
const CLIENT = {
  major: "1",
  minor: "35",
  gitVersion: "v1.35.2",
  gitCommit: "fdc9d74cbf2da6754ebf81d56f80ae2948cd6425",
  gitTreeState: "clean",
  buildDate: "2026-02-26T20:05:34Z",
  goVersion: "go1.25.7",
  compiler: "gc",
  platform: "linux/amd64",
};
const KUSTOMIZE = "v5.7.1";

export const version: Command = async (argv, env) => {
  const args = parseArgs(argv, flags("client output:value,o"));
  if (args.words.length > 0)
    throw new CommandError(`extra arguments: [${args.words.join(" ")}]`);
  const output = args.get("output") ?? "";
  if (!["", "json", "yaml"].includes(output))
    throw new CommandError("--output must be 'yaml' or 'json'");
  const server = args.on("client") ? undefined : await serverVersion(env);
  const whole = {
    clientVersion: CLIENT,
    kustomizeVersion: KUSTOMIZE,
    ...(server ? { serverVersion: server } : {}),
  };
  if (output === "json") env.out(goJson(whole, 2));
  else if (output === "yaml")
    env.out(stringify(whole as Json).replace(/\n$/, ""));
  else {
    env.out(
      `Client Version: ${CLIENT.gitVersion}\nKustomize Version: ${KUSTOMIZE}`,
    );
    if (server) env.out(`Server Version: ${server.gitVersion}`);
  }
  return 0;
};

async function serverVersion({
  client,
}: Parameters<Command>[1]): Promise<JsonObject> {
  const { text } = await client.raw("/version");
  return JSON.parse(text) as JsonObject;
}

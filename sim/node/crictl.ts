/**
 * `shikumi crictl`: what an administrator sees on a node of a fresh simulated
 * cluster: `shikumi crictl -f web.yaml --node node-1 -- ps -a`.
 */
import { readFlags, UsageError } from "./args.ts";
import { commandIn, lineOf, runInput } from "./kubectl.ts";

const FLAGS = { f: true, nodes: true, seed: true, after: true, node: true };

export async function run(argv: string[]): Promise<number> {
  const flags = readFlags(argv, FLAGS);
  const command = commandIn(flags);
  if (command.length === 0) throw new UsageError("crictl needs a command: shikumi crictl -- pods");
  const node = flags.one("node") ?? "node-1";
  return runInput(flags, { do: "crictl", node, line: lineOf(command) });
}

/**
 * What `kubectl diff` is asked; it offers its help in words of its own.
 * Models:     kubectl/pkg/cmd/diff/diff.go @ v1.36
 */
import { type Args, flags, parseArgs, SELECT } from "./args.ts";
import { CommandError, UsageError, wrongUse } from "./environment.ts";
import { requireFiles } from "./manifests.ts";

const FLAGS = flags(
  "server-side force-conflicts field-manager:value show-managed-fields concurrency:value",
  SELECT,
);

export function readDiffArgs(argv: readonly string[]): Args {
  try {
    const args = parseArgs(argv, FLAGS);
    const { words } = args;
    if (words.length > 0)
      throw new UsageError(`Unexpected args: [${words.join(" ")}]`);
    if (args.on("force-conflicts") && !args.on("server-side"))
      throw new CommandError("--force-conflicts only works with --server-side");
    requireFiles(args);
    return args;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    throw wrongUse("diff", error.message);
  }
}

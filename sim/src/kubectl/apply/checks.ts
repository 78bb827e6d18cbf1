/**
 * What `kubectl apply` is asked: its flags, and which do not go together.
 * Models:     kubectl/pkg/cmd/apply/apply.go (Validate) @ v1.36
 * Leaves out: --applyset, --subresource.
 */
import { type Args, flags, OUTPUT, SELECT } from "../args.ts";
import { CommandError } from "../environment.ts";
import { dryRunOf } from "../print/done.ts";

export const FLAGS = flags(
  "server-side force-conflicts force overwrite openapi-patch prune wait " +
    "prune-allowlist:value grace-period:value timeout:value",
  OUTPUT,
  SELECT,
  { cascade: { kind: { alone: "background" } } },
);

/** Throws on the first thing that makes no sense. */
export function checkFlags(args: Args): void {
  const why = contradiction(args) ?? wrongPrune(args);
  if (why !== undefined) throw new CommandError(why);
}

function contradiction(args: Args): string | undefined {
  const server = args.on("server-side");
  const force = args.on("force");
  const dry = dryRunOf(args);
  if (args.on("force-conflicts") && !server)
    return "--force-conflicts only works with --server-side";
  if (dry === "client" && server)
    return (
      "--dry-run=client doesn't work with --server-side " +
      "(did you mean --dry-run=server instead?)"
    );
  if (server && force) return "--force cannot be used with --server-side";
  if (dry === "server" && force)
    return "--dry-run=server cannot be used with --force";
  if (args.on("all") && args.get("selector"))
    return "cannot set --all and --selector at the same time";
  return;
}

function wrongPrune(args: Args): string | undefined {
  if (!args.on("prune")) return;
  if (args.on("force")) return "--force cannot be used with --prune";
  if (!args.on("all") && !args.get("selector"))
    return (
      "all resources selected for prune without explicitly passing --all. " +
      "To prune all resources, pass the --all flag. If you did not mean to " +
      "prune all resources, specify a label selector"
    );
  if (args.on("server-side"))
    return (
      "--prune is in alpha and doesn't currently work on objects created " +
      "by server-side apply"
    );
  return;
}

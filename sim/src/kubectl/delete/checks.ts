/**
 * What `kubectl delete` refuses before it asks the server, and what it asks
 * the person.
 * Models:     kubectl/pkg/cmd/delete/delete.go (Complete, Validate) @ v1.36
 */
import type { Kind } from "../../api/kinds/definition.ts";
import type { Args } from "../args.ts";
import { CommandError, type Environment } from "../environment.ts";
import { kindPrefix } from "../print/table.ts";

export function checkDelete(args: Args): void {
  const grace = args.int("grace-period") ?? -1;
  const refuse = (why: string) => {
    throw new CommandError(why);
  };
  if (args.on("now") && grace !== -1)
    refuse("--now and --grace-period cannot be specified together");
  const output = args.get("output") ?? "";
  if (!["", "name"].includes(output))
    refuse(`unexpected -o output mode: ${output}. We only support '-o name'`);
  if (args.on("all") && args.get("selector"))
    refuse("setting 'all' parameter but found a non empty selector. ");
  if (args.on("force") && (args.on("now") || grace > 0))
    refuse(
      "--force and --grace-period greater than 0 cannot be specified together",
    );
  const named = args.words.length > 1 && !args.words[0]!.includes("/");
  if (named && (args.on("all") || args.get("selector")))
    refuse("name cannot be provided when a selector is specified");
}

/** Nobody answers but what stands in standard input. */
export function confirmed(
  targets: readonly { readonly kind: Kind; readonly name: string }[],
  env: Environment,
): boolean {
  const lines = targets.map(({ kind, name }) => `${kindPrefix(kind)}/${name}`);
  env.out(
    `You are about to delete the following ${targets.length} resource(s):\n${lines.join("\n")}`,
  );
  const answer = (env.files["-"] ?? "").split("\n")[0]!.trim();
  const yes = /^y(es)?$/i.test(answer);
  const said = yes ? answer : "deletion is cancelled";
  env.out(`Do you want to continue? (y/N): ${said}`);
  return yes;
}

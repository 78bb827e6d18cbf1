/**
 * kubectl replace: puts a whole object in the place of the old one.
 * Models:     kubectl/pkg/cmd/replace/replace.go @ v1.36
 */
import { StatusError } from "../api/status.ts";
import { type Args, flags, OUTPUT, parseArgs, SELECT } from "./args.ts";
import { optionsOf, remove } from "./delete.ts";
import { type Command, CommandError, throwAll } from "./environment.ts";
import { whileDoing } from "./errors.ts";
import { withLastApplied } from "./last-applied.ts";
import { readManifests } from "./manifests.ts";
import {
  dryRunOf,
  fieldValidation,
  printDone,
  writeOptions,
} from "./print/done.ts";
import { objectPrinterFor } from "./print/object.ts";
import { problemsOf } from "./problem.ts";

const FLAGS = flags(
  "force save-config cascade:value grace-period:value timeout:value wait:value subresource:value",
  OUTPUT,
  SELECT,
);

export const replace: Command = async (argv, env) => {
  const args = parseArgs(argv, FLAGS);
  objectPrinterFor(args, env);
  checkReplace(args);
  const { items, errors } = readManifests(args, env, "replace");
  const failed: unknown[] = [...errors];
  if (args.on("force")) {
    const files = args.all("filename").map((name) => `--filename=${name}`);
    const how = ["cascade", "grace-period", "timeout"].flatMap((flag) => {
      const value = args.get(flag);
      return value === undefined ? [] : [`--${flag}=${value}`];
    });
    await remove([...files, ...how, "--ignore-not-found"], env);
  }
  for (const { kind, object, place } of items) {
    const options = {
      ...writeOptions(args, "kubectl-replace"),
      fieldValidation: fieldValidation(args),
    };
    try {
      if (dryRunOf(args) === "client") {
        printDone(args, env, kind, object, "replaced");
        continue;
      }
      const whole = args.on("save-config") ? withLastApplied(object) : object;
      const subresource = args.get("subresource");
      const { namespace = "", name } = object.metadata;
      const after = args.on("force")
        ? await env.client.create(kind, whole, options)
        : subresource
          ? await env.client.updateSub(
              kind,
              namespace,
              name,
              subresource,
              whole,
            )
          : await env.client.update(kind, whole, options);
      printDone(args, env, kind, after, "replaced");
    } catch (error) {
      if (!(error instanceof StatusError)) throw error;
      failed.push(whileDoing(error, "replacing", place.file));
      for (const one of problemsOf(error, place)) env.problem?.(one);
    }
  }
  throwAll(failed);
  return 0;
};

function checkReplace(args: Args): void {
  if (args.on("force")) {
    optionsOf(args); // Throws on a cascade that is none.
    if (dryRunOf(args) !== "none")
      throw new CommandError("--dry-run can not be used when --force is set");
    return;
  }
  for (const flag of ["grace-period", "timeout"])
    if (args.get(flag) !== undefined)
      throw new CommandError(`--${flag} must have --force specified`);
}

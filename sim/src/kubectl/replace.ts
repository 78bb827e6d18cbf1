/**
 * kubectl replace: puts a whole object in the place of the old one.
 * Models:     kubectl/pkg/cmd/replace/replace.go @ v1.36
 */
import { StatusError } from "../api/status.ts";
import { flags, OUTPUT, parseArgs, SELECT } from "./args.ts";
import { remove } from "./delete.ts";
import { type Command, throwAll } from "./environment.ts";
import { whileDoing } from "./errors.ts";
import { readManifests } from "./manifests.ts";
import {
  dryRunOf,
  fieldValidation,
  printDone,
  writeOptions,
} from "./print/done.ts";
import { problemsOf } from "./problem.ts";

const FLAGS = flags(
  "force save-config cascade:value grace-period:value",
  OUTPUT,
  SELECT,
);

export const replace: Command = async (argv, env) => {
  const args = parseArgs(argv, FLAGS);
  const { items, errors } = readManifests(args, env, "replace");
  const failed: unknown[] = [...errors];
  if (args.on("force")) {
    const files = args.all("filename").map((name) => `--filename=${name}`);
    await remove([...files, "--ignore-not-found"], env);
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
      const after = args.on("force")
        ? await env.client.create(kind, object, options)
        : await env.client.update(kind, object, options);
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

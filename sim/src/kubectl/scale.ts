/**
 * kubectl scale: how many replicas, through the scale subresource.
 * Models:     kubectl/pkg/cmd/scale/scale.go @ v1.36
 */
import { at, num } from "../api/kinds/access.ts";
import type { Json } from "../api/types.ts";
import { flags, OUTPUT, parseArgs, SELECT } from "./args.ts";
import {
  type Command,
  CommandError,
  PlainError,
  throwAll,
} from "./environment.ts";
import { find } from "./find.ts";
import { dryRunOf, printDone, writeOptions } from "./print/done.ts";
import { objectPrinterFor } from "./print/object.ts";

const FLAGS = flags(
  "replicas:value current-replicas:value resource-version:value timeout:value",
  OUTPUT,
  SELECT,
);

export const scale: Command = async (argv, env) => {
  const args = parseArgs(argv, FLAGS);
  const replicas = args.int("replicas");
  if (replicas === undefined) {
    throw new CommandError('required flag(s) "replicas" not set');
  }
  objectPrinterFor(args, env);
  if (replicas < 0) {
    throw new CommandError(
      "The --replicas=COUNT flag is required, and COUNT must be greater than or equal to 0",
    );
  }
  const current = args.int("current-replicas");
  const verb = "scale";
  const { items, errors } = await find(args, args.words, env, { verb });
  const failed: unknown[] = [...errors];
  if (items.length === 0 && errors.length === 0)
    throw new CommandError("no objects passed to scale");
  for (const { kind, object } of items) {
    const { name, namespace = "" } = object.metadata;
    const now = num(at(object.spec as Json, "replicas"));
    if (current !== undefined && current !== now) {
      const why = `Expected replicas to be ${current}, was ${now}`;
      failed.push(new CommandError(why));
      continue;
    }
    const version = args.get("resource-version");
    const { resourceVersion: has } = object.metadata;
    if (version !== undefined && version !== has) {
      const why = `Expected resource version to be ${version}, was ${has}`;
      failed.push(new CommandError(why));
      continue;
    }
    if (!kind.subresources.some((sub) => sub.name === "scale")) {
      failed.push(
        new PlainError(
          "Error from server (NotFound): the server could not find the requested resource",
        ),
      );
      continue;
    }
    if (dryRunOf(args) !== "client") {
      const type = "application/merge-patch+json";
      const body = { spec: { replicas } };
      const options = writeOptions(args);
      const more = { subresource: "scale", options };
      await env.client.patch(kind, namespace, name, type, body, more);
    }
    printDone(args, env, kind, object, "scaled");
  }
  throwAll(failed);
  return 0;
};

/**
 * kubectl create: from a file, or from words, a generator a kind.
 * Models:     kubectl/pkg/cmd/create @ v1.36
 */
import { StatusError } from "../api/status.ts";
import type { JsonObject, KubeObject } from "../api/types.ts";
import { type Args, flags, OUTPUT, parseArgs, SELECT } from "./args.ts";
import { type Generator, oneName } from "./create/generator.ts";
import { fullName, GENERATORS } from "./create/generators.ts";
import { createServiceOf } from "./create/network.ts";
import { createSecretOf } from "./create/secrets.ts";
import { createToken } from "./create/token.ts";
import { jobFromCronJob } from "./create/workloads.ts";
import {
  type Command,
  CommandError,
  type Environment,
  throwAll,
  wrongUse,
} from "./environment.ts";
import { whileDoing } from "./errors.ts";
import { kindNamed, namespaceOf } from "./find.ts";
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

const SAVE = flags("save-config");

export const create: Command = async (argv, env) => {
  const [word = "", ...rest] = argv;
  const own = Object.hasOwn(GENERATORS, word) ? GENERATORS[word] : undefined;
  if (own) return generate(own, rest, env, fullName(word));
  if (word === "token") return createToken(rest, env);
  const [type = "", ...more] = rest;
  if (word === "service" || word === "svc") {
    const service = createServiceOf(type);
    if (service) return generate(service, more, env, `service ${type}`);
  }
  if (word === "secret")
    return generate(createSecretOf(rest), more, env, `secret ${type}`);
  return createFromFiles(argv, env);
};

async function generate(
  generator: Generator,
  argv: readonly string[],
  env: Environment,
  what: string,
): Promise<number> {
  const args = parseArgs(argv, { ...OUTPUT, ...SAVE, ...generator.flags });
  // The library of flags asks for those before kubectl looks at words.
  for (const flag of generator.needs ?? [])
    if (args.get(flag) === undefined)
      throw new CommandError(`required flag(s) "${flag}" not set`);
  const name = oneName(args, what);
  dryRunOf(args); // Throws on what is none.
  objectPrinterFor(args, env);
  const from = args.get("from");
  refuseJob(args);
  const object = from
    ? await makeFrom(name, from, args, env)
    : generator.make(name, args, env);
  try {
    await send(object, args, env);
  } catch (error) {
    const { failure } = generator;
    if (!(error instanceof StatusError) || failure === undefined) throw error;
    throw new CommandError(failure + error.message);
  }
  return 0;
}

function refuseJob(args: Args): void {
  if (!args.get("from")) return;
  if (args.get("image"))
    throw new CommandError("either --image or --from must be specified");
  if (args.rest.length > 0)
    throw new CommandError("cannot specify --from and command");
}

/** `create job NAME --from=cronjob/NAME` */
async function makeFrom(
  name: string,
  from: string,
  args: Args,
  env: Environment,
): Promise<KubeObject> {
  const [type = "", its = ""] = from.split("/");
  const kind = kindNamed(type, env);
  const cronJob = await env.client.get(kind, namespaceOf(args, kind), its);
  if (kind.kind !== "CronJob")
    throw new CommandError(`unknown object type *${kind.version}.${kind.kind}`);
  return jobFromCronJob(name, cronJob as object as JsonObject);
}

/** Creates what was made, and says so; `made`: here, not in a file. */
export async function send(
  object: KubeObject,
  args: Args,
  env: Environment,
  manager = "kubectl-create",
  done = "created",
  made = true,
): Promise<void> {
  const kind = env.kinds.kindOf(object.apiVersion, object.kind)!;
  const namespace = args.all("namespace").at(-1);
  // What comes from a file may name its own.
  const own = object.metadata.namespace ?? args.get("namespace") ?? "default";
  const where = kind.namespaced ? own : undefined;
  if (dryRunOf(args) === "client") {
    const shown = kind.namespaced && namespace ? { namespace } : {};
    const metadata = { ...object.metadata, ...shown };
    printDone(args, env, kind, { ...object, metadata }, done, made);
    return;
  }
  const metadata = {
    ...object.metadata,
    ...(where ? { namespace: where } : {}),
  };
  const options = {
    ...writeOptions(args, manager),
    fieldValidation: fieldValidation(args),
  };
  const sent = { ...object, metadata };
  const whole = args.on("save-config") ? withLastApplied(sent) : sent;
  const after = await env.client.create(kind, whole, options);
  printDone(args, env, kind, after, done, made);
}

async function createFromFiles(
  argv: readonly string[],
  env: Environment,
): Promise<number> {
  const args = parseArgs(argv, flags("save-config", OUTPUT, SELECT));
  if (args.words.length > 0) {
    throw wrongUse("create", `Unexpected args: [${args.words.join(" ")}]`);
  }
  objectPrinterFor(args, env);
  const { items, errors } = readManifests(args, env, "create");
  const failed: unknown[] = [...errors];
  for (const { object, place } of items) {
    try {
      await send(object, args, env, "kubectl-create", "created", false);
    } catch (error) {
      if (!(error instanceof StatusError)) throw error;
      failed.push(whileDoing(error, "creating", place.file));
      for (const one of problemsOf(error, place)) env.problem?.(one);
    }
  }
  throwAll(failed);
  return 0;
}

/**
 * kubectl wait: until a condition is met, a field has a value, or an object is
 * there or gone.
 * Models:     kubectl/pkg/cmd/wait @ v1.36
 */
import { list } from "../api/kinds/access.ts";
import type { Obj } from "../api/kinds/definition.ts";
import { isNotFound } from "../api/status.ts";
import { type Args, flags, OUTPUT, parseArgs, SELECT } from "./args.ts";
import {
  type Command,
  CommandError,
  type Environment,
  throwAll,
  UsageError,
} from "./environment.ts";
import { type Found, find } from "./find.ts";
import { follow } from "./follow.ts";
import { nameOf, objectPrinterFor, printText } from "./print/object.ts";
import { parseDuration } from "./time.ts";
import { pathTest } from "./wait/path.ts";

const { kustomize: _, ...FILES } = SELECT;
const FLAGS = flags("for:value timeout:value", OUTPUT, FILES);
/** A negative time-out means a week. */
const WEEK_MS = 7 * 24 * 3_600_000;
const POLL_MS = 500;

/** True of an object that is as it was waited for; undefined: it is gone. */
type Test = (object: Obj | undefined) => boolean;

export const wait: Command = async (argv, env) => {
  const args = parseArgs(argv, FLAGS);
  const timeoutMs = timeoutOf(args);
  const printer = objectPrinterFor(args, env);
  const what = args.get("for") ?? "";
  const test = testFor(what);
  const endMs = env.kernel.now() + timeoutMs;
  const isFor = (word: string) => what.toLowerCase() === word;
  const { items, errors } = isFor("create")
    ? await untilFound(args, endMs, env)
    : await find(args, args.words, env, { verb: "wait" });
  const failed: unknown[] = [];
  for (const { kind, object } of items) {
    try {
      const last = await untilMet(
        { kind, object },
        test,
        endMs,
        timeoutMs,
        env,
      );
      if (printer) printText(printer([{ kind, object: last }], true), env);
      else env.out(`${nameOf(kind, object)} condition met`);
    } catch (error) {
      // The others are waited for nevertheless.
      if (!(error instanceof CommandError)) throw error;
      failed.push(error);
    }
  }
  const others = errors.filter((one) => !(isFor("delete") && isNotFound(one)));
  throwAll([...failed, ...others]);
  if (items.length === 0 && !isFor("delete"))
    throw new CommandError("no matching resources found");
  return 0;
};

function timeoutOf(args: Args): number {
  try {
    const given = parseDuration(args.get("timeout") ?? "30s", "timeout");
    return given < 0 ? WEEK_MS : given;
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

/** Asks every half second, until there is something. */
async function untilFound(args: Args, endMs: number, env: Environment) {
  for (;;) {
    const found = await find(args, args.words, env, { verb: "wait" });
    const others = found.errors.filter((one) => !isNotFound(one));
    throwAll(others);
    if (found.items.length > 0 && found.errors.length === 0) return found;
    if (env.kernel.now() >= endMs)
      throw new CommandError("timed out waiting for the condition");
    await env.kernel.sleep(POLL_MS);
  }
}

/** The object as it was last seen. */
async function untilMet(
  { kind, object }: Found,
  test: Test,
  endMs: number,
  timeoutMs: number,
  env: Environment,
): Promise<Obj> {
  const { name, namespace = "", uid = "" } = object.metadata;
  const what = `${kind.resource}/${name}`;
  let last = object;
  const seen = (now: Obj | undefined) => {
    const its = uid && now?.metadata.uid !== uid ? undefined : now;
    last = its ?? last;
    return test(its);
  };
  if (timeoutMs === 0) {
    if (seen(object)) return last;
    throw new CommandError(`condition not met for ${what}`);
  }
  const met = await follow(
    env,
    {
      ...{
        kind,
        namespace,
        select: { fieldSelector: `metadata.name=${name}` },
      },
      timeoutMs: Math.max(0, endMs - env.kernel.now()),
      listed: ([now]) => seen(now),
    },
    ({ type, object: now }) => seen(type === "DELETED" ? undefined : now),
  );
  if (met) return last;
  throw new CommandError(`timed out waiting for the condition on ${what}`);
}

function testFor(text: string): Test {
  const word = text.toLowerCase();
  if (word === "delete") return (object) => object === undefined;
  if (word === "create") return (object) => object !== undefined;
  if (text.startsWith("condition=")) return conditionTest(text.slice(10));
  if (text.startsWith("jsonpath=")) return pathTest(text.slice(9));
  throw new CommandError(`unrecognized condition: "${text}"`);
}

/** `available`, `ready=false` */
function conditionTest(text: string): Test {
  const [name = "", value = "true"] = text.split(/=(.*)/s);
  return (object) => {
    const { conditions, observedGeneration } = (object?.status ?? {}) as {
      conditions?: never;
      observedGeneration?: number;
    };
    const { generation = 0 } = object?.metadata ?? {};
    const stale =
      observedGeneration !== undefined && observedGeneration < generation;
    const found = list(conditions).find(
      ({ type }) => String(type).toLowerCase() === name.toLowerCase(),
    );
    return (
      !stale && String(found?.status).toLowerCase() === value.toLowerCase()
    );
  };
}

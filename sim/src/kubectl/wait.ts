/**
 * kubectl wait: until a condition is met, a field has a value, or an object is
 * there or gone.
 * Models:     kubectl/pkg/cmd/wait @ v1.36
 */
import { list } from "../api/kinds/access.ts";
import type { Obj } from "../api/kinds/definition.ts";
import { isNotFound } from "../api/status.ts";
import { flags, parseArgs, SELECT } from "./args.ts";
import { type Command, CommandError, throwAll } from "./environment.ts";
import { find, namespaceOf } from "./find.ts";
import { follow } from "./follow.ts";
import { kindPrefix } from "./print/table.ts";
import { parseDuration } from "./time.ts";
import { pathTest } from "./wait/path.ts";

const FLAGS = flags("for:value timeout:value output:value,o", SELECT);
/** A negative time-out means a week. */
const WEEK_MS = 7 * 24 * 3_600_000;

/** True of an object that is as it was waited for; undefined: it is gone. */
type Test = (object: Obj | undefined) => boolean;

export const wait: Command = async (argv, env) => {
  const args = parseArgs(argv, FLAGS);
  const what = args.get("for") ?? "";
  const test = testFor(what);
  const given = parseDuration(args.get("timeout") ?? "30s", "timeout");
  const timeoutMs = given < 0 ? WEEK_MS : given;
  const finding = await find(args, args.words, env, { verb: "wait" });
  const mayMiss = what === "delete" || what === "create";
  const errors = finding.errors.filter((one) => !(mayMiss && isNotFound(one)));
  throwAll(errors);
  const targets =
    what === "create"
      ? finding.asked.named.map(({ kind, name }) => {
          return { kind, name, namespace: namespaceOf(args, kind), uid: "" };
        })
      : finding.items.map(({ kind, object: { metadata } }) => {
          const { name, namespace = "", uid = "" } = metadata;
          return { kind, name, namespace, uid };
        });
  if (targets.length === 0 && !mayMiss) {
    throw new CommandError("no matching resources found");
  }
  const endMs = env.kernel.now() + timeoutMs;
  for (const { kind, name, namespace, uid } of targets) {
    const select = { fieldSelector: `metadata.name=${name}` };
    const seen = (object: Obj | undefined) =>
      test(uid && object?.metadata.uid !== uid ? undefined : object);
    const met = await follow(
      env,
      {
        ...{ kind, namespace, select },
        timeoutMs: Math.max(0, endMs - env.kernel.now()),
        listed: ([object]) => seen(object),
      },
      ({ type, object }) => seen(type === "DELETED" ? undefined : object),
    );
    if (!met) {
      throw new CommandError(
        `timed out waiting for the condition on ${kind.resource}/${name}`,
      );
    }
    env.out(`${kindPrefix(kind)}/${name} condition met`);
  }
  return 0;
};

function testFor(text: string): Test {
  if (text === "delete") return (object) => object === undefined;
  if (text === "create") return (object) => object !== undefined;
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

/**
 * kubectl delete: by name, by label or by file; waits until all are gone.
 * Models:     kubectl/pkg/cmd/delete/delete.go, kubectl/pkg/cmd/wait @ v1.36
 */
import type { Kind, Obj } from "../api/kinds/definition.ts";
import { isNotFound, StatusError } from "../api/status.ts";
import type { RequestOptions } from "../api/transport.ts";
import type { KubeObject } from "../api/types.ts";
import { type Args, flags, OUTPUT, parseArgs, SELECT } from "./args.ts";
import { checkDelete, confirmed } from "./delete/checks.ts";
import {
  type Command,
  CommandError,
  type Environment,
  PlainError,
  throwAll,
} from "./environment.ts";
import { whileDoing } from "./errors.ts";
import { hasSelector, listOf, namespaceOf, readAsked } from "./find.ts";
import { follow } from "./follow.ts";
import { dryRunOf, dryText } from "./print/done.ts";
import { kindPrefix } from "./print/table.ts";
import { parseDuration } from "./time.ts";

const FLAGS = flags(
  "wait:value now force grace-period:value timeout:value ignore-not-found interactive,i",
  OUTPUT,
  SELECT,
  { cascade: { kind: { alone: "background" } } },
);

interface Target {
  readonly kind: Kind;
  readonly namespace: string;
  readonly name: string;
  /** Where it was named, if a file did. */
  readonly file?: string;
}

const PROPAGATION: {
  readonly [cascade: string]: RequestOptions["propagationPolicy"];
} = {
  background: "Background",
  true: "Background",
  foreground: "Foreground",
  orphan: "Orphan",
  false: "Orphan",
};

export const remove: Command = async (argv, env) => {
  const args = parseArgs(argv, FLAGS);
  checkDelete(args);
  const options = optionsOf(args);
  const { targets, errors } = await targetsOf(args, env);
  if (args.on("interactive") && !confirmed(targets, env)) return 0;
  const ignore =
    args.on("ignore-not-found") || args.on("all") || hasSelector(args);
  const failed: unknown[] = [...errors];
  const gone: (Target & { uid: string })[] = [];
  warn(targets, args, env);
  for (const target of targets) {
    try {
      const uid = await deleteOne(target, options, args, env);
      gone.push({ ...target, uid });
    } catch (error) {
      if (!(error instanceof StatusError)) throw error;
      if (ignore && isNotFound(error)) continue;
      const { file } = target;
      failed.push(file ? whileDoing(error, "deleting", file) : error);
    }
  }
  if (targets.length === 0 && failed.length === 0)
    env.out("No resources found");
  throwAll(failed);
  if (waits(args)) for (const one of gone) await untilGone(one, args, env);
  return 0;
};

/** How a deletion is done, as the flags say. */
export function optionsOf(args: Args): RequestOptions {
  const cascade = args.get("cascade") ?? "background";
  const propagationPolicy = PROPAGATION[cascade];
  if (!propagationPolicy) {
    throw new CommandError(
      `invalid cascade value (${cascade}). Must be "background", "foreground", or "orphan"`,
    );
  }
  let grace = args.int("grace-period") ?? -1;
  if (args.on("now")) grace = 1;
  if (grace === 0 && !args.on("force")) grace = 1;
  if (args.on("force") && grace < 0) grace = 0;
  return {
    propagationPolicy,
    ...(grace >= 0 ? { gracePeriodSeconds: grace } : {}),
    ...(dryRunOf(args) === "server" ? { dryRun: ["All"] } : {}),
  };
}

async function targetsOf(args: Args, env: Environment) {
  const asked = readAsked(args, args.words, env, "delete");
  const { kinds, named, manifests, errors } = asked;
  const targets: Target[] = [
    ...manifests.map(({ kind, object: { metadata }, place: { file } }) => {
      const { namespace = "", name } = metadata;
      return { kind, namespace, name, file };
    }),
    ...named.map(({ kind, name }) => {
      return { kind, namespace: namespaceOf(args, kind), name };
    }),
  ];
  if (kinds.length > 0 && named.length === 0) {
    if (!args.on("all") && !hasSelector(args)) {
      throw new CommandError(
        "resource(s) were provided, but no name was specified",
      );
    }
    for (const kind of kinds) {
      for (const { metadata } of (await listOf(kind, args, env)).items) {
        const { namespace = "", name } = metadata;
        targets.push({ kind, namespace, name });
      }
    }
  }
  return { targets, errors };
}

function warn(targets: readonly Target[], args: Args, env: Environment): void {
  if (
    targets.some(({ kind }) => !kind.namespaced) &&
    args.all("namespace").length > 0
  ) {
    env.err(
      "Warning: deleting cluster-scoped resources, not scoped to the provided namespace",
    );
  }
  if (!args.on("force") || (args.int("grace-period") ?? 0) > 0) return;
  env.err(
    "Warning: Immediate deletion does not wait for confirmation that the " +
      "running resource has been terminated. The resource may continue to " +
      "run on the cluster indefinitely.",
  );
}

/** Resolves to the uid of what is to go; "" if the answer does not say. */
async function deleteOne(
  { kind, namespace, name }: Target,
  options: RequestOptions,
  args: Args,
  env: Environment,
): Promise<string> {
  let uid = "";
  const dry = dryRunOf(args);
  if (dry !== "client") {
    const answer = await env.client.delete(kind, namespace, name, options);
    const { details } = answer as { details?: { uid?: string } };
    uid = (answer as KubeObject).metadata.uid ?? details?.uid ?? "";
  } else await env.client.get(kind, namespace, name);
  if (args.get("output") === "name") {
    env.out(`${kindPrefix(kind)}/${name}`);
    return uid;
  }
  const forced = args.on("force") ? "force deleted" : "deleted";
  const where = namespace ? ` from ${namespace} namespace` : "";
  env.out(`${kindPrefix(kind)} "${name}" ${forced}${where}${dryText(args)}`);
  return uid;
}

/** By force nothing is waited for, unless it is asked for. */
function waits(args: Args): boolean {
  if (dryRunOf(args) !== "none") return false;
  const text = args.get("wait");
  return text === undefined ? !args.on("force") : text !== "false";
}

async function untilGone(
  { kind, namespace, name, uid }: Target & { uid: string },
  args: Args,
  env: Environment,
): Promise<void> {
  const timeout = parseDuration(args.get("timeout") ?? "0s", "timeout");
  const isIt = ({ metadata }: Obj) => uid === "" || metadata.uid === uid;
  const done = await follow(
    env,
    {
      kind,
      namespace,
      select: { fieldSelector: `metadata.name=${name}` },
      timeoutMs: timeout > 0 ? timeout : undefined,
      listed: (items) => !items.some(isIt),
    },
    ({ type, object }) => type === "DELETED" || !isIt(object),
  );
  if (done) return;
  const what = `${kind.resource}/${name}`;
  throw new PlainError(`error: timed out waiting for the condition on ${what}`);
}

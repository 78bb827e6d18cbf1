/**
 * kubectl auth: can-i asks the server what one may do.
 * Models:     kubectl/pkg/cmd/auth @ v1.36
 */
import { list, obj, str } from "../api/kinds/access.ts";
import type { Kind, Obj } from "../api/kinds/definition.ts";
import { type Args, flags, parseArgs } from "./args.ts";
import { reconcile } from "./auth/reconcile.ts";
import { type Command, CommandError, type Environment } from "./environment.ts";
import { align, tableTabs } from "./print/tabs.ts";
import { RULE_HEADER, ruleLines } from "./rules.ts";
import { unknownIn } from "./usage.ts";
import { whoAmI } from "./whoami.ts";

const GROUP = "authorization.k8s.io/v1";

export const auth: Command = async (argv, env) => {
  const [name, ...rest] = argv;
  if (name === "can-i") return canI(rest, env);
  if (name === "reconcile") return reconcile(rest, env);
  if (name === "whoami") return whoAmI(rest, env);
  throw unknownIn("auth", argv);
};

async function canI(
  argv: readonly string[],
  env: Environment,
): Promise<number> {
  const table = flags(
    "list quiet,q all-namespaces,A subresource:value no-headers",
  );
  const args = parseArgs(argv, table);
  if (args.on("list")) return listRules(args, env);
  const [verb, what, name] = args.words;
  if (verb === undefined || what === undefined || name !== undefined) {
    throw new CommandError(
      "you must specify two arguments: verb resource or verb resource/resourceName.\n" +
        "See 'kubectl auth can-i -h' for help and examples.",
    );
  }
  if (what.startsWith("/") && args.get("subresource"))
    throw new CommandError("--subresource can not be used with NonResourceURL");
  const body = {
    apiVersion: GROUP,
    kind: "SelfSubjectAccessReview",
    metadata: { name: "" },
    spec: {
      ...(what.startsWith("/")
        ? { nonResourceAttributes: { verb, path: what } }
        : { resourceAttributes: attributes(verb, what, args, env) }),
    },
  };
  const kind = env.kinds.kindOf(GROUP, body.kind) as Kind<Obj>;
  const review = await env.client.create<Obj>(kind, body);
  const { allowed, reason, evaluationError } = obj(review.status);
  const more = [reason, evaluationError].map(str).filter(Boolean);
  const why = !allowed && more.length > 0 ? ` - ${more.join(" - ")}` : "";
  if (!args.on("quiet")) env.out(allowed ? "yes" : `no${why}`);
  return allowed ? 0 : 1;
}

function attributes(verb: string, what: string, args: Args, env: Environment) {
  const [type = "", name] = what.split("/");
  const kind = env.kinds.byName(type);
  if (!kind && type !== "*") {
    env.err(`Warning: the server doesn't have a resource type '${type}'\n`);
  }
  if (kind && !kind.namespaced) {
    const group = kind.group ? ` group '${kind.group}'` : "";
    env.err(
      `Warning: resource '${kind.resource}' is not namespace scoped${group ? ` in${group}` : ""}\n`,
    );
  }
  const everywhere = args.on("all-namespaces") || (kind && !kind.namespaced);
  return {
    namespace: everywhere ? "" : (args.get("namespace") ?? "default"),
    verb,
    group: kind?.group ?? (type === "*" ? "*" : ""),
    resource: kind?.resource ?? type,
    ...(args.get("subresource")
      ? { subresource: args.get("subresource") }
      : {}),
    ...(name ? { name } : {}),
  };
}

/** `--list`: the rules of one's own. */
async function listRules(args: Args, env: Environment): Promise<number> {
  const kind = env.kinds.kindOf(GROUP, "SelfSubjectRulesReview") as Kind<Obj>;
  const body = {
    apiVersion: GROUP,
    kind: kind.kind,
    metadata: { name: "" },
    spec: { namespace: args.get("namespace") ?? "default" },
  };
  const { status } = await env.client.create<Obj>(kind, body);
  const { resourceRules, nonResourceRules } = obj(status);
  const lines = ruleLines([...list(resourceRules), ...list(nonResourceRules)]);
  if (!args.on("no-headers")) lines.unshift(RULE_HEADER);
  env.out(align(lines.join("\n"), tableTabs()));
  return 0;
}

/**
 * kubectl cordon and uncordon: whether a Node takes new Pods.
 * Models:     kubectl/pkg/drain/cordon.go, kubectl/pkg/cmd/drain @ v1.36
 */
import { Node } from "../api/kinds/node.ts";
import { type Args, flags, parseArgs, SELECT } from "./args.ts";
import {
  type Command,
  type Environment,
  throwAll,
  wrongUse,
} from "./environment.ts";
import { type Finding, find } from "./find.ts";
import { typed } from "./objects.ts";
import { dryRunOf, printDone, writeOptions } from "./print/done.ts";

const FLAGS = flags("dry-run:value", SELECT);

export const cordon = setter(true);
export const uncordon = setter(false);

function setter(unschedulable: boolean): Command {
  return async (argv, env) => {
    const args = parseArgs(argv, FLAGS);
    const { items, errors } = await findNodes(
      args,
      env,
      unschedulable ? "cordon" : "uncordon",
    );
    for (const { object } of items) {
      await setUnschedulable(typed<Node>(object), unschedulable, args, env);
    }
    throwAll(errors);
    return 0;
  };
}

/** Nodes by name, by label, or all of a selector. */
export async function findNodes(
  args: Args,
  env: Environment,
  verb: string,
): Promise<Finding> {
  if (args.words.length === 0 && !args.get("selector")) {
    throw wrongUse(verb, `USAGE: ${verb} NODE [flags]`);
  }
  return find(args, ["nodes", ...args.words], env, { verb: "cordon" });
}

export async function setUnschedulable(
  node: Node,
  unschedulable: boolean,
  args: Args,
  env: Environment,
): Promise<void> {
  const word = unschedulable ? "cordoned" : "uncordoned";
  const kind = env.kinds.kindOf("v1", "Node")!;
  if ((node.spec?.unschedulable ?? false) === unschedulable) {
    printDone(args, env, kind, node, `already ${word}`);
    return;
  }
  if (dryRunOf(args) !== "client") {
    const body = { spec: { unschedulable: unschedulable || null } };
    const { name } = node.metadata;
    const type = "application/strategic-merge-patch+json";
    const options = writeOptions(args);
    await env.client.patch(Node, "", name, type, body, { options });
  }
  printDone(args, env, kind, node, word);
}

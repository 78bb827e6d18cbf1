/**
 * kubectl rollout: status, history, undo, restart, pause, resume.
 * Models:     kubectl/pkg/cmd/rollout @ v1.36
 */
import { at } from "../api/kinds/access.ts";
import { groupResource } from "../api/resource.ts";
import type { Json, KubeObject } from "../api/types.ts";
import { flags, OUTPUT, parseArgs, SELECT } from "./args.ts";
import {
  type Command,
  CommandError,
  type Environment,
  throwAll,
} from "./environment.ts";
import { type Found, find } from "./find.ts";
import { dryRunOf, printDone, writeOptions } from "./print/done.ts";
import { requireWords } from "./rollout/asked.ts";
import { rolloutHistory } from "./rollout/history.ts";
import { rolloutStatus } from "./rollout/status.ts";
import { rolloutUndo } from "./rollout/undo.ts";
import { unknownIn } from "./usage.ts";

/** Changes one object; gives the patch, or throws why there is none. */
type Change = (found: Found, env: Environment) => object;

const TEMPLATES = ["Deployment", "DaemonSet", "StatefulSet", "ReplicaSet"];

const restart: Change = ({ kind, object }, env) => {
  if (!TEMPLATES.includes(kind.kind)) {
    throw new CommandError("restarting is not supported");
  }
  if (at(object.spec as Json, "paused") === true) {
    throw new CommandError(
      "can't restart paused deployment (run rollout resume first)",
    );
  }
  const now = env.kernel.timestamp();
  const annotations = { "kubectl.kubernetes.io/restartedAt": now };
  return { spec: { template: { metadata: { annotations } } } };
};

const pause: Change = (found) => setPaused(found, true);
const resume: Change = (found) => setPaused(found, false);

function setPaused({ kind, object }: Found, paused: boolean): object {
  const doing = paused ? "pausing" : "resuming";
  if (kind.kind !== "Deployment") {
    throw new CommandError(`${doing} is not supported`);
  }
  const now = at(object.spec as Json, "paused") === true;
  if (now === paused) {
    const state = paused ? "already paused" : "not paused";
    throw new CommandError(`is ${state}`);
  }
  return { spec: { paused: paused || null } };
}

function changer(change: Change, done: string): Command {
  return async (argv, env) => {
    const args = parseArgs(argv, flags("", OUTPUT, SELECT));
    const verb = done.replace(/ed$/, "");
    requireWords(args);
    const wide = { verb, lists: true };
    const { items, errors } = await find(args, args.words, env, wide);
    const failed: unknown[] = [...errors];
    for (const found of items) {
      const { kind, object } = found;
      const { name, namespace = "" } = object.metadata;
      let after: KubeObject = object;
      try {
        const body = change(found, env);
        const options = writeOptions(args, "kubectl-rollout");
        const type = "application/strategic-merge-patch+json";
        if (dryRunOf(args) !== "client") {
          const more = { options };
          const { client } = env;
          after = await client.patch(kind, namespace, name, type, body, more);
        }
      } catch (error) {
        if (!(error instanceof CommandError)) throw error;
        const resource = groupResource(kind);
        const why = error.message;
        failed.push(new CommandError(`${resource} "${name}" ${why}`));
        continue;
      }
      printDone(args, env, kind, after, done, true);
    }
    throwAll(failed);
    return 0;
  };
}

const COMMANDS: { readonly [name: string]: Command } = {
  status: rolloutStatus,
  history: rolloutHistory,
  undo: rolloutUndo,
  restart: changer(restart, "restarted"),
  pause: changer(pause, "paused"),
  resume: changer(resume, "resumed"),
};

export const rollout: Command = async (argv, env) => {
  const [name = "", ...rest] = argv;
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (command) return command(rest, env);
  const known = Object.keys(COMMANDS).join(", ");
  if (name === "") throw new CommandError(`rollout needs one of ${known}`);
  throw unknownIn("rollout", argv);
};

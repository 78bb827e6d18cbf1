/**
 * kubectl in the page: a table of commands, each written against the same
 * client as the controllers. Nothing here is special to the cluster: it is one
 * more client of the API.
 * Models:     kubectl/pkg/cmd @ v1.36
 */

import { StatusError } from "../api/status.ts";
import { ConnectionError } from "../api/transport.ts";
import { apply } from "./apply.ts";
import { type Command, CommandError, type Environment } from "./environment.ts";
import { serverError } from "./errors.ts";

const COMMANDS: { readonly [name: string]: Command } = { apply };

/** Runs `kubectl <argv>`; resolves to the exit code. */
export async function runKubectl(
  argv: readonly string[],
  env: Environment,
): Promise<number> {
  const [name = "", ...rest] = argv;
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (!command) {
    env.err(`error: unknown command "${name}" for "kubectl"`);
    return 1;
  }
  try {
    return await command(rest, env);
  } catch (error) {
    if (error instanceof CommandError) env.err(`error: ${error.message}`);
    else if (error instanceof StatusError) env.err(serverError(error));
    else if (error instanceof ConnectionError) env.err(refused(error));
    else throw error;
    return 1;
  }
}

function refused({ target }: ConnectionError): string {
  return (
    `The connection to the server ${target} was refused - did you ` +
    "specify the right host or port?"
  );
}

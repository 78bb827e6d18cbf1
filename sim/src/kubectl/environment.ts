/** What a kubectl command is given: a client, files, and somewhere to print. */
import type { Kinds } from "../api/kinds/registry.ts";
import type { Client } from "../client/client.ts";
import type { Kernel } from "../kernel/index.ts";
import type { Problem } from "./problem.ts";

export interface Environment {
  readonly kernel: Kernel;
  readonly client: Client;
  /** The kinds that the server knows: what discovery tells. */
  readonly kinds: Kinds;
  /** Files by the name that `-f` says; `-` is standard input. */
  readonly files: Readonly<Record<string, string>>;
  /** Prints one or more lines to standard output, or to standard error. */
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  /** Lets a person change a text; absent where nobody can. Throws CommandError. */
  readonly editor?: (text: string) => string | Promise<string>;
  /** Told of each mistake in a manifest, with its place, besides `err`. */
  readonly problem?: (problem: Problem) => void;
}

/** A command's work; resolves to the exit code. */
export type Command = (
  argv: readonly string[],
  env: Environment,
) => Promise<number>;

/** Printed as `error: …`; the command ends with exit code 1. */
export class CommandError extends Error {}

/** Printed as it is, without `error: ` before it; exit code 1. */
export class PlainError extends CommandError {}

/** A command asked in a wrong way; its help is offered. */
export function wrongUse(command: string, text: string): CommandError {
  return new CommandError(
    `${text}\nSee 'kubectl ${command} -h' for help and examples`,
  );
}

/** A flag that is not known or wrong; help is offered after it. */
export class UsageError extends CommandError {}

/** Several things went wrong; each is printed on a line of its own. */
export class Errors extends Error {
  readonly errors: readonly unknown[];

  constructor(errors: readonly unknown[]) {
    super("several errors");
    this.errors = errors;
  }
}

/** Throws what was collected, if anything: one as itself, more together. */
export function throwAll(errors: readonly unknown[]): void {
  if (errors.length === 1) throw errors[0];
  if (errors.length > 1) throw new Errors(errors);
}

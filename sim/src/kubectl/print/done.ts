/**
 * What a command that changes something prints: `deployment.apps/web scaled`,
 * or the object, if `-o` asks for it; and what `--dry-run` means.
 * Models:     kubectl/pkg/cmd/util/helpers.go (PrintFlagsWithDryRunStrategy)
 */
import type { Kind, Obj } from "../../api/kinds/definition.ts";
import type { RequestOptions } from "../../api/transport.ts";
import type { KubeObject } from "../../api/types.ts";
import type { Args } from "../args.ts";
import { CommandError, type Environment } from "../environment.ts";
import { typed } from "../objects.ts";
import { inGoOrder } from "./go-order.ts";
import { nameOf, objectPrinterFor, printText } from "./object.ts";

export type DryRun = "none" | "client" | "server";

export function dryRunOf(args: Args): DryRun {
  const text = args.get("dry-run") ?? "none";
  if (text === "none" || text === "client" || text === "server") return text;
  if (text === "unchanged" || text === "true") return "client";
  if (text === "false") return "none";
  throw new CommandError(
    `Invalid dry-run value (${text}). Must be "none", "server", or "client".`,
  );
}

/** After what was done: whether it was for show. */
export function dryText(args: Args): string {
  const dry = dryRunOf(args);
  if (dry === "none") return "";
  return dry === "client" ? " (dry run)" : " (server dry run)";
}

/** Options of a write: who manages the fields, and whether it is for show. */
export function writeOptions(args: Args, manager?: string): RequestOptions {
  const fieldManager = args.get("field-manager") ?? manager;
  return {
    ...(fieldManager ? { fieldManager } : {}),
    ...(dryRunOf(args) === "server" ? { dryRun: ["All"] } : {}),
  };
}

/** Strict unless `--validate` says otherwise. */
export function fieldValidation(args: Args): "Strict" | "Warn" | "Ignore" {
  const text = args.get("validate") ?? "strict";
  if (text === "warn") return "Warn";
  return text === "ignore" || text === "false" ? "Ignore" : "Strict";
}

/** `inOrder`: the object is of a Go type, whose order of fields it has. */
export function printDone(
  args: Args,
  env: Environment,
  kind: Kind,
  object: KubeObject,
  done: string,
  inOrder = false,
): void {
  const printer = objectPrinterFor(args, env);
  if (printer) {
    const shown = inOrder ? inGoOrder(object, kind, env) : object;
    const items = [{ kind, object: typed<Obj>(shown) }];
    printText(printer(items, true, inOrder), env);
    return;
  }
  env.out(`${nameOf(kind, object)} ${done}${dryText(args)}`);
}

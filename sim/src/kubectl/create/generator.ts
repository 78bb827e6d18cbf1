/**
 * What the generators of `kubectl create` share. Each makes one object from
 * words and flags; the command sends it.
 * Models:     kubectl/pkg/cmd/create @ v1.36
 */
import type { JsonObject, KubeObject } from "../../api/types.ts";
import type { Args, FlagTable } from "../args.ts";
import { CommandError, type Environment, wrongUse } from "../environment.ts";

export interface Generator {
  readonly flags: FlagTable;
  /** Flags that must be given. */
  readonly needs?: readonly string[];
  /** The object; its namespace is filled in by the command. */
  readonly make: (name: string, args: Args, env: Environment) => KubeObject;
  /** Before the server's words when it refuses; absent: they stand alone. */
  readonly failure?: string;
}

/** An object of plain fields. */
export function made(
  apiVersion: string,
  kind: string,
  name: string,
  fields: JsonObject,
  labels?: JsonObject,
): KubeObject {
  const metadata = { name, ...(labels ? { labels } : {}) };
  return { apiVersion, kind, ...fields, metadata } as JsonObject & KubeObject;
}

/** The one word that `kubectl create WHAT` takes. */
export function oneName({ words }: Args, what: string): string {
  const [name, ...more] = words;
  if (name !== undefined && more.length === 0) return name;
  const text = `exactly one NAME is required, got ${words.length}`;
  throw wrongUse(`create ${what}`, text);
}

export function required(args: Args, flag: string): string {
  const value = args.get(flag);
  if (value) return value;
  throw new CommandError(`required flag(s) "${flag}" not set`);
}

/** `a=b,c=d` of all values of a flag. */
export function pairsOf(args: Args, flag: string): { [key: string]: string } {
  const pairs: { [key: string]: string } = {};
  for (const text of args.list(flag)) {
    const [key = "", value] = text.split(/=(.*)/s);
    if (value === undefined) {
      throw new CommandError(`unexpected label spec: ${text}`);
    }
    pairs[key] = value;
  }
  return pairs;
}

/** `nginx` of `registry.local/web/nginx:1.27@sha256:…`. */
export function imageName(image: string): string {
  const last = image.split("/").at(-1)!;
  return last.split("@")[0]!.split(":")[0]!;
}

/**
 * CNI_ARGS: `K=V;K=V`, each plugin knowing a few of the names.
 * Models: containernetworking/cni pkg/types/args.go
 */
import { quote } from "../api/go-text.ts";

/** Values by name. Throws on what no field of `known` can take. */
export function loadArgs(
  text: string | undefined,
  known: readonly string[],
): Readonly<Record<string, string>> {
  const values: Record<string, string> = {};
  const unknown: string[] = [];
  for (const pair of text ? text.split(";") : []) {
    const [name = "", value, more] = pair.split("=");
    if (value === undefined || more !== undefined) {
      throw new Error(`ARGS: invalid pair ${quote(pair)}`);
    }
    if (name !== IGNORE && !known.includes(name)) unknown.push(pair);
    else values[name] = value;
  }
  if (unknown.length === 0 || isTrue(values[IGNORE])) return values;
  const shown = unknown.map((pair) => quote(pair)).join(" ");
  throw new Error(`ARGS: unknown args [${shown}]`);
}

const IGNORE = "IgnoreUnknown";

function isTrue(text = "0"): boolean {
  const lower = text.toLowerCase();
  if (["1", "true"].includes(lower)) return true;
  if (["0", "false"].includes(lower)) return false;
  throw badArg(IGNORE, text, `boolean unmarshal error: invalid input ${lower}`);
}

export function badArg(name: string, value: string, reason: string): Error {
  const pair = quote(`${name}=${value}`);
  // The bracket that nothing opens is upstream's.
  return new Error(`ARGS: error parsing value of pair ${pair}: ${reason})`);
}

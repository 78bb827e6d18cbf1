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
  const pairs = text ? text.split(";") : [];
  let unknown = false;
  for (const pair of pairs) {
    const at = pair.indexOf("=");
    if (at < 0 || pair.includes("=", at + 1)) {
      throw new Error(`ARGS: invalid pair ${quote(pair)}`);
    }
    const name = pair.slice(0, at);
    if (isKnown(name, known)) values[name] = pair.slice(at + 1);
    else unknown = true;
  }
  if (!unknown || isTrue(values[IGNORE])) return values;
  const shown = pairs
    .filter((pair) => !isKnown(pair.slice(0, pair.indexOf("=")), known))
    .map((pair) => quote(pair))
    .join(" ");
  throw new Error(`ARGS: unknown args [${shown}]`);
}

const IGNORE = "IgnoreUnknown";

function isKnown(name: string, known: readonly string[]): boolean {
  return name === IGNORE || known.includes(name);
}

function isTrue(text = "0"): boolean {
  const lower = text.toLowerCase();
  if (lower === "1" || lower === "true") return true;
  if (lower === "0" || lower === "false") return false;
  throw badArg(IGNORE, text, `boolean unmarshal error: invalid input ${lower}`);
}

export function badArg(name: string, value: string, reason: string): Error {
  const pair = quote(`${name}=${value}`);
  // The bracket that nothing opens is upstream's.
  return new Error(`ARGS: error parsing value of pair ${pair}: ${reason})`);
}

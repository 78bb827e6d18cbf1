/** Replays defaulting.json: what the server fills in. */
import { newKinds } from "../../sim/src/api/kinds/index.ts";
import type { KubeObject } from "../../sim/src/api/types.ts";
import type { Result, VectorFile } from "./harness.ts";
import { casesOf, nameOf, Tally } from "./harness.ts";

interface Case {
  in: KubeObject;
  defaulted: unknown;
}

export function replay(file: VectorFile): Result {
  const kinds = newKinds();
  const tally = new Tally();
  for (const [i, c] of casesOf<Case>(file).entries()) {
    const name = `#${i} ${c.in.kind} ${nameOf({}, i)}`;
    tally.sameButEmpty(name, () => defaulted(c.in), c.defaulted);
  }
  return tally.result();

  function defaulted(object: KubeObject): KubeObject {
    const kind = kinds.kindOf(object.apiVersion, object.kind);
    if (!kind) throw new Error(`no kind ${object.apiVersion} ${object.kind}`);
    return kinds.applyDefaults(kind, object);
  }
}

/**
 * What `kubectl apply` prints: a line for each object as it is applied, or with
 * -o all objects at the end, several as one List.
 * Models:     kubectl/pkg/cmd/apply/apply.go (printObjects) @ v1.36
 */
import { goSortedJson } from "../../api/go-text.ts";
import type { Kind, Obj } from "../../api/kinds/definition.ts";
import type { KubeObject } from "../../api/types.ts";
import type { Args } from "../args.ts";
import type { Environment } from "../environment.ts";
import type { Found } from "../find.ts";
import { typed } from "../objects.ts";
import { printDone } from "../print/done.ts";
import { clean, objectPrinterFor, printText } from "../print/object.ts";
import { formatOf } from "../print/template-text.ts";

export interface Told {
  /** One object was applied. */
  tell(kind: Kind, object: KubeObject, done: string): void;
  /** All were. */
  end(): void;
}

export function toldOf(args: Args, env: Environment): Told {
  const atOnce = ["", "name"].includes(formatOf(args).name);
  const found: Found[] = [];
  return {
    tell(kind, object, done) {
      if (atOnce) printDone(args, env, kind, object, done);
      else found.push({ kind, object: typed(object) });
    },
    end() {
      const [first, ...more] = found;
      if (!first) return;
      const printer = objectPrinterFor(args, env)!;
      const list = more.length > 0 ? [listOf(found, args)] : [first];
      printText(printer(list, true, more.length > 0), env);
    },
  };
}

/** A List in Go's order; what it holds is in that of the alphabet. */
function listOf(found: readonly Found[], args: Args): Found {
  const keep = args.on("show-managed-fields");
  const items = found.map(({ object }) => {
    return JSON.parse(goSortedJson(clean(object, keep))) as Obj;
  });
  const list = { kind: "List", apiVersion: "v1", metadata: {}, items };
  return { kind: found[0]!.kind, object: list as object as Obj };
}

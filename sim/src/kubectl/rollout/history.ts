/**
 * kubectl rollout history.
 * Models:     kubectl/pkg/cmd/rollout/rollout_history.go,
 *             kubectl/pkg/polymorphichelpers/history.go @ v1.36
 */
import { obj } from "../../api/kinds/access.ts";
import type { Kind, Obj } from "../../api/kinds/definition.ts";
import { ReplicaSet } from "../../api/kinds/replicaset.ts";
import type { Json } from "../../api/types.ts";
import { flags, OUTPUT, parseArgs, SELECT } from "../args.ts";
import { writeTemplateBody } from "../describe/template.ts";
import { Writer } from "../describe/writer.ts";
import {
  type Command,
  CommandError,
  type Environment,
} from "../environment.ts";
import { type Found, find } from "../find.ts";
import { inGoOrder } from "../print/go-order.ts";
import { objectPrinterFor, printText } from "../print/object.ts";
import { kindPrefix } from "../print/table.ts";
import { align } from "../print/tabs.ts";
import { formatOf } from "../print/template-text.ts";
import { assertHistory, requireWords } from "./asked.ts";
import { type Revision, revisionsOf } from "./revisions.ts";

export const rolloutHistory: Command = async (argv, env) => {
  const args = parseArgs(argv, flags("revision:value", OUTPUT, SELECT));
  requireWords(args);
  const printer = objectPrinterFor(args, env);
  const { items, errors } = await find(args, args.words, env, {
    verb: "history",
    lists: true,
  });
  if (errors.length > 0) throw errors[0];
  for (const { kind, object } of items) {
    assertHistory(kind, "no history viewer has been implemented for");
    const revisions = await revisionsOf(env, kind, object);
    const wanted = args.int("revision") ?? 0;
    if (printer) {
      const among = revisions.filter(
        ({ revision }) => wanted <= 0 || revision === wanted,
      );
      const texts = among.map((one) => {
        return printer([whole(kind, object, one, env)], true, true);
      });
      const isYaml = formatOf(args).name === "yaml";
      printText(texts.join(isYaml ? "---\n" : ""), env);
      continue;
    }
    const name = `${kindPrefix(kind)}/${object.metadata.name}`;
    const text = wanted > 0 ? one(revisions, wanted) : all(revisions);
    const withNumber = wanted > 0 ? ` with revision #${wanted}` : " ";
    env.out(`${name}${withNumber}\n${text}`);
  }
  return 0;
};

/** A Deployment's revision is a ReplicaSet; others are themselves, as then. */
function whole(
  kind: Kind,
  object: Obj,
  { template, object: its }: Revision,
  env: Environment,
): Found {
  if (kind.kind === "Deployment") {
    const replicaSets = ReplicaSet as Kind;
    return { kind: replicaSets, object: inGoOrder(its, replicaSets, env) };
  }
  const then = { ...object, spec: { ...obj(object.spec as Json), template } };
  return { kind, object: inGoOrder(then, kind, env) };
}

/** minwidth 0, padding 2, as `rollout history` prints it. */
function all(revisions: readonly Revision[]): string {
  if (revisions.length === 0) return "No rollout history found.";
  const rows = revisions.map(
    ({ revision, changeCause }) => `${revision}\t${changeCause}`,
  );
  const text = ["REVISION\tCHANGE-CAUSE", ...rows, ""].join("\n");
  return align(text, { minWidth: 0, padding: 2 });
}

function one(revisions: readonly Revision[], wanted: number): string {
  const found = revisions.find(({ revision }) => revision === wanted);
  if (!found) throw new CommandError("unable to find the specified revision");
  const { metadata, spec } = obj(found.template);
  const { annotations: known } = found.object.metadata;
  const cause = known?.["kubernetes.io/change-cause"];
  const why = cause ? { "kubernetes.io/change-cause": cause } : {};
  const annotations = { ...obj(obj(metadata).annotations), ...why };
  const w = new Writer();
  w.line(0, "Pod Template:");
  writeTemplateBody(w, { ...obj(metadata), annotations }, obj(spec));
  return w.withTabs();
}

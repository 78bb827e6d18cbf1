/**
 * kubectl rollout undo.
 * Models:     kubectl/pkg/cmd/rollout/rollout_undo.go,
 *             kubectl/pkg/polymorphichelpers/rollback.go @ v1.36
 */
import { at, obj } from "../../api/kinds/access.ts";
import type { Kind, Obj } from "../../api/kinds/definition.ts";
import type { Json, JsonObject } from "../../api/types.ts";
import { flags, OUTPUT, parseArgs, SELECT } from "../args.ts";
import { writeTemplateBody } from "../describe/template.ts";
import { Writer } from "../describe/writer.ts";
import {
  type Command,
  CommandError,
  type Environment,
} from "../environment.ts";
import { find } from "../find.ts";
import { dryRunOf, printDone, writeOptions } from "../print/done.ts";
import { assertHistory, requireWords } from "./asked.ts";
import {
  type Revision,
  revisionsOf,
  sameTemplate,
  withoutHash,
} from "./revisions.ts";

function templateText(template: Json): string {
  const { metadata, spec } = obj(template);
  const w = new Writer();
  w.line(0, "Pod Template:");
  writeTemplateBody(w, obj(metadata), obj(spec));
  return w.withTabs();
}

function notFound(revision: number): CommandError {
  return new CommandError(
    `unable to find specified revision ${revision} in history`,
  );
}

export const rolloutUndo: Command = async (argv, env) => {
  const args = parseArgs(argv, flags("to-revision:value", OUTPUT, SELECT));
  requireWords(args);
  const { items, errors } = await find(args, args.words, env, { verb: "undo" });
  if (errors.length > 0) throw errors[0];
  const wanted = args.int("to-revision") ?? 0;
  for (const { kind, object } of items) {
    assertHistory(kind, "no rollbacker has been implemented for");
    if (at(object.spec as Json, "paused") === true) {
      throw new CommandError(
        "you cannot rollback a paused deployment; resume it first with " +
          "'kubectl rollout resume' and try again",
      );
    }
    const target = await targetOf(env, kind, object, wanted);
    const now = at(object.spec as Json, "template");
    if (sameTemplate(target.template, now)) {
      const dry = `skipped rollback (current template already matches revision ${target.revision})`;
      printDone(args, env, kind, object, dry, true);
      continue;
    }
    if (dryRunOf(args) !== "client") {
      await rollBack(env, kind, object, target, writeOptions(args));
    }
    // Without the server, upstream shows what the template would be.
    const dry = dryRunOf(args) === "client" && kind.kind === "Deployment";
    const text = dry ? templateText(target.template) : "rolled back";
    printDone(args, env, kind, object, text, true);
  }
  return 0;
};

/** The revision asked for; 0 is the one before the newest. */
async function targetOf(
  env: Environment,
  kind: Kind,
  object: Obj,
  wanted: number,
): Promise<Revision> {
  const revisions = await revisionsOf(env, kind, object);
  const found =
    wanted > 0
      ? revisions.find(({ revision }) => revision === wanted)
      : revisions.at(-2);
  if (found) return found;
  if (wanted > 0) throw notFound(wanted);
  if (kind.kind !== "Deployment")
    throw new CommandError("no last revision to roll back to");
  const { name } = object.metadata;
  throw new CommandError(
    `no rollout history found for ${kind.singular} "${name}"`,
  );
}

async function rollBack(
  env: Environment,
  kind: Kind,
  object: Obj,
  { template, object: revision }: Revision,
  options: ReturnType<typeof writeOptions>,
): Promise<void> {
  const { namespace = "", name } = object.metadata;
  if (kind.kind !== "Deployment") {
    const type = "application/strategic-merge-patch+json";
    await env.client.patch(kind, namespace, name, type, revision.data, {
      options,
    });
    return;
  }
  const annotations = annotationsFor(object, revision);
  const body = [
    { op: "replace", path: "/spec/template", value: withoutHash(template) },
    { op: "replace", path: "/metadata/annotations", value: annotations },
  ];
  const type = "application/json-patch+json";
  await env.client.patch(kind, namespace, name, type, body, { options });
}

/** Those of the revision, but for what is the Deployment's own. */
const OWN = [
  "kubectl.kubernetes.io/last-applied-configuration",
  "deployment.kubernetes.io/revision",
  "deployment.kubernetes.io/revision-history",
  "deployment.kubernetes.io/desired-replicas",
  "deployment.kubernetes.io/max-replicas",
  "deprecated.deployment.rollback.to",
];

function annotationsFor(object: Obj, revision: Obj): JsonObject {
  const mine = object.metadata.annotations ?? {};
  const theirs = revision.metadata.annotations ?? {};
  const isOwn = ([key]: [string, string]) => OWN.includes(key);
  return Object.fromEntries([
    ...Object.entries(mine).filter(isOwn),
    ...Object.entries(theirs).filter((one) => !isOwn(one)),
  ]);
}

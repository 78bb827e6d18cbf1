/**
 * kubectl auth reconcile: roles and bindings get what files say that they
 * have, and lose nothing unless it is asked for.
 * Models:     kubectl/pkg/cmd/auth/reconcile.go,
 *             component-helpers/auth/rbac/reconciliation @ v1.36
 * Leaves out: trying again where somebody else writes at the same time.
 */
import { list, obj, same, strings } from "../../api/kinds/access.ts";
import { isNotFound } from "../../api/status.ts";
import type { JsonObject, KubeObject } from "../../api/types.ts";
import { type Args, flags, OUTPUT, parseArgs, SELECT } from "../args.ts";
import {
  type Command,
  CommandError,
  type Environment,
  throwAll,
} from "../environment.ts";
import { type Manifest, readManifests } from "../manifests.ts";
import { jsonOf, typed } from "../objects.ts";
import { dryRunOf, printDone } from "../print/done.ts";
import { objectPrinterFor } from "../print/object.ts";
import { missingIn, rulesOf, uncovered } from "./covers.ts";

const FLAGS = flags(
  "remove-extra-subjects remove-extra-permissions",
  OUTPUT,
  SELECT,
);

const GROUP = "rbac.authorization.k8s.io";
const AUTO_UPDATE = "rbac.authorization.kubernetes.io/autoupdate";

interface Plan {
  readonly operation: "none" | "create" | "update" | "recreate";
  readonly object: JsonObject;
  readonly isProtected: boolean;
  /** What is told of the change, line by line. */
  readonly lines: readonly string[];
}

export const reconcile: Command = async (argv, env) => {
  const args = parseArgs(argv, FLAGS);
  if (dryRunOf(args) === "server")
    throw new CommandError(
      "--dry-run=server for command reconcile is not supported yet",
    );
  const { items, errors } = readManifests(args, env, "reconcile");
  objectPrinterFor(args, env);
  for (const manifest of items)
    if (manifest.kind.group === GROUP) await one(manifest, args, env);
  throwAll(errors);
  return 0;
};

async function one(
  manifest: Manifest,
  args: Args,
  env: Environment,
): Promise<void> {
  const { kind, object } = manifest;
  const live = await read(manifest, env);
  const plan = planOf(jsonOf(object), live && jsonOf(live), args);
  const writes = !plan.isProtected && dryRunOf(args) === "none";
  const wanted = typed<KubeObject>(plan.object as never);
  const after = writes ? await write(manifest, wanted, plan, env) : wanted;
  printDone(args, env, kind, after, "reconciled", true);
  if (plan.operation === "none") return;
  const caveat = plan.isProtected
    ? `, but object opted out (${AUTO_UPDATE}: false)`
    : "";
  const head = `\treconciliation required ${plan.operation}${caveat}`;
  env.err([head, ...plan.lines].join("\n"));
}

async function read(
  { kind, object: { metadata } }: Manifest,
  { client }: Environment,
): Promise<KubeObject | undefined> {
  try {
    return await client.get(kind, metadata.namespace ?? "", metadata.name);
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

async function write(
  { kind, object }: Manifest,
  wanted: KubeObject,
  { operation }: Plan,
  { client }: Environment,
): Promise<KubeObject> {
  const { namespace = "", name } = object.metadata;
  if (operation === "none") return wanted;
  if (operation === "update") return client.update(kind, wanted);
  if (operation === "recreate") await client.delete(kind, namespace, name);
  return client.create(kind, wanted);
}

function planOf(
  wanted: JsonObject,
  live: JsonObject | undefined,
  args: Args,
): Plan {
  const isBinding = wanted.roleRef !== undefined;
  const isProtected =
    obj(obj(live?.metadata).annotations)[AUTO_UPDATE] === "false";
  if (!live) {
    const rules = lines("missing rules added", rulesOf(wanted).map(ruleText));
    return { operation: "create", object: wanted, isProtected, lines: rules };
  }
  if (isBinding && !same(wanted.roleRef, live.roleRef))
    return { operation: "recreate", object: wanted, isProtected, lines: [] };
  const labelled = withMarks(live, wanted);
  const change = isBinding
    ? subjectsPlan(wanted, live, args.on("remove-extra-subjects"))
    : rulesPlan(wanted, live, args.on("remove-extra-permissions"));
  const object = { ...labelled, ...change.fields };
  const operation = same(object, live) ? "none" : "update";
  return { operation, object, isProtected, lines: change.lines };
}

/** Labels and annotations that are there win over those of the file. */
function withMarks(live: JsonObject, wanted: JsonObject): JsonObject {
  const metadata: { [field: string]: unknown } = { ...obj(live.metadata) };
  for (const field of ["labels", "annotations"]) {
    const both = {
      ...obj(obj(wanted.metadata)[field]),
      ...obj(obj(live.metadata)[field]),
    };
    if (Object.keys(both).length > 0) metadata[field] = both;
  }
  return { ...live, metadata: metadata as JsonObject };
}

function rulesPlan(wanted: JsonObject, live: JsonObject, removes: boolean) {
  const [before, asked] = [rulesOf(live), rulesOf(wanted)];
  const missing = uncovered(before, asked);
  const extra = removes ? uncovered(asked, before) : [];
  const changed = missing.length + extra.length > 0;
  const rules = removes ? asked : [...before, ...missing];
  return {
    fields: changed ? { rules } : {},
    lines: [
      ...lines("missing rules added", missing.map(ruleText)),
      ...lines("extra rules removed", extra.map(ruleText)),
    ],
  };
}

function subjectsPlan(wanted: JsonObject, live: JsonObject, removes: boolean) {
  const [before, asked] = [list(live.subjects), list(wanted.subjects)];
  const missing = missingIn(asked, before);
  const extra = removes ? missingIn(before, asked) : [];
  const changed = missing.length + extra.length > 0;
  const subjects = removes ? asked : [...before, ...missing];
  return {
    fields: changed ? { subjects } : {},
    lines: [
      ...lines("missing subjects added", missing.map(subjectText)),
      ...lines("extra subjects removed", extra.map(subjectText)),
    ],
  };
}

function lines(title: string, texts: readonly string[]): string[] {
  if (texts.length === 0) return [];
  return [`\t${title}:`, ...texts.map((text) => `\t\t${text}`)];
}

function ruleText(rule: JsonObject): string {
  const text = (field: string) => `[${strings(rule[field]).join(" ")}]`;
  return (
    `{Verbs:${text("verbs")} APIGroups:${text("apiGroups")} ` +
    `Resources:${text("resources")} ResourceNames:${text("resourceNames")} ` +
    `NonResourceURLs:${text("nonResourceURLs")}}`
  );
}

function subjectText(subject: JsonObject): string {
  const { kind = "", apiGroup = "", name = "", namespace = "" } = subject;
  return `{Kind:${kind} APIGroup:${apiGroup} Name:${name} Namespace:${namespace}}`;
}

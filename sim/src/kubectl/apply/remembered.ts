/**
 * kubectl apply view-last-applied and set-last-applied: what apply remembers.
 * Models:     kubectl/pkg/cmd/apply/apply_{view,set}_last_applied.go @ v1.36
 * Leaves out: edit-last-applied, which needs an editor.
 */
import { goJson, goSortedJson } from "../../api/go-text.ts";
import type { JsonObject, KubeObject } from "../../api/types.ts";
import { stringify } from "../../api/yaml.ts";
import { flags, OUTPUT, parseArgs, SELECT } from "../args.ts";
import {
  type Command,
  CommandError,
  throwAll,
  wrongUse,
} from "../environment.ts";
import { find } from "../find.ts";
import { LAST_APPLIED } from "../last-applied.ts";
import { type Manifest, readManifests } from "../manifests.ts";
import { dryRunOf, printDone, writeOptions } from "../print/done.ts";
import { objectPrinterFor, printText } from "../print/object.ts";

export const viewLastApplied: Command = async (argv, env) => {
  const args = parseArgs(argv, flags("output:value,o", SELECT));
  const verb = "view-last-applied";
  const { items, errors } = await find(args, args.words, env, { verb });
  throwAll(errors.slice(0, 1));
  // Upstream means to refuse what was never applied, but passes over it.
  const texts = items.flatMap(({ object: { metadata } }) => {
    const text = metadata.annotations?.[LAST_APPLIED];
    return text === undefined ? [] : [text];
  });
  const output = args.get("output") ?? "yaml";
  if (output !== "yaml" && output !== "json" && texts.length > 0)
    throw wrongUse(
      "apply view-last-applied",
      `Unexpected -o output mode: ${output}, the flag 'output' must be one of yaml|json`,
    );
  const shown = texts.map((text) => {
    const value = JSON.parse(text) as JsonObject;
    return output === "yaml" ? stringify(value) : `${goJson(value, 2)}\n`;
  });
  printText(shown.join(""), env);
  return 0;
};

interface Change {
  readonly manifest: Manifest;
  readonly live: KubeObject;
  readonly text: string;
}

/** All are looked at before the first is changed. */
export const setLastApplied: Command = async (argv, env) => {
  const args = parseArgs(argv, flags("create-annotation", OUTPUT, SELECT));
  objectPrinterFor(args, env);
  const { items, errors } = readManifests(args, env, "set-last-applied");
  throwAll(errors.slice(0, 1));
  const changes: Change[] = [];
  for (const manifest of items) {
    const text = `${goSortedJson(manifest.object)}\n`;
    const { namespace = "", name } = manifest.object.metadata;
    const live = await env.client.get(manifest.kind, namespace, name);
    const before = live.metadata.annotations?.[LAST_APPLIED];
    if (before === undefined && !args.on("create-annotation"))
      throw new CommandError(
        `no last-applied-configuration annotation found on resource: ${name}, ` +
          "to create the annotation, run the command with --create-annotation",
      );
    if (before === text)
      env.out(`set-last-applied ${name}: no changes required.`);
    else changes.push({ manifest, live, text });
  }
  for (const { manifest, live, text } of changes) {
    const { kind } = manifest;
    const { namespace = "", name } = live.metadata;
    const body = { metadata: { annotations: { [LAST_APPLIED]: text } } };
    const type = "application/merge-patch+json";
    const options = writeOptions(args);
    const dry = dryRunOf(args) === "client";
    const after = dry
      ? live
      : await env.client.patch(kind, namespace, name, type, body, { options });
    printDone(args, env, kind, after, "configured");
  }
  return 0;
};

/**
 * kubectl set serviceaccount, and set selector: changes to what is not a
 * container.
 * Models:     kubectl/pkg/cmd/set/{set_serviceaccount,set_selector}.go @ v1.36
 */
import { obj } from "../../api/kinds/access.ts";
import { parseLabelSelector } from "../../api/selector.ts";
import type { Labels } from "../../api/types.ts";
import { flags, OUTPUT, parseArgs, SELECT } from "../args.ts";
import { type Command, CommandError } from "../environment.ts";
import { jsonOf } from "../objects.ts";
import { objectPrinterFor } from "../print/object.ts";
import { changeAll } from "./change.ts";
import { withPodSpec } from "./path.ts";

const FLAGS = flags("resource-version:value local", OUTPUT, SELECT);

/** `set serviceaccount deployment/web robot`: the last word is the account. */
export const setServiceAccount: Command = async (argv, env) => {
  const args = parseArgs(argv, FLAGS);
  objectPrinterFor(args, env);
  if (args.words.length === 0)
    throw new CommandError("serviceaccount is required");
  const serviceAccountName = args.words.at(-1)!;
  await changeAll(args, args.words.slice(0, -1), env, {
    done: "serviceaccount updated",
    failure: "failed to patch ServiceAccountName",
    change: (found) =>
      withPodSpec(found, (spec) => ({ ...spec, serviceAccountName })),
  });
  return 0;
};

/** `set selector service web app=web`: which Pods a Service leads to. */
export const setSelector: Command = async (argv, env) => {
  const args = parseArgs(argv, FLAGS);
  objectPrinterFor(args, env);
  const labels = labelsOf(args.words.at(-1) ?? "");
  await changeAll(args, args.words.slice(0, -1), env, {
    done: "selector updated",
    change: ({ kind, object }) => {
      const selector = labels();
      if (kind.kind !== "Service")
        throw new CommandError(
          "setting a selector is only supported for Services",
        );
      // It is replaced whole: what is not named is taken out.
      const spec = { ...obj(jsonOf(object).spec), selector };
      return { ...object, ...{ spec } };
    },
  });
  return 0;
};

const OPERATORS: { readonly [operator: string]: string } = {
  in: "In",
  notin: "NotIn",
  exists: "Exists",
  "!": "DoesNotExist",
  "!=": "NotIn",
};

/** Equalities as labels; a Service knows no other conditions. */
function labelsOf(text: string): () => Labels {
  const { requirements } = parseLabelSelector(text);
  const isEqual = (operator: string) => operator === "=" || operator === "==";
  const others = requirements.filter(({ operator }) => !isEqual(operator));
  return () => {
    const shown = others.map(({ key, operator, values }) => {
      return `{${key} ${OPERATORS[operator] ?? operator} [${values.join(" ")}]}`;
    });
    if (shown.length > 0)
      throw new CommandError(
        `match expression [${shown.join(" ")}] not supported on this object`,
      );
    const pairs = requirements.map(({ key, values }) => [key, values[0] ?? ""]);
    return Object.fromEntries(pairs) as Labels;
  };
}

/**
 * kubectl set image and set resources: one change to containers of a template.
 * Models:     kubectl/pkg/cmd/set/{set_image,set_resources}.go @ v1.36
 */
import { obj, str } from "../../api/kinds/access.ts";
import {
  canonicalQuantity,
  parseQuantity,
  QuantityError,
} from "../../api/quantity.ts";
import type { JsonObject, KubeObject } from "../../api/types.ts";
import { type Args, flags, OUTPUT, parseArgs, SELECT } from "../args.ts";
import { type Command, CommandError } from "../environment.ts";
import type { Found } from "../find.ts";
import { objectPrinterFor } from "../print/object.ts";
import { changeAll } from "./change.ts";
import { isNamed, splitWords } from "./names.ts";
import { containersOf, withContainers } from "./path.ts";

const IMAGE = flags("local", OUTPUT, SELECT);

/** `set image deployment/web web=nginx:2`; `*` is all containers. */
export const setImage: Command = async (argv, env) => {
  const args = parseArgs(argv, IMAGE);
  objectPrinterFor(args, env);
  const isPair = (word: string) => word.includes("=");
  const { objects, pairs } = splitWords(args.words, isPair, "image");
  if (pairs.length === 0)
    throw new CommandError("at least one image update is required");
  const wanted = pairs.map((pair) => pair.split(/=(.*)/s));
  if (wanted.length > 1 && wanted.some(([name]) => name === "*"))
    throw new CommandError(
      "all containers are already specified by *, but saw more than one " +
        "container_name=container_image pairs",
    );
  await changeAll(args, objects, env, {
    done: "image updated",
    failure: "failed to patch image update to pod template:",
    change: (found) => withImages(found, wanted),
  });
  return 0;
};

function withImages(
  found: Found,
  wanted: readonly (readonly string[])[],
): KubeObject {
  const names = containersOf(found).map(({ name }) => str(name));
  for (const [name = ""] of wanted) {
    if (name !== "*" && !names.includes(name))
      throw new CommandError(`unable to find container named "${name}"`);
  }
  return withContainers(found, (one) => {
    const to = wanted.find(([name]) => name === "*" || name === one.name);
    return to ? { ...one, image: to[1] } : one;
  });
}

const RESOURCES = flags(
  "containers:value,c limits:value requests:value local",
  OUTPUT,
  SELECT,
);

export const setResources: Command = async (argv, env) => {
  const args = parseArgs(argv, RESOURCES);
  objectPrinterFor(args, env);
  if (args.get("limits") === undefined && args.get("requests") === undefined)
    throw new CommandError(
      "you must specify an update to requests or limits (in the form of --requests/--limits)",
    );
  const limits = amounts(args, "limits");
  const requests = amounts(args, "requests");
  await changeAll(args, args.words, env, {
    done: "resource requirements updated",
    failure: "failed to patch resources update to pod template:",
    change: (found) => withResources(found, { limits, requests }, args),
  });
  return 0;
};

function amounts(args: Args, flag: string): JsonObject {
  const pairs = args.list(flag).map((pair) => {
    const [name = "", text, more] = pair.split("=");
    if (text === undefined || more !== undefined)
      throw new CommandError(
        `Invalid argument syntax ${pair}, expected <resource>=<value>`,
      );
    return [name, amount(text)] as const;
  });
  return Object.fromEntries(pairs);
}

function amount(text: string): string {
  try {
    parseQuantity(text);
  } catch (error) {
    if (!(error instanceof QuantityError)) throw error;
    throw new CommandError(error.message);
  }
  return canonicalQuantity(text);
}

function withResources(
  found: Found,
  wanted: { limits: JsonObject; requests: JsonObject },
  args: Args,
): KubeObject {
  const own = args.get("containers") ?? "*";
  const isOne = ({ name }: JsonObject) => isNamed(str(name), own);
  if (!containersOf(found).some(isOne))
    throw new CommandError(`unable to find container named ${own}`);
  return withContainers(found, (one) => {
    if (!isOne(one)) return one;
    const resources: Record<string, JsonObject[string]> = {
      ...obj(one.resources),
    };
    for (const [field, given] of Object.entries(wanted)) {
      if (Object.keys(given).length === 0) continue;
      resources[field] = { ...obj(resources[field]), ...given };
    }
    return { ...one, resources };
  });
}

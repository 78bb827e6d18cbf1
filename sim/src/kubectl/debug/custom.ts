/**
 * `--custom`: a part of a container's spec from a file.
 * Models:     kubectl/pkg/cmd/debug/debug.go (applyCustomProfile) @ v1.36
 */
import { strategicMerge } from "../../api/patch/strategic.ts";
import type { JsonObject } from "../../api/types.ts";
import { parseManifests } from "../../api/yaml.ts";
import type { Args } from "../args.ts";
import { CommandError, type Environment } from "../environment.ts";
import { withContainer } from "./profiles.ts";

const FIXED = ["name", "command", "image", "lifecycle", "volumeDevices"];

export function readCustom(
  args: Args,
  { files }: Environment,
): JsonObject | undefined {
  const file = args.get("custom");
  if (!file) return;
  const text = files[file];
  if (text === undefined)
    throw new CommandError(
      `must pass a container spec json file for custom profile: open ${file}: no such file or directory`,
    );
  const { documents, errors } = parseManifests(text);
  const custom = documents[0]?.value;
  if (errors.length > 0 || typeof custom !== "object" || custom === null)
    throw new CommandError(`${file} does not contain a valid container spec`);
  if (FIXED.some((field) => Object.hasOwn(custom, field)))
    throw new CommandError(
      "name, command, image, lifecycle and volume devices are not modifiable via custom profile",
    );
  return custom as JsonObject;
}

export function customized(
  spec: JsonObject,
  name: string,
  args: Args,
  env: Environment,
): JsonObject {
  const custom = readCustom(args, env);
  if (!custom) return spec;
  return withContainer(spec, name, (container) =>
    strategicMerge(container, custom, "Container", env.kinds.schemas),
  );
}

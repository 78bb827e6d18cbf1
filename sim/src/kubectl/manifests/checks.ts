/**
 * What of a manifest is read before it is known to be an object: its kind, its
 * version and its metadata.
 * Models:     cli-runtime/pkg/resource/mapper.go, apimachinery's unstructured
 *             JSON @ v1.36
 */
import { goSortedJson } from "../../api/go-text.ts";
import { at } from "../../api/kinds/access.ts";
import type { Kind } from "../../api/kinds/definition.ts";
import { DecodeError } from "../../api/schema/decode.ts";
import type { Json, JsonObject, KubeObject } from "../../api/types.ts";
import type { Args } from "../args.ts";
import { CommandError, type Environment } from "../environment.ts";
import type { Place } from "../problem.ts";

/** As the file has it: without the namespace that was filled in. */
export function asWritten(manifest: {
  readonly object: KubeObject;
  readonly place: Place;
}): KubeObject {
  const { object, place } = manifest;
  const fields = (value: unknown) => value as { [step: string | number]: Json };
  const written = place.path.reduce<Json>(
    (value, step) => fields(value)[step],
    place.source.value as Json,
  );
  if (at(written, "metadata", "namespace")) return object;
  const { namespace: _, ...metadata } = object.metadata;
  return { ...object, metadata };
}

/** Why it has no version. */
export function versionMissing(value: JsonObject): string {
  const type = typeof value.apiVersion;
  if (type !== "number" && type !== "boolean")
    return `Object 'apiVersion' is missing in '${goSortedJson(value)}'`;
  const which = type === "boolean" ? "bool" : type;
  return (
    `json: cannot unmarshal ${which} into Go struct field ` +
    "metadataOnlyObject.TypeMeta.apiVersion of type string"
  );
}

/** Names, labels and annotations are texts; YAML's `yes` and `1` are not. */
export function wrongMetadata(
  metadata: Json,
  kind: Kind,
  { kinds }: Environment,
): string | undefined {
  try {
    kinds.unknownFields(kind, { metadata });
    return undefined;
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    // Upstream reads the metadata alone here, without its object.
    const alone = " metadataOnlyObject.metadata of";
    return error.message.replace(/ \w+\.metadata of/, alone);
  }
}

export function refuseBoth(args: Args): void {
  const folders = args.all("kustomize").length;
  if (folders > 0 && args.all("filename").length > folders)
    throw new CommandError("only one of -f or -k can be specified");
}

/** Kustomize builds from a directory, and here is none. */
export function refuseKustomize(args: Args): void {
  const folder = args.get("kustomize");
  if (folder === undefined) return;
  refuseBoth(args);
  const names = "'kustomization.yaml', 'kustomization.yml' or 'Kustomization'";
  throw new CommandError(
    /^[./]*$/.test(folder)
      ? `unable to find one of ${names} in directory '/'`
      : "must build at directory: not a valid directory: evalsymlink failure " +
          `on '${folder}' : lstat /${folder.replace(/^\.?\//, "")}: no such file or directory`,
  );
}

/**
 * kubectl set env --list: the variables of each container, or where they are
 * from.
 * Models:     kubectl/pkg/cmd/set/env/env_resolve.go @ v1.36
 */
import { at, list, obj, str } from "../../api/kinds/access.ts";
import type { JsonObject } from "../../api/types.ts";
import type { Environment } from "../environment.ts";
import type { Found } from "../find.ts";
import { containersOf } from "./path.ts";

export function listEnv(
  found: Found,
  isChosen: (container: JsonObject) => boolean,
  env: Environment,
): void {
  const { kind, object } = found;
  for (const container of containersOf(found).filter(isChosen)) {
    const { name } = object.metadata;
    env.out(`# ${kind.kind} ${name}, container ${str(container.name)}`);
    for (const one of list(container.env)) {
      const text = one.valueFrom
        ? `# ${str(one.name)} from ${sourceText(obj(one.valueFrom))}`
        : `${str(one.name)}=${str(one.value)}`;
      env.out(text);
    }
  }
}

function sourceText(from: JsonObject): string {
  const { configMapKeyRef, secretKeyRef, fieldRef } = from;
  const key = (ref: JsonObject) => `${str(ref.name)}, key ${str(ref.key)}`;
  if (configMapKeyRef) return `configmap ${key(obj(configMapKeyRef))}`;
  if (secretKeyRef) return `secret ${key(obj(secretKeyRef))}`;
  if (fieldRef) return `field path ${str(at(fieldRef, "fieldPath"))}`;
  const { containerName, resource } = obj(from.resourceFieldRef);
  if (!resource) return "invalid valueFrom";
  const prefix = containerName ? `${str(containerName)}/` : "";
  return `resource field ${prefix}${str(resource)}`;
}

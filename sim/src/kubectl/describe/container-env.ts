/**
 * The environment of a container: values, and where the others come from.
 * Models:     kubectl/pkg/describe/describe.go (describeContainerEnvVars),
 *             kubectl/pkg/util/fieldpath @ v1.36
 */
import { at, list, obj, str } from "../../api/kinds/access.ts";
import type { Json, JsonObject } from "../../api/types.ts";
import type { Writer } from "./writer.ts";

export function writeEnvironment(
  w: Writer,
  container: JsonObject,
  pod: JsonObject | undefined,
): void {
  writeEnvFrom(w, list(container.envFrom));
  const env = list(container.env);
  w.line(2, `Environment:${env.length === 0 ? "\t<none>" : ""}`);
  for (const variable of env) {
    if (variable.valueFrom) {
      const text = sourceText(obj(variable.valueFrom), container, pod);
      w.line(3, `${variable.name}:\t${text}`);
      continue;
    }
    for (const [i, line] of str(variable.value).split("\n").entries())
      w.line(3, `${i === 0 ? `${variable.name}:` : ""}\t${line}`);
  }
}

function writeEnvFrom(w: Writer, sources: readonly JsonObject[]): void {
  if (sources.length === 0) return;
  w.line(2, "Environment Variables from:");
  for (const { prefix, configMapRef, secretRef } of sources) {
    const { name, optional } = obj(configMapRef ?? secretRef);
    const from = configMapRef ? "ConfigMap" : "Secret";
    const how = prefix ? ` with prefix '${prefix}'` : "";
    w.line(3, `${name}\t${from}${how}\tOptional: ${optional === true}`);
  }
}

function sourceText(
  from: JsonObject,
  container: JsonObject,
  pod: JsonObject | undefined,
): string {
  const { fieldRef, resourceFieldRef, secretKeyRef, configMapKeyRef } = from;
  if (fieldRef) {
    const { apiVersion, fieldPath } = obj(fieldRef);
    const path = str(fieldPath);
    const found = pod ? fieldText(pod, path) : "";
    return `${found} (${apiVersion ?? "v1"}:${path})`;
  }
  if (resourceFieldRef) {
    const { resource } = obj(resourceFieldRef);
    const amount = amountText(container, str(resource));
    return `${amount} (${resource})`;
  }
  const { key, name, optional } = obj(secretKeyRef ?? configMapKeyRef);
  const where = secretKeyRef ? "in secret" : "of config map";
  return `<set to the key '${key}' ${where} '${name}'>\tOptional: ${optional === true}`;
}

/** `metadata.name`, `metadata.labels['app']`; others are not shown. */
function fieldText(pod: JsonObject, path: string): string {
  if (!path.startsWith("metadata.")) return "";
  const [, parent = path, key] = /^(.*)\['(.*)'\]$/.exec(path) ?? [];
  const found: Json = at(pod, ...parent.split("."));
  if (key !== undefined) return str(obj(found)[key]);
  if (typeof found !== "object" || found === null) return String(found ?? "");
  const pairs = Object.entries(found).map(([k, v]) => `${k}="${v}"`);
  return pairs.toSorted().join("\n");
}

/** `limits.cpu` of the container; without a limit, what the Node has. */
function amountText(container: JsonObject, resource: string): string {
  const [list = "", ...name] = resource.split(".");
  const amount = at(container, "resources", list, name.join("."));
  if (amount !== undefined && amount !== null) return String(amount);
  const fallback = resource === "limits.cpu" || resource === "limits.memory";
  return fallback ? "node allocatable" : "0";
}

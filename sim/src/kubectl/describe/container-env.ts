/**
 * The environment of a container: values, and where the others come from.
 * Models:     kubectl/pkg/describe/describe.go (describeContainerEnvVars),
 *             kubectl/pkg/util/fieldpath @ v1.36
 */
import { at, list, map, obj, str } from "../../api/kinds/access.ts";
import { bytes, milliCpu } from "../../api/quantity.ts";
import type { JsonObject } from "../../api/types.ts";
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
    const ref = obj(resourceFieldRef);
    return `${amountText(container, ref)} (${ref.resource})`;
  }
  const { key, name, optional } = obj(secretKeyRef ?? configMapKeyRef);
  const where = secretKeyRef ? "in secret" : "of config map";
  return `<set to the key '${key}' ${where} '${name}'>\tOptional: ${optional === true}`;
}

/** kubectl's own types know these two alone as names of fields. */
const NAMED = ["metadata.name", "metadata.namespace"];

function fieldText(pod: JsonObject, path: string): string {
  return NAMED.includes(path) ? str(at(pod, ...path.split("."))) : "";
}

/** `limits.cpu` of the container; without a limit, what the Node has. */
function amountText(container: JsonObject, ref: JsonObject): string {
  const text = amountOf(container, ref);
  const { resource } = ref;
  const fallback = resource === "limits.cpu" || resource === "limits.memory";
  return text === "0" && fallback ? "node allocatable" : text;
}

/** In units of the divisor, rounded up; "" of a resource that has no amount. */
function amountOf(container: JsonObject, ref: JsonObject): string {
  const [list = "", ...rest] = str(ref.resource).split(".");
  const name = rest.join(".");
  if (!/^(cpu|memory|ephemeral-storage|hugepages-.+)$/.test(name)) return "";
  const amount = map(at(container, "resources", list))[name];
  const divisor = map(ref).divisor;
  const size = name === "cpu" ? milliCpu : bytes;
  const unit = size(divisor) || size("1");
  return String(Math.ceil(size(amount) / unit));
}

/**
 * A container's environment: plain values, `$(NAME)` in them, fields of the
 * Pod, and keys of ConfigMaps and Secrets.
 * Models:     pkg/kubelet/kubelet_pods.go makeEnvironmentVariables @ v1.36
 * Leaves out: variables for the Services of the namespace; files as source.
 */
import type { Container, EnvVar, Pod } from "../../api/kinds/pod.ts";
import {
  type ConfigSource,
  KubeletError,
  type RuntimeContext,
} from "./context.ts";

export type Envs = { key: string; value: string }[];

const NONE: Envs = [];

/** Throws CreateContainerConfigError if a source is missing. */
export function environment(
  { config }: RuntimeContext,
  pod: Pod,
  container: Container,
  ips: readonly string[],
): Promise<Envs> | Envs {
  const { env, envFrom } = container;
  if (!env?.length && !envFrom?.length) return NONE;
  return readEnvironment(config, pod, container, ips);
}

async function readEnvironment(
  config: ConfigSource,
  pod: Pod,
  container: Container,
  ips: readonly string[],
): Promise<Envs> {
  const values = new Map<string, string>();
  for (const { prefix = "", configMapRef, secretRef } of container.envFrom ??
    []) {
    const ref = configMapRef ?? secretRef;
    const kind = configMapRef ? "configmap" : "secret";
    const data = await source(config, pod, kind, ref);
    for (const [key, value] of Object.entries(data ?? {})) {
      values.set(prefix + key, value);
    }
  }
  for (const variable of container.env ?? []) {
    const value = await variableValue(config, pod, variable, values, ips);
    if (value !== undefined) values.set(variable.name, value);
  }
  return [...values].map(([key, value]) => ({ key, value }));
}

interface Ref {
  readonly name?: string;
  readonly key?: string;
  readonly optional?: boolean;
}

/** The data; undefined if it may be missing and is. */
async function source(
  config: ConfigSource,
  pod: Pod,
  kind: "configmap" | "secret",
  ref: Ref | undefined,
) {
  const name = ref?.name ?? "";
  const data = await config.lookUp(kind, pod, name);
  if (data || ref?.optional) return data;
  throw new KubeletError(
    "CreateContainerConfigError",
    `${kind} "${name}" not found`,
  );
}

async function variableValue(
  config: ConfigSource,
  pod: Pod,
  { value, valueFrom }: EnvVar,
  known: ReadonlyMap<string, string>,
  ips: readonly string[],
): Promise<string | undefined> {
  if (!valueFrom) return expand(value ?? "", known);
  const { fieldRef, configMapKeyRef, secretKeyRef } = valueFrom;
  if (fieldRef) return fieldOf(config, pod, fieldRef.fieldPath ?? "", ips);
  const ref = configMapKeyRef ?? secretKeyRef;
  if (!ref) return "";
  const kind = configMapKeyRef ? "configmap" : "secret";
  const data = await source(config, pod, kind, ref);
  const found = data?.[ref.key];
  if (found !== undefined || ref.optional) return found;
  const where = kind === "configmap" ? "ConfigMap" : "Secret";
  const { namespace } = pod.metadata;
  throw new KubeletError(
    "CreateContainerConfigError",
    `couldn't find key ${ref.key} in ${where} ${namespace}/${ref.name}`,
  );
}

/** Replaces `$(NAME)` if it is known; `$$(NAME)` becomes `$(NAME)`. */
export function expand(
  text: string,
  known: ReadonlyMap<string, string>,
): string {
  return text.replace(/\$\$|\$\(([^)]+)\)/g, (found, name?: string) => {
    if (name === undefined) return "$";
    return known.get(name) ?? found;
  });
}

function fieldOf(
  config: ConfigSource,
  pod: Pod,
  path: string,
  ips: readonly string[],
): string {
  const { metadata, spec } = pod;
  const part = /^metadata\.(labels|annotations)\['(.+)'\]$/.exec(path);
  if (part) {
    const map = part[1] === "labels" ? metadata.labels : metadata.annotations;
    return map?.[part[2] ?? ""] ?? "";
  }
  const fields: Readonly<Record<string, string | undefined>> = {
    "metadata.name": metadata.name,
    "metadata.namespace": metadata.namespace,
    "metadata.uid": metadata.uid,
    "spec.nodeName": spec.nodeName,
    "spec.serviceAccountName": spec.serviceAccountName,
    "status.hostIP": config.hostIP,
    "status.hostIPs": config.hostIP,
    "status.podIP": ips[0],
    "status.podIPs": ips.join(","),
  };
  return fields[path] ?? "";
}

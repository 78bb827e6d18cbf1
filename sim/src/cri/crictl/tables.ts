/**
 * crictl pods, ps, images and stats: the answers of the List calls as tables.
 * Models: cri-tools cmd/crictl/{sandbox,container,image,stats}.go
 */
import type {
  ContainerStats,
  CriContainer,
  CriImage,
  PodSandbox,
} from "../api.ts";
import { LABEL } from "../records.ts";
import { ago, columns, humanSize, shortId } from "./text.ts";

export interface TableOptions {
  /** The moment, in nanoseconds since 1970. */
  readonly nowNanos: number;
  /** Ids alone. */
  readonly quiet: boolean;
  /** Whole ids. */
  readonly noTrunc: boolean;
}

type Labels = Readonly<Record<string, string>> | undefined;

export function podsTable(
  pods: readonly PodSandbox[],
  { nowNanos, quiet, noTrunc }: TableOptions,
): string {
  const newest = pods.toSorted((a, b) => b.created_at - a.created_at);
  if (quiet) return newest.map(({ id }) => id).join("\n");
  const head = ["POD ID", "CREATED", "STATE", "NAME", "NAMESPACE", "ATTEMPT"];
  const rows = newest.map(({ id, metadata, state, ...pod }) => [
    noTrunc ? id : shortId(id),
    ago((nowNanos - pod.created_at) / 1e6),
    state === "SANDBOX_READY" ? "Ready" : "NotReady",
    metadata.name,
    metadata.namespace,
    String(metadata.attempt ?? 0),
    pod.runtime_handler || "(default)",
  ]);
  return columns([[...head, "RUNTIME"], ...rows]);
}

export function containersTable(
  containers: readonly CriContainer[],
  { nowNanos, quiet, noTrunc }: TableOptions,
): string {
  const newest = containers.toSorted((a, b) => b.created_at - a.created_at);
  if (quiet) return newest.map(({ id }) => id).join("\n");
  const head = ["CONTAINER", "IMAGE", "CREATED", "STATE", "NAME", "ATTEMPT"];
  const short = (id: string) => (noTrunc ? id : shortId(id));
  const rows = newest.map(({ id, metadata, state, labels, ...container }) => [
    short(id),
    short(container.image_ref),
    ago((nowNanos - container.created_at) / 1e6),
    wordOf(state),
    metadata.name,
    String(metadata.attempt ?? 0),
    short(container.pod_sandbox_id),
    labelOf(labels, LABEL.podName),
    labelOf(labels, LABEL.podNamespace),
  ]);
  return columns([[...head, "POD ID", "POD", "NAMESPACE"], ...rows]);
}

/** `CONTAINER_RUNNING` → `Running` */
function wordOf(state: string): string {
  const word = state.slice("CONTAINER_".length);
  return word[0] + word.slice(1).toLowerCase();
}

function labelOf(labels: Labels, name: string): string {
  return labels?.[name] ?? "unknown";
}

export function imagesTable(
  images: readonly CriImage[],
  { quiet, noTrunc }: TableOptions,
  digests: boolean,
): string {
  const sorted = images.toSorted((a, b) => (refOf(a) < refOf(b) ? -1 : 1));
  if (quiet) return sorted.map(({ id }) => id).join("\n");
  const rows = sorted.flatMap((image) => {
    const { repo_tags = [], repo_digests = [], id, size } = image;
    const [named = "<none>", digest = "<none>"] =
      repo_digests[0]?.split("@") ?? [];
    const short = (text: string) => (noTrunc ? text : shortId(text));
    const tags = repo_tags.length > 0 ? repo_tags : [`${named}:<none>`];
    return tags.map((tag) => {
      const colon = tag.lastIndexOf(":");
      const more = digests ? [short(digest)] : [];
      const name = [tag.slice(0, colon), tag.slice(colon + 1)];
      return [...name, ...more, short(id), humanSize(size)];
    });
  });
  const head = ["IMAGE", "TAG", ...(digests ? ["DIGEST"] : [])];
  return columns([[...head, "IMAGE ID", "SIZE"], ...rows]);
}

function refOf({ id, repo_tags, repo_digests }: CriImage): string {
  return repo_tags?.[0] ?? repo_digests?.[0] ?? id;
}

export function statsTable(stats: readonly ContainerStats[]): string {
  const head = ["CONTAINER", "NAME", "CPU %", "MEM", "DISK"];
  const rows = stats.map(({ attributes, cpu, memory, writable_layer }) => [
    shortId(attributes.id),
    attributes.metadata.name,
    (cpu.usage_nano_cores.value / 1e7).toFixed(2),
    humanSize(memory.working_set_bytes.value, 4),
    humanSize(writable_layer?.used_bytes.value ?? 0, 4),
  ]);
  return columns([head, ...rows]);
}

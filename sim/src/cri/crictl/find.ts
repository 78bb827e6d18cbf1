/**
 * Whom a command of crictl means: filters of lists, and ids of which the
 * first digits will do.
 * Models: cri-tools cmd/crictl/{container,sandbox,image}.go
 */
import type { ContainerFilter, CriImage } from "../api.ts";
import type { CrictlArgs, CrictlEnvironment } from "./crictl.ts";

export type Flags = CrictlArgs["flags"];

export function matches(wanted: string | undefined, text: string): boolean {
  return wanted === undefined || text.includes(wanted);
}

type Labels = Readonly<Record<string, string>> | undefined;

/** `--label app=web`, or `--label app` for any value. */
export function hasLabel(flags: Flags, labels: Labels): boolean {
  const label = flags.get("label");
  if (label === undefined) return true;
  const [key = "", value] = label.split("=");
  const own = labels?.[key];
  return value === undefined ? own !== undefined : own === value;
}

/** `--latest`, or the `--last` so many; 0: all. */
export function newest<T extends { readonly created_at: number }>(
  all: readonly T[],
  flags: Flags,
): readonly T[] {
  const count = flags.has("latest") ? 1 : Number(flags.get("last") ?? 0);
  if (count <= 0) return all;
  return all.toSorted((a, b) => b.created_at - a.created_at).slice(0, count);
}

type Writable<T> = { -readonly [K in keyof T]: T[K] };

/** Those that run, unless others are asked for. */
export function containerFilter(flags: Flags): Writable<ContainerFilter> {
  const whole = ["all", "latest", "last"].some((name) => flags.has(name));
  const state = flags.get("state") ?? (whole ? "" : "running");
  switch (state.toLowerCase()) {
    case "created":
      return { state: { state: "CONTAINER_CREATED" } };
    case "running":
      return { state: { state: "CONTAINER_RUNNING" } };
    case "exited":
      return { state: { state: "CONTAINER_EXITED" } };
    case "unknown":
      return { state: { state: "CONTAINER_UNKNOWN" } };
    case "":
      return {};
    default:
      throw new Error(
        "--state should be one of created, running, exited or unknown",
      );
  }
}

type Runtime = CrictlEnvironment["runtime"];

/** The runtime knows a container by the first digits of its id too. */
export async function containerId(
  runtime: Runtime,
  id: string,
): Promise<string> {
  const { containers } = await runtime.listContainers({});
  return wholeId(containers, id, "container");
}

export async function podId(runtime: Runtime, id: string): Promise<string> {
  const { items } = await runtime.listPodSandbox({});
  return wholeId(items, id, "sandbox");
}

/** By its name, or by the first digits of its id. */
export async function imageOf(
  runtime: Runtime,
  text: string,
): Promise<CriImage | undefined> {
  const { image } = await runtime.imageStatus({ image: { image: text } });
  if (image) return image;
  const digits = text.replace(/^sha256:/, "");
  const { images } = await runtime.listImages({});
  return images.find(({ id }) => id.startsWith(`sha256:${digits}`));
}

function wholeId(
  all: readonly { readonly id: string }[],
  id: string,
  what: string,
): string {
  const found = all.filter((one) => one.id.startsWith(id));
  if (id !== "" && found.length === 1) return found[0]!.id;
  const why = found.length > 1 ? "is ambiguous" : "not found";
  throw new Error(
    `rpc error: code = NotFound desc = an error occurred when try to find ${what} "${id}": ${why}`,
  );
}

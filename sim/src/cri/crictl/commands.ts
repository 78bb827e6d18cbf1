/**
 * The commands of crictl, each by the calls that it makes.
 */
import type { ContainerFilter, CriImage } from "../api.ts";
import type { CrictlArgs, CrictlCommand, CrictlEnvironment } from "./crictl.ts";
import { inspectText } from "./inspect.ts";
import {
  containersTable,
  imagesTable,
  podsTable,
  statsTable,
  type TableOptions,
} from "./tables.ts";

export const COMMANDS: Readonly<Record<string, CrictlCommand>> = {
  pods: async ({ flags }, { runtime, out, ...environment }) => {
    const { items } = await runtime.listPodSandbox({});
    const state = flags.get("state")?.toUpperCase();
    const found = items.filter(
      (pod) =>
        (!state || pod.state === `SANDBOX_${state}`) &&
        matches(flags.get("name"), pod.metadata.name) &&
        matches(flags.get("namespace"), pod.metadata.namespace),
    );
    out(podsTable(found, optionsOf(flags, environment)));
  },
  ps: async ({ flags }, { runtime, out, ...environment }) => {
    const filter = containerFilter(flags);
    const pod = flags.get("pod");
    if (pod) filter.pod_sandbox_id = await podId(runtime, pod);
    const { containers } = await runtime.listContainers({ filter });
    const name = flags.get("name");
    const found = containers.filter((one) => matches(name, one.metadata.name));
    out(containersTable(found, optionsOf(flags, environment)));
  },
  images: async ({ flags, words }, { runtime, out, ...environment }) => {
    const { images } = await runtime.listImages({});
    const [wanted] = words;
    const found = images.filter(({ repo_tags = [], repo_digests = [] }) => {
      if (!wanted) return true;
      return [...repo_tags, ...repo_digests].some((ref) =>
        ref.includes(wanted),
      );
    });
    const options = optionsOf(flags, environment);
    out(imagesTable(found, options, flags.has("digests")));
  },
  inspect: async ({ words }, { runtime, out }) => {
    for (const id of words) {
      const container_id = await containerId(runtime, id);
      out(
        inspectText((await runtime.containerStatus({ container_id })).status),
      );
    }
  },
  inspectp: async ({ words }, { runtime, out }) => {
    for (const id of words) {
      const pod_sandbox_id = await podId(runtime, id);
      const { status } = await runtime.podSandboxStatus({ pod_sandbox_id });
      out(inspectText(status));
    }
  },
  inspecti: async ({ words }, { runtime, out }) => {
    for (const name of words) {
      const image = await imageOf(runtime, name);
      if (!image) throw new Error(`no such image "${name}" present`);
      out(inspectText(image));
    }
  },
  logs: async ({ flags, words }, { runtime, out, readLog }) => {
    const container_id = await containerId(runtime, words[0] ?? "");
    const { status } = await runtime.containerStatus({ container_id });
    const lines = readLog(status.log_path ?? "");
    const tail = Number(flags.get("tail") ?? lines.length);
    const shown = tail > 0 ? lines.slice(-tail) : [];
    if (shown.length > 0) out(shown.map(({ text }) => text).join("\n"));
  },
  exec: async ({ flags, words }, { runtime, out }) => {
    const [id = "", ...cmd] = words;
    const container_id = await containerId(runtime, id);
    const timeout = Number(flags.get("timeout") ?? 0);
    const answer = await runtime.execSync({ container_id, cmd, timeout });
    if (answer.stdout) out(answer.stdout.replace(/\n$/, ""));
    if (answer.exit_code === 0) return;
    throw new Error(
      `execing command in container: command terminated with exit code ${answer.exit_code}`,
    );
  },
  stop: async ({ flags, words }, { runtime, out }) => {
    const timeout = Number(flags.get("timeout") ?? 0);
    for (const id of words) {
      const container_id = await containerId(runtime, id);
      await runtime.stopContainer({ container_id, timeout });
      out(id);
    }
  },
  rm: async ({ words }, { runtime, out }) => {
    for (const id of words) {
      const container_id = await containerId(runtime, id);
      await runtime.removeContainer({ container_id });
      out(id);
    }
  },
  stopp: async ({ words }, { runtime, out }) => {
    for (const id of words) {
      const pod_sandbox_id = await podId(runtime, id);
      await runtime.stopPodSandbox({ pod_sandbox_id });
      out(`Stopped sandbox ${id}`);
    }
  },
  rmp: async ({ words }, { runtime, out }) => {
    for (const id of words) {
      const pod_sandbox_id = await podId(runtime, id);
      await runtime.removePodSandbox({ pod_sandbox_id });
      out(`Removed sandbox ${id}`);
    }
  },
  pull: async ({ words }, { runtime, out }) => {
    const image = { image: words[0] ?? "" };
    const { image_ref } = await runtime.pullImage({ image });
    out(`Image is up to date for ${image_ref}`);
  },
  rmi: async ({ words }, { runtime, out }) => {
    for (const name of words) {
      const image = await imageOf(runtime, name);
      if (!image) throw new Error(`no such image ${name}`);
      await runtime.removeImage({ image: { image: image.id } });
      for (const tag of image.repo_tags ?? []) out(`Deleted: ${tag}`);
    }
  },
  stats: async (_args, { runtime, out }) => {
    const { stats } = await runtime.listContainerStats({});
    out(statsTable(stats));
  },
  version: async (_args, { runtime, out }) => {
    const answer = await runtime.version({});
    out(`Version:  ${answer.version}`);
    out(`RuntimeName:  ${answer.runtime_name}`);
    out(`RuntimeVersion:  ${answer.runtime_version}`);
    out(`RuntimeApiVersion:  ${answer.runtime_api_version}`);
  },
};

type Flags = CrictlArgs["flags"];

function optionsOf(
  flags: Flags,
  { nowNanos }: Pick<CrictlEnvironment, "nowNanos">,
): TableOptions {
  const quiet = flags.has("quiet");
  return { nowNanos: nowNanos(), quiet, noTrunc: flags.has("no-trunc") };
}

function matches(wanted: string | undefined, text: string): boolean {
  return wanted === undefined || text.includes(wanted);
}

type Writable<T> = { -readonly [K in keyof T]: T[K] };

/** Those that run, unless others are asked for. */
function containerFilter(flags: Flags): Writable<ContainerFilter> {
  const state = flags.get("state") ?? (flags.has("all") ? "" : "running");
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
async function containerId(runtime: Runtime, id: string): Promise<string> {
  const { containers } = await runtime.listContainers({});
  return wholeId(containers, id, "container");
}

async function podId(runtime: Runtime, id: string): Promise<string> {
  const { items } = await runtime.listPodSandbox({});
  return wholeId(items, id, "sandbox");
}

/** By its name, or by the first digits of its id. */
async function imageOf(
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

/**
 * The commands of crictl, each by the calls that it makes.
 */
import type { CrictlCommand, CrictlEnvironment } from "./crictl.ts";
import {
  containerFilter,
  containerId,
  type Flags,
  hasLabel,
  imageOf,
  matches,
  newest,
  podId,
} from "./find.ts";
import { fsInfoText, infoText } from "./info.ts";
import { inspectText } from "./inspect.ts";
import { rm, rmi, rmp } from "./remove.ts";
import {
  containersTable,
  imagesTable,
  podsTable,
  statsTable,
  type TableOptions,
} from "./tables.ts";

const images: CrictlCommand = async (
  { flags, words },
  { runtime, out, ...environment },
) => {
  const { images } = await runtime.listImages({});
  const [wanted] = words;
  const found = images.filter(({ repo_tags = [], repo_digests = [] }) => {
    if (!wanted) return true;
    return [...repo_tags, ...repo_digests].some((ref) => ref.includes(wanted));
  });
  const options = optionsOf(flags, environment);
  out(imagesTable(found, options, flags.has("digests")));
};

export const COMMANDS: Readonly<Record<string, CrictlCommand>> = {
  pods: async ({ flags }, { runtime, out, ...environment }) => {
    const { items } = await runtime.listPodSandbox({});
    const state = flags.get("state")?.toUpperCase();
    const found = items.filter(
      (pod) =>
        (!state || pod.state === `SANDBOX_${state}`) &&
        pod.id.startsWith(flags.get("id") ?? "") &&
        hasLabel(flags, pod.labels) &&
        matches(flags.get("name"), pod.metadata.name) &&
        matches(flags.get("namespace"), pod.metadata.namespace),
    );
    out(podsTable(newest(found, flags), optionsOf(flags, environment)));
  },
  ps: async ({ flags }, { runtime, out, ...environment }) => {
    const filter = containerFilter(flags);
    const pod = flags.get("pod");
    if (pod) filter.pod_sandbox_id = await podId(runtime, pod);
    const { containers } = await runtime.listContainers({ filter });
    const image = flags.get("image");
    const wanted = image && (await imageOf(runtime, image))?.id;
    const found = containers.filter(
      (one) =>
        one.id.startsWith(flags.get("id") ?? "") &&
        hasLabel(flags, one.labels) &&
        (image === undefined || one.image_ref === wanted) &&
        matches(flags.get("name"), one.metadata.name),
    );
    out(containersTable(newest(found, flags), optionsOf(flags, environment)));
  },
  images,
  image: images,
  img: images,
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
  exec: async ({ flags, words }, { runtime, out, err }) => {
    const [id = "", ...cmd] = words;
    const container_id = await containerId(runtime, id);
    const timeout = Number(flags.get("timeout") ?? 0);
    const answer = await runtime.execSync({ container_id, cmd, timeout });
    if (answer.stdout) out(answer.stdout.replace(/\n$/, ""));
    if (answer.stderr) err(answer.stderr.replace(/\n$/, ""));
    if (answer.exit_code === 0) return;
    throw new Error(
      `execing command in container: command terminated with exit code ${answer.exit_code}`,
    );
  },
  start: async ({ words }, { runtime, out }) => {
    for (const id of words) {
      const container_id = await containerId(runtime, id);
      await runtime.startContainer({ container_id });
      out(id);
    }
  },
  stop: async ({ flags, words }, { runtime, out }) => {
    const timeout = Number(flags.get("timeout") ?? 0);
    for (const id of words) {
      const container_id = await containerId(runtime, id);
      await runtime.stopContainer({ container_id, timeout });
      out(id);
    }
  },
  ...{ rm, rmp, rmi },
  stopp: async ({ words }, { runtime, out }) => {
    for (const id of words) {
      const pod_sandbox_id = await podId(runtime, id);
      await runtime.stopPodSandbox({ pod_sandbox_id });
      out(`Stopped sandbox ${id}`);
    }
  },
  pull: async ({ words }, { runtime, out }) => {
    const image = { image: words[0] ?? "" };
    const { image_ref } = await runtime.pullImage({ image });
    out(`Image is up to date for ${image_ref}`);
  },
  stats: async (_args, { runtime, out }) => {
    const { stats } = await runtime.listContainerStats({});
    out(statsTable(stats));
  },
  info: async ({ flags }, { runtime, out }) => {
    out(infoText(await runtime.status({ verbose: !flags.has("quiet") })));
  },
  imagefsinfo: async (_args, { runtime, out }) => {
    out(fsInfoText(await runtime.imageFsInfo({})));
  },
  version: async (_args, { runtime, out }) => {
    const answer = await runtime.version({});
    out(`Version:  ${answer.version}`);
    out(`RuntimeName:  ${answer.runtime_name}`);
    out(`RuntimeVersion:  ${answer.runtime_version}`);
    out(`RuntimeApiVersion:  ${answer.runtime_api_version}`);
  },
};

function optionsOf(
  flags: Flags,
  { nowNanos }: Pick<CrictlEnvironment, "nowNanos">,
): TableOptions {
  const quiet = flags.has("quiet");
  return { nowNanos: nowNanos(), quiet, noTrunc: flags.has("no-trunc") };
}

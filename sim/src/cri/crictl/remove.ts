/**
 * crictl rm, rmp and rmi: what runs stays, unless it is to be stopped first.
 * Models: cri-tools cmd/crictl/{container,sandbox,image}.go @ v1.36
 */
import type { CrictlCommand } from "./crictl.ts";
import { containerId, imageOf, podId } from "./find.ts";

export const rm: CrictlCommand = async ({ flags, words }, { runtime, out }) => {
  const ids = flags.has("all")
    ? (await runtime.listContainers({})).containers.map(({ id }) => id)
    : words;
  for (const id of ids) {
    const container_id = await containerId(runtime, id);
    const { status } = await runtime.containerStatus({ container_id });
    if (status.state === "CONTAINER_RUNNING") {
      if (!flags.has("force")) {
        throw new Error(`container "${id}" is running, please stop it first`);
      }
      await runtime.stopContainer({ container_id, timeout: 0 });
      out(id);
    }
    await runtime.removeContainer({ container_id });
    out(id);
  }
};

export const rmp: CrictlCommand = async (
  { flags, words },
  { runtime, out },
) => {
  const ids = flags.has("all")
    ? (await runtime.listPodSandbox({})).items.map(({ id }) => id)
    : words;
  for (const id of ids) {
    const pod_sandbox_id = await podId(runtime, id);
    const { status } = await runtime.podSandboxStatus({ pod_sandbox_id });
    if (status.state === "SANDBOX_READY") {
      if (!flags.has("force")) {
        throw new Error(`pod sandbox "${id}" is running, please stop it first`);
      }
      await runtime.stopPodSandbox({ pod_sandbox_id });
      out(`Stopped sandbox ${id}`);
    }
    await runtime.removePodSandbox({ pod_sandbox_id });
    out(`Removed sandbox ${id}`);
  }
};

export const rmi: CrictlCommand = async (
  { flags, words },
  { runtime, out },
) => {
  const { containers } = await runtime.listContainers({});
  const used = new Set(containers.map(({ image_ref }) => image_ref));
  const all = flags.has("all") || flags.has("prune");
  const names = all ? [] : words;
  const images = all
    ? (await runtime.listImages({})).images.filter(
        ({ id, pinned }) => !flags.has("prune") || !(used.has(id) || pinned),
      )
    : [];
  for (const name of names) {
    const image = await imageOf(runtime, name);
    if (!image) throw new Error(`no such image ${name}`);
    images.push(image);
  }
  for (const { id, repo_tags = [] } of images) {
    await runtime.removeImage({ image: { image: id } });
    for (const tag of repo_tags) out(`Deleted: ${tag}`);
  }
};

/** UpdateContainerResources: more or less for a container that runs. */
import type { UpdateContainerResourcesRequest } from "./api.ts";
import type { RuntimeCore } from "./core.ts";

/** Its cgroup gets other numbers; the process goes on, or is now too big. */
export async function updateResources(
  runtime: RuntimeCore,
  { container_id, linux }: UpdateContainerResourcesRequest,
): Promise<object> {
  const container = runtime.container(container_id);
  const { cgroup, config, process } = container;
  runtime.note("update resources", { cgroup, linux });
  container.config = {
    ...config,
    linux: { ...config.linux, resources: linux },
  };
  process?.limitMemory(linux.memory_limit_in_bytes);
  return {};
}

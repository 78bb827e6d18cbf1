/**
 * What a Pod takes while its containers are being resized: of what they are
 * to have and what they have, the larger.
 * Models: PodRequests, PodLimits of component-helpers/resource with
 *         UseStatusResources @ v1.36
 */
import type { Container, ContainerStatus, Pod, PodSpec } from "../kinds/pod.ts";
import { largest, type Quantities } from "./pod-quantities.ts";
import { resizeIsInfeasible } from "./pod-requests.ts";

/** The spec itself where no status tells of resources. */
export function specInUse(pod: Pod): PodSpec {
  const { spec, status } = pod;
  const { containerStatuses = [], initContainerStatuses = [] } = status ?? {};
  const told = [...containerStatuses, ...initContainerStatuses].filter(
    ({ resources }) => resources,
  );
  if (told.length === 0) return spec;
  const never = resizeIsInfeasible(pod);
  const inUse = (container: Container): Container => {
    const actual = told.find(({ name }) => name === container.name);
    return actual ? raised(container, actual, never) : container;
  };
  const { containers, initContainers } = spec;
  return {
    ...spec,
    containers: containers.map(inUse),
    ...(initContainers && { initContainers: initContainers.map(inUse) }),
  };
}

/** `never`: what is wanted will not come, and does not count. */
function raised(
  container: Container,
  { resources, allocatedResources = {} }: ContainerStatus,
  never: boolean,
): Container {
  const { requests = {}, limits = {} } = container.resources ?? {};
  const wanted = (list: Quantities) => (never ? {} : list);
  const has = largest(resources?.requests ?? {}, allocatedResources);
  return {
    ...container,
    resources: {
      requests: largest(wanted(requests), has),
      limits: largest(wanted(limits), resources?.limits ?? {}),
    },
  };
}

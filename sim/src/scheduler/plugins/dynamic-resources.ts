/**
 * DynamicResources: allocates devices to a Pod's resource claims.
 * Models:     pkg/scheduler/framework/plugins/dynamicresources @ v1.36
 * Leaves out: the allocation itself. It stands here for what every Pod
 *             without claims sees of it: its part in FailedScheduling.
 */
import { NO_STATE, type Plugin } from "../framework.ts";
import { status } from "../status.ts";

const name = "DynamicResources";

const NOTHING_TO_DO = Object.freeze({
  status: status(name, "Unschedulable", "no new claims to deallocate"),
});
/** An earlier plugin refused the Pod, so nothing was prepared here. */
const NOT_PREPARED = Object.freeze({
  status: status(name, "Error", "not found"),
});

export function dynamicResources(): Plugin {
  return {
    name,
    preFilter: () => NO_STATE,
    postFilter: ({ states }) =>
      states.has(name) ? NOTHING_TO_DO : NOT_PREPARED,
  };
}

/** Who answers at a port of a Pod: for probes. */
import type { BaseRuntime } from "../cri/base-runtime.ts";

/** The program of the Pod that listens on the port, if one does. */
export function dial({ core }: BaseRuntime, uid: string, port: number) {
  for (const sandbox of core.sandboxesOf(uid)) {
    for (const { process } of core.containersOf(sandbox.id)) {
      if (process?.serves(port)) return process;
    }
  }
  return undefined;
}

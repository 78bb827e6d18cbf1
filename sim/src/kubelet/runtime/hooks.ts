/**
 * Lifecycle hooks: a command in the container, or a wait.
 * Models:     pkg/kubelet/lifecycle/handlers.go @ v1.36
 * Leaves out: httpGet and tcpSocket hooks reach no network here.
 */
import type { LifecycleHandler } from "../../api/kinds/pod.ts";
import type { RuntimeContext } from "./context.ts";

/** Throws if the hook fails. `timeoutSeconds`: 0 for none. */
export async function runHook(
  { kernel, runtime }: RuntimeContext,
  hook: LifecycleHandler,
  containerId: string,
  timeoutSeconds: number,
): Promise<void> {
  if (hook.sleep) await kernel.sleep(hook.sleep.seconds * 1000);
  const cmd = hook.exec?.command;
  if (!cmd) return;
  const timeout = timeoutSeconds;
  const answer = await runtime.execSync({
    container_id: containerId,
    cmd,
    timeout,
  });
  if (answer.exit_code === 0) return;
  throw new Error(
    `command '${cmd.join(" ")}' exited with ${answer.exit_code}: ${answer.stderr}`,
  );
}

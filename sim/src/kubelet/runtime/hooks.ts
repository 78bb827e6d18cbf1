/**
 * Lifecycle hooks: a command in the container, a request to it, or a wait.
 * Models:     pkg/kubelet/lifecycle/handlers.go @ v1.36
 * Leaves out: nothing; a tcpSocket hook fails in the real kubelet too.
 */
import { quote } from "../../api/go-text.ts";
import type { Container, LifecycleHandler, Pod } from "../../api/kinds/pod.ts";
import { podText } from "../containers.ts";
import { messageOf, type RuntimeContext } from "./context.ts";

/** Throws if the hook fails, with the message for the container's status. */
export async function runHook(
  context: RuntimeContext,
  pod: Pod,
  container: Container,
  hook: LifecycleHandler,
  containerId: string,
): Promise<void> {
  const who = `for Container "${container.name}" in Pod "${podText(pod)}" failed`;
  const { exec, httpGet, sleep } = hook;
  if (exec) {
    const cmd = exec.command ?? [];
    const why = await commandProblem(context, cmd, containerId);
    if (why === undefined) return;
    const what = `Exec lifecycle hook ([${cmd.join(" ")}])`;
    const { error, output } = why;
    throw new Error(
      `${what} ${who} - error: ${error}, message: ${quote(output)}`,
    );
  }
  if (httpGet) {
    const error = await context.get?.(pod, container, httpGet);
    if (!error) return;
    const what = `HTTP lifecycle hook (${httpGet.path ?? ""})`;
    throw new Error(`${what} ${who} - error: ${error}`);
  }
  if (!sleep) throw new Error("Cannot run handler: invalid handler");
  await context.kernel.sleep(sleep.seconds * 1000);
}

/** What went wrong, and what the command printed; undefined if it did well. */
async function commandProblem(
  { runtime }: RuntimeContext,
  cmd: readonly string[],
  container_id: string,
): Promise<{ error: string; output: string } | undefined> {
  try {
    const request = { container_id, cmd, timeout: 0 };
    const { exit_code, stdout, stderr } = await runtime.execSync(request);
    if (exit_code === 0) return undefined;
    const output = stdout + stderr;
    const error = `command '${cmd.join(" ")}' exited with ${exit_code}: ${stderr}`;
    return { error, output };
  } catch (error) {
    return { error: messageOf(error), output: "" };
  }
}

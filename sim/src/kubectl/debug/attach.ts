/**
 * Where upstream would join the new container's terminal: no stream leads
 * there, and what upstream does then is done at once: the log is shown.
 * Models:     kubectl/pkg/cmd/debug/debug.go (waitForContainer,
 *             handleAttachPod) @ v1.36
 */
import { Pod } from "../../api/kinds/pod.ts";
import { follow } from "../follow.ts";
import { printLog } from "../logs/print.ts";
import { typed } from "../objects.ts";
import type { Setting } from "./setting.ts";

interface Made {
  readonly pod: Pod;
  readonly container: string;
}

export async function attached(made: Made, setting: Setting): Promise<void> {
  const { args, env } = setting;
  const { name, namespace = "" } = made.pod.metadata;
  const isRunning = await untilStarted(made, setting);
  if (isRunning)
    env.err(
      `warning: couldn't attach to pod/${name}, falling back to streaming ` +
        "logs: the simulator does not stream pods/attach",
    );
  const pod = await env.client.get(Pod, namespace, name);
  const plain = { ...args, get: () => undefined, on: () => false };
  const source = { pod, container: made.container };
  await printLog(source, { ...plain, int: () => undefined }, env);
}

/** False: the container has ended already. */
async function untilStarted(
  { pod, container }: Made,
  { args, env }: Setting,
): Promise<boolean> {
  const { name, namespace = "" } = pod.metadata;
  const select = { fieldSelector: `metadata.name=${name}` };
  let running = false;
  const told = new Set<string>();
  await follow(env, { kind: Pod, namespace, select }, ({ object }) => {
    const { status = {} } = typed<Pod>(object);
    const its = [
      ...(status.initContainerStatuses ?? []),
      ...(status.containerStatuses ?? []),
      ...(status.ephemeralContainerStatuses ?? []),
    ].find((one) => one.name === container);
    running = its?.state?.running !== undefined;
    const why = its?.state?.waiting?.message;
    if (why && !args.on("quiet") && !told.has(why))
      env.err(`Warning: container ${container}: ${why}`);
    if (why) told.add(why);
    return running || its?.state?.terminated !== undefined;
  });
  return running;
}

/**
 * kubectl logs: what containers have printed, once or as it comes.
 * Models:     kubectl/pkg/cmd/logs/logs.go,
 *             kubectl/pkg/polymorphichelpers/logsforobject.go @ v1.36
 * Leaves out: streams: a followed log is read again every so often.
 */
import { StatusError } from "../api/status.ts";
import { type Args, parseArgs } from "./args.ts";
import { type Command, CommandError, type Environment } from "./environment.ts";
import { checkLogs, FLAGS } from "./logs/checks.ts";
import { containersOf } from "./logs/containers.ts";
import { podsOf } from "./logs/pods.ts";
import { type LogSource, printLog } from "./logs/print.ts";

export const logs: Command = async (argv, env) => {
  const args = parseArgs(argv, FLAGS);
  checkLogs(args);
  const pods = await podsOf(args, env);
  const sources = pods.flatMap((pod) => {
    const containers = containersOf(pod, args, env);
    return containers.map((container): LogSource => ({ pod, container }));
  });
  const most = args.int("max-log-requests") ?? 5;
  if (!args.on("follow") || sources.length < 2) {
    for (const source of sources) await print(source, args, env);
    return 0;
  }
  if (sources.length > most)
    throw new CommandError(
      `you are attempting to follow ${sources.length} log streams, but ` +
        `maximum allowed concurrency is ${most}, use --max-log-requests to ` +
        "increase the limit",
    );
  await Promise.all(sources.map((source) => print(source, args, env)));
  return 0;
};

/** With `--ignore-errors` a log that cannot be read is told among the others. */
async function print(
  source: LogSource,
  args: Args,
  env: Environment,
): Promise<void> {
  try {
    await printLog(source, args, env);
  } catch (error) {
    const ignored = args.on("ignore-errors") && error instanceof StatusError;
    if (!ignored) throw error;
    env.out(`error: ${error.message}`);
  }
}

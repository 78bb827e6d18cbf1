/**
 * What `kubectl logs` refuses before it asks the server.
 * Models:     kubectl/pkg/cmd/logs/logs.go (ToLogOptions, Validate) @ v1.36
 */
import { type Args, flags, SELECT } from "../args.ts";
import { CommandError, UsageError, wrongUse } from "../environment.ts";
import { parseDuration } from "../time.ts";

export const FLAGS = flags(
  "container:value,c all-containers previous,p tail:value timestamps " +
    "prefix since:value since-time:value limit-bytes:value all-pods " +
    "max-log-requests:value pod-running-timeout:value ignore-errors " +
    "insecure-skip-tls-verify-backend",
  SELECT,
  { follow: { kind: "switch", short: "f" }, filename: { kind: "value" } },
);

export function checkLogs(args: Args): void {
  const since = duration(args, "since");
  const timeout = duration(args, "pod-running-timeout") ?? 1;
  const tail = args.int("tail") ?? -1;
  const limit = args.int("limit-bytes") ?? 0;
  checkWords(args);
  const time = args.get("since-time") ?? "";
  if (timeout <= 0)
    throw new CommandError("--pod-running-timeout must be higher than zero");
  if (time && Number.isNaN(Date.parse(time)))
    throw new CommandError(
      `parsing time "${time}" as "2006-01-02T15:04:05Z07:00": cannot parse ` +
        `"${time}" as "2006"`,
    );
  if (time && since)
    throw new CommandError(
      "at most one of `sinceTime` or `sinceSeconds` may be specified",
    );
  const container = args.get("container") ?? args.words[1];
  if (args.on("all-containers") && container)
    throw new CommandError(
      `--all-containers=true should not be specified with container name ${container}`,
    );
  if (args.words[1] !== undefined && args.get("container") !== undefined)
    throw new CommandError(
      "only one of -c or an inline [CONTAINER] arg is allowed",
    );
  if (limit < 0) throw new CommandError("--limit-bytes must be greater than 0");
  if ((since ?? 0) < 0)
    throw new CommandError("--since must be greater than 0");
  if (tail < -1)
    throw new CommandError("--tail must be greater than or equal to -1");
}

function checkWords({ words, get }: Args): void {
  const selected = Boolean(get("selector"));
  if (selected && words.length > 0)
    throw wrongUse("logs", "only a selector (-l) or a POD name is allowed");
  if (words.length > 2 || (words.length === 0 && !selected))
    throw wrongUse(
      "logs",
      "expected 'logs [-f] [-p] (POD | TYPE/NAME) [-c CONTAINER]'.\n" +
        "POD or TYPE/NAME is a required argument for the logs command",
    );
}

/** In ms; a text that is none is a wrong flag, and help is offered. */
function duration(args: Args, flag: string): number | undefined {
  const text = args.get(flag);
  if (text === undefined) return;
  try {
    return parseDuration(text, flag);
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

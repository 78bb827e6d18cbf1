/**
 * kubectl autoscale: a HorizontalPodAutoscaler for a workload.
 * Models:     kubectl/pkg/cmd/autoscale/autoscale.go @ v1.36
 */
import { parseQuantity } from "../api/quantity.ts";
import { StatusError } from "../api/status.ts";
import { type Args, flags, OUTPUT, parseArgs, SELECT } from "./args.ts";
import { made } from "./create/generator.ts";
import { send } from "./create.ts";
import { type Command, CommandError, throwAll } from "./environment.ts";
import { find } from "./find.ts";
import { dryRunOf } from "./print/done.ts";
import { groupKind } from "./print/table.ts";

const FLAGS = flags(
  "min:value max:value cpu-percent:value cpu:value memory:value name:value",
  OUTPUT,
  SELECT,
);

export const autoscale: Command = async (argv, env) => {
  const args = parseArgs(argv, FLAGS);
  if (args.get("max") === undefined)
    throw new CommandError('required flag(s) "max" not set');
  const max = args.int("max") ?? 0;
  const min = args.int("min") ?? -1;
  if (args.get("cpu-percent") !== undefined) env.err(DEPRECATED);
  refuse(args, min, max);
  const verb = "autoscale";
  const { items, errors } = await find(args, args.words, env, { verb });
  throwAll(errors);
  const metrics = [
    ...metric("cpu", args.get("cpu") ?? percent(args.get("cpu-percent"))),
    ...metric("memory", args.get("memory")),
  ];
  for (const { kind, object } of items) {
    if (!kind.subresources.some((sub) => sub.name === "scale")) {
      const { group, version, resource } = kind;
      throw new CommandError(
        `cannot autoscale a ${groupKind(kind)}: could not find scale ` +
          `subresource for ${group}/${version}, Resource=${resource} in ` +
          "discovery information",
      );
    }
    const { name } = object.metadata;
    const { apiVersion, kind: kindName } = kind;
    const spec = {
      maxReplicas: max,
      ...(min > 0 ? { minReplicas: min } : {}),
      scaleTargetRef: { apiVersion, kind: kindName, name },
      ...(metrics.length > 0 ? { metrics } : {}),
    };
    const hpa = made(
      "autoscaling/v2",
      "HorizontalPodAutoscaler",
      args.get("name") ?? name,
      { spec, status: { currentMetrics: null, desiredReplicas: 0 } },
    );
    const done = dryRunOf(args) === "client" ? "created" : "autoscaled";
    try {
      await send(hpa, args, env, "kubectl-autoscale", done);
    } catch (error) {
      // Then the first version is tried, which has one metric at least.
      const known =
        error instanceof StatusError || error instanceof CommandError;
      if (!known || metrics.length > 0) throw error;
      throw new CommandError(
        "failed to create autoscaling/v2 HPA and the configuration is " +
          "incompatible with autoscaling/v1: empty input",
      );
    }
  }
  return 0;
};

const DEPRECATED =
  "Flag --cpu-percent has been deprecated, Use --cpu with percentage or " +
  "resource quantity format (e.g., '70%' for utilization or '500m' for milliCPU).";

function refuse(args: Args, min: number, max: number): void {
  if (max < 1)
    throw new CommandError(
      `--max=MAXPODS is required and must be at least 1, max: ${max}`,
    );
  if (max < min)
    throw new CommandError(
      "--max=MAXPODS must be larger or equal to --min=MINPODS, " +
        `max: ${max}, min: ${min}`,
    );
  const cpu = args.get("cpu");
  if (cpu !== undefined && args.get("cpu-percent") !== undefined)
    throw new CommandError("--cpu-percent and --cpu are mutually exclusive");
  for (const name of ["cpu", "memory"]) {
    const text = args.get(name);
    if (text !== undefined && !isAmount(text))
      throw new CommandError(`invalid resource ${name} value: ${text}`);
  }
}

function isAmount(text: string): boolean {
  if (/^\d+%$/.test(text)) return true;
  try {
    parseQuantity(text);
    return true;
  } catch {
    return false;
  }
}

function percent(text: string | undefined): string | undefined {
  return text === undefined ? undefined : `${text}%`;
}

/** `80%` is of what is requested; `500m` is an amount. */
function metric(name: string, text: string | undefined) {
  if (!text) return [];
  const target = text.endsWith("%")
    ? { type: "Utilization", averageUtilization: Number(text.slice(0, -1)) }
    : { type: "AverageValue", averageValue: text };
  return [{ type: "Resource", resource: { name, target } }];
}

/**
 * kubectl autoscale: a HorizontalPodAutoscaler for a workload.
 * Models:     kubectl/pkg/cmd/autoscale/autoscale.go @ v1.36
 */
import { flags, OUTPUT, parseArgs, SELECT } from "./args.ts";
import { made } from "./create/generator.ts";
import { send } from "./create.ts";
import { type Command, CommandError, throwAll } from "./environment.ts";
import { find } from "./find.ts";

const FLAGS = flags(
  "min:value max:value cpu-percent:value cpu:value memory:value name:value",
  OUTPUT,
  SELECT,
);

export const autoscale: Command = async (argv, env) => {
  const args = parseArgs(argv, FLAGS);
  const max = args.int("max") ?? -1;
  if (max < 1) {
    throw new CommandError(
      `--max=MAXPODS is required and must be at least 1, max: ${max}`,
    );
  }
  const verb = "autoscale";
  const { items, errors } = await find(args, args.words, env, { verb });
  throwAll(errors);
  const metrics = [
    ...metric("cpu", args.get("cpu") ?? percent(args.get("cpu-percent"))),
    ...metric("memory", args.get("memory")),
  ];
  const min = args.int("min") ?? -1;
  for (const { kind, object } of items) {
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
    await send(hpa, args, env, "kubectl-autoscale", "autoscaled");
  }
  return 0;
};

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

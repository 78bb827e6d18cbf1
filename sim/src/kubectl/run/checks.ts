/**
 * What `kubectl run` refuses before it makes anything, in upstream's order.
 * Models:     kubectl/pkg/cmd/run/run.go, distribution/reference/regexp.go @ v1.36
 */
import { type Args, flags, OUTPUT } from "../args.ts";
import { CommandError, type Environment, wrongUse } from "../environment.ts";
import { dryRunOf } from "../print/done.ts";
import { objectPrinterFor } from "../print/object.ts";

export const FLAGS = flags(
  "image:value image-pull-policy:value port:value env:value labels:value,l " +
    "annotations:value restart:value command expose privileged attach rm " +
    "stdin,i tty,t quiet,q leave-stdin-open overrides:value override-type:value",
  OUTPUT,
);

const PART = "[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*";
const LABEL = "(?:[a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9-]*[a-zA-Z0-9])";
const DOMAIN = `(?:${LABEL}(?:\\.${LABEL})*|\\[[a-fA-F0-9:]+\\])(?::[0-9]+)?`;
const REST =
  "(?::\\w[\\w.-]{0,127})?" +
  "(?:@[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,})?";
export const IMAGE = new RegExp(`^(?:${DOMAIN}/)?${PART}(?:/${PART})*${REST}$`);

export function checkRun(args: Args, env: Environment): void {
  if (args.get("image") === undefined)
    throw new CommandError('required flag(s) "image" not set');
  objectPrinterFor(args, env);
  if (args.words.length === 0)
    throw wrongUse("run", "NAME is required for run");
  const image = args.get("image")!;
  if (image === "") throw new CommandError("--image is required");
  if (!IMAGE.test(image))
    throw new CommandError(
      `Invalid image name "${image}": invalid reference format`,
    );
  const wrong = contradiction(args);
  if (wrong) throw wrongUse("run", wrong);
}

function contradiction(args: Args): string | undefined {
  const streams = args.on("stdin") || args.on("tty") || args.on("attach");
  const restart = args.get("restart") ?? "Always";
  const pull = args.get("image-pull-policy") ?? "Always";
  if (args.on("tty") && !args.on("stdin"))
    return "-i/--stdin is required for containers with -t/--tty=true";
  if (args.on("expose") && !args.get("port"))
    return "--port must be set when exposing a service";
  if (!["Always", "OnFailure", "Never"].includes(restart))
    return `invalid restart policy: ${restart}`;
  if (args.on("rm") && !streams)
    return "--rm should only be used for attached containers";
  if (streams && dryRunOf(args) !== "none")
    return (
      "--dry-run=[server|client] can't be used with attached containers " +
      "options (--attach, --stdin, or --tty)"
    );
  if (!["Always", "IfNotPresent", "Never"].includes(pull))
    return `invalid image pull policy: ${pull}`;
  return;
}

/**
 * What `kubectl debug` refuses before it asks the server, in upstream's order.
 * Models:     kubectl/pkg/cmd/debug/debug.go (Complete, Validate) @ v1.36
 */
import { type Args, flags, SELECT } from "../args.ts";
import { CommandError, type Environment, UsageError } from "../environment.ts";
import { IMAGE } from "../run/checks.ts";
import { PROFILES } from "./profiles.ts";

export const FLAGS = flags(
  "arguments-only attach container:value,c copy-to:value replace env:value " +
    "image:value keep-labels keep-annotations keep-liveness keep-readiness " +
    "keep-startup keep-init-containers set-image:value image-pull-policy:value " +
    "stdin,i quiet,q same-node share-processes target:value tty,t " +
    "profile:value custom:value",
  { filename: SELECT.filename! },
);

/** Since 1.36; `legacy` leaves with 1.39. */
export const DEFAULT_PROFILE = "general";

const POLICIES = ["Always", "IfNotPresent", "Never", ""];

export function checkDebug(args: Args, env: Environment): void {
  for (const flag of ["env", "set-image"]) pairs(args, flag);
  const profile = args.get("profile") ?? DEFAULT_PROFILE;
  if (!PROFILES.includes(profile))
    throw new CommandError(`unknown profile: ${profile}`);
  const wrong = contradiction(args);
  if (wrong) throw new CommandError(wrong);
  const target = args.get("target");
  if (target && args.get("copy-to"))
    throw new CommandError(
      "--target is incompatible with --copy-to. Use --share-processes instead.",
    );
  if (target && !args.on("quiet"))
    env.out(
      `Targeting container "${target}". If you don't see processes from this ` +
        "container it may be because the container runtime doesn't support " +
        "this feature.",
    );
  if (args.on("tty") && !args.on("stdin"))
    throw new CommandError(
      "-i/--stdin is required for containers with -t/--tty=true",
    );
  if (profile === "legacy") env.err(LEGACY);
}

const LEGACY =
  "--profile=legacy is deprecated and will be removed in the future. It is " +
  'recommended to explicitly specify a profile, for example "--profile=general".';

function contradiction(args: Args): string | undefined {
  const image = args.get("image") ?? "";
  const images = pairs(args, "set-image");
  if (args.on("attach") && !image && !args.get("container"))
    return "you must specify --container or create a new container using --image in order to attach.";
  const place = args.get("copy-to")
    ? copyWithout(args, image, images.size)
    : notCopied(args, image, images.size);
  if (place) return place;
  if (image && !IMAGE.test(image))
    return `invalid image name "${image}": invalid reference format`;
  if (args.words.length === 0 && args.all("filename").length === 0)
    return "NAME or filename is required for debug";
  const policy = args.get("image-pull-policy") ?? "";
  if (!POLICIES.includes(policy)) return `invalid image pull policy: ${policy}`;
  for (const [name, its] of images)
    if (!IMAGE.test(its))
      return `invalid image name "${its}" for container "${name}": invalid reference format`;
  return;
}

function copyWithout(args: Args, image: string, images: number) {
  if (!image && images === 0 && args.rest.length === 0)
    return "you must specify --image, --set-image or command arguments.";
  if (args.rest.length > 0 && !args.get("container") && !image)
    return "you must specify an existing container or a new image when specifying args.";
  return;
}

function notCopied(args: Args, image: string, images: number) {
  const only = (flag: string) => `--${flag} may only be used with --copy-to.`;
  if (args.on("replace")) return only("replace");
  if (args.on("same-node")) return only("same-node");
  if (images > 0) return only("set-image");
  return image
    ? undefined
    : "you must specify --image when not using --copy-to.";
}

/** `a=b,c=d` of all values of a flag. */
export function pairs(args: Args, flag: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const text of args.list(flag)) {
    const [key = "", value] = text.split(/=(.*)/s);
    if (value === undefined)
      throw new UsageError(
        `invalid argument "${text}" for "--${flag}" flag: ${text} must be formatted as key=value`,
      );
    found.set(key, value);
  }
  return found;
}

/**
 * kubectl set: small changes to objects, by words.
 * Models:     kubectl/pkg/cmd/set/set.go @ v1.36
 */
import { type Command, PlainError } from "./environment.ts";
import { setImage, setResources } from "./set/containers.ts";
import { setEnv } from "./set/env.ts";
import { setSelector, setServiceAccount } from "./set/others.ts";
import { setSubject } from "./set/subject.ts";
import { unknownIn } from "./usage.ts";

const SETTERS: { readonly [name: string]: Command } = {
  env: setEnv,
  image: setImage,
  resources: setResources,
  sa: setServiceAccount,
  selector: setSelector,
  serviceaccount: setServiceAccount,
  subject: setSubject,
};

const HELP = `Configure application resources.

 These commands help you make changes to existing application resources.

Available Commands:
  env              Update environment variables on a pod template
  image            Update the image of a pod template
  resources        Update resource requests/limits on objects with pod templates
  selector         Set the selector on a resource
  serviceaccount   Update the service account of a resource
  subject          Update the user, group, or service account in a role binding or cluster role binding

Usage:
  kubectl set SUBCOMMAND [options]

Use "kubectl set <command> --help" for more information about a given command.
Use "kubectl options" for a list of global command-line options (applies to all commands).`;

export const set: Command = async (argv, env) => {
  const [name = "", ...rest] = argv;
  const setter = Object.hasOwn(SETTERS, name) ? SETTERS[name] : undefined;
  if (setter) return setter(rest, env);
  if (name === "") throw new PlainError(HELP);
  throw unknownIn("set", argv);
};

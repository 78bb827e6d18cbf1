/**
 * kubectl create token: a token for a ServiceAccount, on standard output.
 * Models:     kubectl/pkg/cmd/create/create_token.go @ v1.36
 */
import { at, obj, str } from "../../api/kinds/access.ts";
import { ServiceAccount } from "../../api/kinds/serviceaccount.ts";
import { TokenRequest } from "../../api/kinds/subresource-kinds.ts";
import { StatusError } from "../../api/status.ts";
import { type Args, flags, OUTPUT, parseArgs } from "../args.ts";
import { type Command, CommandError, UsageError } from "../environment.ts";
import { jsonOf, typed } from "../objects.ts";
import { inGoOrder } from "../print/go-order.ts";
import { objectPrinterFor, printText } from "../print/object.ts";
import { parseDuration } from "../time.ts";
import { oneName } from "./generator.ts";

const FLAGS = flags(
  "duration:value audience:value bound-object-kind:value " +
    "bound-object-name:value bound-object-uid:value allow-missing-template-keys",
  { output: OUTPUT.output!, template: OUTPUT.template! },
);

/** Kinds that a token can depend on. */
const BOUND = ["Node", "Pod", "Secret"];

export const createToken: Command = async (argv, env) => {
  const args = parseArgs(argv, FLAGS);
  const seconds = secondsOf(args);
  const name = oneName(args, "token");
  const printer = objectPrinterFor(args, env);
  check(args, seconds);
  const audiences = args.all("audience");
  const bound = boundTo(args);
  const body = {
    apiVersion: "authentication.k8s.io/v1",
    kind: "TokenRequest",
    metadata: { name: "" },
    spec: {
      ...(audiences.length > 0 ? { audiences } : {}),
      ...(seconds > 0 ? { expirationSeconds: seconds } : {}),
      ...(bound ? { boundObjectRef: bound } : {}),
    },
  };
  const namespace = args.get("namespace") ?? "default";
  try {
    const made = await env.client.createSub(
      ServiceAccount,
      namespace,
      name,
      "token",
      body,
    );
    const answer = jsonOf(made);
    // The typed form says also that it is bound to nothing.
    const spec = { boundObjectRef: null, ...obj(answer.spec) };
    const object = typed<TokenRequest>({ ...answer, spec } as never);
    const shown = inGoOrder(object, TokenRequest as never, env);
    const found = { kind: TokenRequest, object: shown } as never;
    if (printer) printText(printer([found], true, true), env);
    else env.out(str(at(jsonOf(made).status, "token")));
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    throw new CommandError(`failed to create token: ${error.message}`);
  }
  return 0;
};

function secondsOf(args: Args): number {
  try {
    return parseDuration(args.get("duration") ?? "0s", "duration") / 1000;
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

function check(args: Args, seconds: number): void {
  const kind = args.get("bound-object-kind") ?? "";
  const refuse = (why: string) => {
    throw new CommandError(why);
  };
  if (seconds < 0) refuse("--duration must be greater than or equal to 0");
  if (!Number.isInteger(seconds))
    refuse("--duration cannot be expressed in units less than seconds");
  if (args.all("audience").includes(""))
    refuse("--audience must not be an empty string");
  if (kind === "") {
    for (const flag of ["bound-object-name", "bound-object-uid"])
      if (args.get(flag))
        refuse(`--${flag} can only be set if --bound-object-kind is provided`);
    return;
  }
  if (!BOUND.includes(kind))
    refuse(`supported --bound-object-kind values are ${BOUND.join(", ")}`);
  if (!args.get("bound-object-name"))
    refuse(
      "--bound-object-name is required if --bound-object-kind is provided",
    );
}

function boundTo(args: Args) {
  const kind = args.get("bound-object-kind");
  if (!kind) return;
  const uid = args.get("bound-object-uid");
  const name = args.get("bound-object-name");
  return { apiVersion: "v1", kind, name, ...(uid ? { uid } : {}) };
}

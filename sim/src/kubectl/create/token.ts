/**
 * kubectl create token: a token for a ServiceAccount, on standard output.
 * Models:     kubectl/pkg/cmd/create/create_token.go @ v1.36
 * Leaves out: binding to a Secret or a Pod; -o.
 */
import { at, str } from "../../api/kinds/access.ts";
import { ServiceAccount } from "../../api/kinds/serviceaccount.ts";
import { StatusError } from "../../api/status.ts";
import { flags, parseArgs } from "../args.ts";
import { type Command, CommandError } from "../environment.ts";
import { jsonOf } from "../objects.ts";
import { parseDuration } from "../time.ts";
import { oneName } from "./generator.ts";

export const createToken: Command = async (argv, env) => {
  const args = parseArgs(argv, flags("duration:value audience:value"));
  const name = oneName(args, "token");
  const duration = args.get("duration");
  const seconds = duration ? parseDuration(duration, "duration") / 1000 : 0;
  const audiences = args.list("audience");
  const body = {
    apiVersion: "authentication.k8s.io/v1",
    kind: "TokenRequest",
    metadata: { name: "" },
    spec: {
      ...(audiences.length > 0 ? { audiences } : {}),
      ...(seconds > 0 ? { expirationSeconds: seconds } : {}),
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
    env.out(str(at(jsonOf(made).status, "token")));
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    throw new CommandError(`failed to create token: ${error.message}`);
  }
  return 0;
};

/**
 * kubectl get --raw: the answer of any path of the server, as it comes.
 * Models:     kubectl/pkg/cmd/get/get.go (Validate), kubectl/pkg/rawhttp,
 *             client-go/rest/request.go (transformResponse) @ v1.36
 * Leaves out: answers that stream.
 */
import { quote } from "../api/go-text.ts";
import { StatusError, statusError } from "../api/status.ts";
import type { RawResponse } from "../api/transport.ts";
import type { Status } from "../api/types.ts";
import type { Args } from "./args.ts";
import { CommandError, type Environment } from "./environment.ts";

export async function getRaw(args: Args, env: Environment): Promise<number> {
  check(args);
  const answer = await env.client.raw(args.get("raw")!);
  if (answer.code >= 400) throw errorOf(answer);
  env.out(answer.text.replace(/\n$/, ""));
  return 0;
}

function check(args: Args): void {
  if (args.words.length > 0) {
    throw new CommandError(
      "arguments may not be passed when --raw is specified",
    );
  }
  if (args.on("watch") || args.on("watch-only") || args.get("selector")) {
    throw new CommandError(
      "--raw may not be specified with other flags that filter the server request or alter the output",
    );
  }
  if (args.get("output")) {
    throw new CommandError("--raw and --output are mutually exclusive");
  }
  const path = args.get("raw")!;
  if (!path.startsWith("/")) {
    const why = `parse ${quote(path)}: invalid URI for request`;
    throw new CommandError(`--raw must be a valid URL path: ${why}`);
  }
}

/** A Status says itself what is wrong; of a text, the code says most. */
function errorOf({ code, text }: RawResponse): StatusError {
  if (text.startsWith("{")) return new StatusError(JSON.parse(text) as Status);
  if (code === 404) {
    const message = "the server could not find the requested resource";
    return statusError(404, "NotFound", message);
  }
  const message = `an error on the server (${quote(text.trim())}) has prevented the request from succeeding`;
  return statusError(code, "InternalError", message);
}

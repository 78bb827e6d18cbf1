/**
 * Any path of the server for a client in the page, as text: what HTTP would
 * send, kept beside its response, since a body is read outside simulated time.
 */
import { statusError } from "../../api/status.ts";
import type { RawRequest, RawResponse } from "../../api/transport.ts";
import { failure } from "../failure.ts";
import type { ApiServer } from "../server.ts";
import { sentAs } from "./encode.ts";
import { handle } from "./handle.ts";

/** In a process of the server's own, so that no time passes meanwhile. */
export function answerRaw(
  server: ApiServer,
  request: RawRequest,
): Promise<RawResponse> {
  const { kernel, actor } = server;
  return kernel.wait((resolve, reject) => {
    kernel.spawn(actor, () => answer(server, request).then(resolve, reject));
  });
}

async function answer(
  server: ApiServer,
  { path, credentials }: RawRequest,
): Promise<RawResponse> {
  const headers = { Accept: "application/json, */*" };
  const request = new Request(`https://kubernetes${path}`, { headers });
  const response = await handle(server, request, credentials, true);
  const sent = sentAs(response);
  if (sent) return { code: response.status, ...sent };
  void response.body?.cancel();
  const message = "the simulator does not stream the answer of a path";
  const { code, body } = failure(statusError(501, "NotImplemented", message));
  return { code, text: JSON.stringify(body), warnings: [] };
}

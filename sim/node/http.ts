/**
 * What clients outside the page need on top of the server's own answers:
 * bodies in protobuf, and OpenAPI in its older version.
 */
import { ADMIN, type Cluster } from "../src/index.ts";
import { encodeOpenApiV2, OPENAPI_V2_PROTOBUF, openApiV2 } from "./openapi-v2.ts";
import { decodeObject, PROTOBUF } from "./protobuf/decode.ts";
import { ProtobufError } from "./protobuf/wire.ts";

/** Who asks without credentials is the administrator. */
export async function answer(cluster: Cluster, request: Request): Promise<Response> {
  if (new URL(request.url).pathname === "/openapi/v2") return openApi(cluster, request);
  return cluster.handle(await inJson(cluster, request), ADMIN);
}

/** What cannot be read stays as it is: the server then says 415. */
async function inJson(cluster: Cluster, request: Request): Promise<Request> {
  if (request.headers.get("content-type") !== PROTOBUF) return request;
  const bytes = new Uint8Array(await request.clone().arrayBuffer());
  const headers = new Headers(request.headers);
  headers.set("content-type", "application/json");
  try {
    const body = bytes.length === 0 ? "" : JSON.stringify(decodeObject(bytes, cluster.kinds));
    return new Request(request.url, { method: request.method, headers, body });
  } catch (error) {
    if (error instanceof ProtobufError) return request;
    throw error;
  }
}

/** Allowed to whom /openapi/v3 is. */
async function openApi(cluster: Cluster, request: Request): Promise<Response> {
  const ask = (path: string) => {
    const { headers } = request;
    const plain = new Headers(headers);
    plain.set("accept", "application/json");
    return cluster.handle(new Request(new URL(path, request.url), { headers: plain }), ADMIN);
  };
  const first = await ask("/openapi/v3");
  if (!first.ok) return first;
  const document = await openApiV2(async (path) => (await ask(path)).json());
  const accept = request.headers.get("accept") ?? "";
  if (!accept.includes(OPENAPI_V2_PROTOBUF)) return Response.json(document);
  const headers = { "Content-Type": OPENAPI_V2_PROTOBUF.replace("@", ".") };
  return new Response(Buffer.from(encodeOpenApiV2(document)), { headers });
}

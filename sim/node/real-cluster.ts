/**
 * A real cluster, reached as the simulated one is: each request goes to the
 * server of a kubeconfig, and what comes back enters the kernel as a step.
 * Leaves out: requests that name no resource.
 */
import http from "node:http";
import https from "node:https";
import { createInterface } from "node:readline";
import type { KubeConfig } from "@kubernetes/client-node";
import {
  type ApiRequest,
  type ApiResponse,
  ConnectionError,
  type Kernel,
  type KubeList,
  type KubeObject,
  type Status,
  type Transport,
  type WatchEvent,
  type WatchHandle,
  type WatchHandler,
} from "../src/process.ts";
import { bodyOf, methodOf, pathOf } from "./request-url.ts";

interface Reached {
  readonly kernel: Kernel;
  readonly config: KubeConfig;
}

/** `config`: its current context names a cluster. */
export function connectTo(kernel: Kernel, config: KubeConfig): Transport {
  const reached = { kernel, config };
  return {
    request: (request) => inKernel(kernel, () => ask(reached, request)),
    watch: (request, handler) => inKernel(kernel, () => watch(reached, request, handler)),
  };
}

/** A promise of the kernel's, settled in a step, whenever the answer comes. */
function inKernel<T>(kernel: Kernel, work: () => Promise<T>): Promise<T> {
  return kernel.wait((resolve, reject) => {
    work().then(
      (value) => kernel.after(0, () => resolve(value)),
      (error) => kernel.after(0, () => reject(error)),
    );
  });
}

async function ask(reached: Reached, request: ApiRequest): Promise<ApiResponse> {
  const { answer } = await send(reached, request);
  return responseOf(answer, await textOf(answer, reached));
}

/** What ends a watch with an error is a Status where else the object is. */
type WatchLine =
  | { readonly type: "ERROR"; readonly object: Status }
  | (WatchEvent & { readonly type: Exclude<WatchEvent["type"], "ERROR"> });

/** Each line of the answer is an event, until the server has enough, or we have. */
async function watch(
  reached: Reached,
  request: ApiRequest,
  handler: WatchHandler,
): Promise<WatchHandle | ApiResponse> {
  const { kernel } = reached;
  const { answer, close } = await send(reached, request);
  if (answer.statusCode !== 200) return responseOf(answer, await textOf(answer, reached));
  const lines = createInterface({ input: answer });
  let isOver = false;
  const end = (error?: Status) => {
    if (isOver) return;
    isOver = true;
    kernel.after(0, () => handler.onEnd(error));
  };
  lines.on("line", (line) => {
    const event = JSON.parse(line) as WatchLine;
    if (event.type === "ERROR") end(event.object);
    else if (!isOver) kernel.after(0, () => handler.onEvent(event));
  });
  lines.on("close", () => end());
  // A lost connection is an end like any other: the watch is opened anew.
  lines.on("error", () => end());
  return {
    stop() {
      isOver = true;
      close();
    },
  };
}

interface Sent {
  readonly answer: http.IncomingMessage;
  close(): void;
}

async function send({ config }: Reached, request: ApiRequest): Promise<Sent> {
  const { server } = config.getCurrentCluster()!;
  const url = new URL(server.replace(/\/$/, "") + pathOf(request));
  const options: https.RequestOptions = { method: methodOf(request), headers: {} };
  await config.applyToHTTPSOptions(options);
  const { type, text } = bodyOf(request);
  Object.assign(options.headers!, { Accept: "application/json", "User-Agent": request.userAgent });
  if (text !== undefined) Object.assign(options.headers!, { "Content-Type": type });
  const isPlain = url.protocol === "http:";
  if (isPlain) delete options.agent;
  return new Promise((resolve, reject) => {
    const sent = (isPlain ? http : https).request(url, options, (answer) =>
      resolve({ answer, close: () => sent.destroy() }),
    );
    sent.on("error", (error) => reject(new ConnectionError(url.host, error.message)));
    sent.end(text);
  });
}

async function textOf(answer: http.IncomingMessage, { config }: Reached): Promise<string> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of answer) chunks.push(chunk as Buffer);
  } catch (error) {
    const { server } = config.getCurrentCluster()!;
    throw new ConnectionError(server, (error as Error).message);
  }
  return Buffer.concat(chunks).toString();
}

/** Items of a list come without what kind they are; here every object says it. */
function responseOf({ statusCode = 0, headers }: http.IncomingMessage, text: string): ApiResponse {
  const retryAfterSeconds = Number(headers["retry-after"]) || undefined;
  const body = bodyIn(text, statusCode);
  if (!("items" in body)) return { code: statusCode, body, retryAfterSeconds };
  const { apiVersion, kind } = body;
  const own = { apiVersion, kind: kind.replace(/List$/, "") };
  const items = body.items.map((item) => ({ ...own, ...item }));
  return { code: statusCode, body: { ...body, items }, retryAfterSeconds };
}

/** What is no JSON comes from something before the API server: a proxy, a login page. */
function bodyIn(text: string, code: number): KubeObject | KubeList | Status {
  try {
    return JSON.parse(text);
  } catch {
    const message = text.trim().slice(0, 200) || `the server answered ${code} and nothing else`;
    const status = { apiVersion: "v1", kind: "Status", status: "Failure", message, code } as const;
    return { ...status, metadata: {} };
  }
}

/**
 * The road of an in-page client to an API server: the same pipeline as over
 * HTTP, without serialisation. Requests, answers and watch events take
 * simulated time; each watch is a stream of its own, in order.
 */

import {
  type ApiRequest,
  type ApiResponse,
  ConnectionError,
  type RawRequest,
  type RawResponse,
  type RequestDetail,
  type ResponseDetail,
  type Transport,
} from "../api/transport.ts";
import type { Status } from "../api/types.ts";
import type { Kernel, Random } from "../kernel/index.ts";
import { answerRaw } from "./http/raw.ts";
import type { ApiServer } from "./server.ts";
import { WatchStream } from "./watch-stream.ts";

/** One-way latency in ms, drawn anew for each message. */
export type Latency = (random: Random) => number;

export interface LocalTransportOptions {
  readonly kernel: Kernel;
  readonly server: ApiServer;
  /** The client: `replicaset-controller`, `kubelet/node-1`. */
  readonly actor: string;
  readonly latency?: Latency;
}

/** A tenth of a millisecond to one: a network inside a data centre. */
export const DEFAULT_LATENCY: Latency = (random) => random.between(0.1, 1);
/** After so long without an answer a client gives up. */
const CONNECT_TIMEOUT_MS = 10_000;

export function localTransport(options: LocalTransportOptions): Transport {
  const { kernel, server, actor, latency = DEFAULT_LATENCY } = options;
  const random = kernel.random.fork(`transport/${actor}`);
  const delay = () =>
    latency(random) + kernel.faults.delayMs(actor, server.actor);
  const blocked = () => kernel.faults.blocked(actor, server.actor);

  const send = (request: ApiRequest): number => {
    const detail: RequestDetail = { request };
    return kernel.record(actor, "request", null, server.actor, detail);
  };

  const lost = (reject: (error: Error) => void) => {
    const stopped = kernel.faults.stopped(server.actor);
    const why = stopped ? "connection refused" : "i/o timeout";
    kernel.after(stopped ? delay() : CONNECT_TIMEOUT_MS, () =>
      reject(
        new ConnectionError(
          server.actor,
          `dial tcp ${server.actor}:6443: connect: ${why}`,
        ),
      ),
    );
  };

  /** Carries one question to the server and its answer back. */
  const exchange = <T>(
    request: ApiRequest,
    ask: () => T | Promise<T>,
    codeOf: (answer: T) => ApiResponse,
    arrived?: (answer: T) => void,
  ): Promise<T> =>
    kernel.wait((resolve, reject) => {
      const cause = kernel.causeId;
      const id = send(request);
      const sentAtMs = kernel.now();
      kernel.causeId = id;
      const back = (answer: T) => {
        if (blocked()) return lost(reject);
        kernel.causeId = id;
        const { code, body } = codeOf(answer);
        kernel.after(delay(), () => {
          const ms = kernel.now() - sentAtMs;
          const detail: ResponseDetail = { code, body, ms };
          const subject = textOf(code);
          kernel.record(server.actor, "response", subject, actor, detail);
          resolve(answer);
          arrived?.(answer);
        });
      };
      if (blocked()) lost(reject);
      else {
        kernel.after(delay(), () => {
          if (blocked()) return lost(reject);
          const answer = ask();
          if (answer instanceof Promise) answer.then(back, reject);
          else back(answer);
        });
      }
      kernel.causeId = cause;
    });

  return {
    request: (request) =>
      exchange(
        request,
        () => server.execute(request),
        (answer) => answer,
      ),
    watch: (request, handler) =>
      exchange<WatchStream | ApiResponse>(
        request,
        () => {
          const stream = new WatchStream(
            { kernel, from: server.actor, to: actor, delayMs: delay },
            handler,
          );
          const opened = server.watch(request, stream);
          if (!("stop" in opened)) return opened;
          stream.opened = opened;
          return stream;
        },
        (answer) =>
          "stop" in answer ? { code: 200, body: STREAMING } : answer,
        (answer) => {
          if ("stop" in answer) answer.release();
        },
      ),
    raw: (request) =>
      exchange<RawResponse>(
        pathRequest(request),
        () => answerRaw(server, request),
        ({ code }) => ({ code, body: STREAMING }),
      ),
  };
}

/** A GET of a path, as the trace keeps it. */
function pathRequest({ path, credentials }: RawRequest): ApiRequest {
  return { verb: "get", group: "", version: "", resource: path, credentials };
}

const STREAMING: Status = {
  kind: "Status",
  apiVersion: "v1",
  metadata: {},
  status: "Success",
};

const TEXTS: { readonly [code: number]: string } = {
  200: "200 OK",
  201: "201 Created",
  400: "400 Bad Request",
  401: "401 Unauthorized",
  403: "403 Forbidden",
  404: "404 Not Found",
  409: "409 Conflict",
  410: "410 Gone",
  422: "422 Unprocessable Entity",
  429: "429 Too Many Requests",
  500: "500 Internal Server Error",
  504: "504 Gateway Timeout",
};

function textOf(code: number): string {
  return TEXTS[code] ?? String(code);
}

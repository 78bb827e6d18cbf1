/**
 * `shikumi serve`: the API server over HTTP for real clients, its clock bound
 * to the wall clock (times `--speed`). Loopback only.
 */
import { mkdtempSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSession, type Session } from "../src/index.ts";
import { readFlags, UsageError } from "./args.ts";
import { followClock } from "./clock.ts";
import { answer } from "./http.ts";

const FLAGS = { port: true, nodes: true, seed: true, speed: true };

export async function run(argv: string[]): Promise<number> {
  const flags = readFlags(argv, FLAGS);
  const speed = Number(flags.one("speed") ?? 1);
  if (!(speed > 0))
    throw new UsageError(`--speed takes a number above 0, not "${flags.one("speed")}".`);
  const session = createSession({
    seed: flags.number("seed", 1),
    trace: "off",
    // Clients count ages from the wall clock.
    epoch: new Date().toISOString(),
    scenario: { nodes: flags.number("nodes", 3), quietMs: 0, untilMs: Number.POSITIVE_INFINITY },
  });
  const server = await serveSession(session, { port: flags.number("port", 0), speed });
  const file = writeKubeconfig(server.port);
  console.log(`Kubernetes API (simulated) at http://127.0.0.1:${server.port}`);
  console.log(`export KUBECONFIG=${file}`);
  await new Promise((resolve) => process.once("SIGINT", resolve));
  await server.close();
  return 0;
}

/** A session that answers over HTTP. */
export interface ServedSession {
  readonly port: number;
  close(): Promise<void>;
}

/**
 * Serves a session's API server; `port` 0 takes a free one. It listens on the
 * loopback alone, so who asks without credentials is the administrator.
 */
export async function serveSession(
  session: Session,
  { port, speed }: { port: number; speed: number },
): Promise<ServedSession> {
  const { kernel, cluster } = session;
  const server = createServer((incoming, outgoing) => {
    void requestOf(incoming).then((request) => {
      // It comes in as a step of the kernel, between two others.
      kernel.after(
        0,
        () =>
          void answer(cluster, request).then(
            (response) => send(response, outgoing),
            failed(outgoing),
          ),
      );
    }, failed(outgoing));
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });
  const stop = followClock(kernel, speed);
  const address = server.address();
  return {
    port: typeof address === "object" && address ? address.port : port,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await stop();
    },
  };
}

async function requestOf(incoming: IncomingMessage): Promise<Request> {
  const { method = "GET", url = "/", headers } = incoming;
  const kept = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    value === undefined || HOP_BY_HOP.test(name) ? [] : [[name, String(value)]],
  );
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const body = method === "GET" || method === "HEAD" ? undefined : Buffer.concat(chunks);
  return new Request(new URL(url, "http://127.0.0.1"), { method, headers: kept, body });
}

const HOP_BY_HOP = /^(connection|upgrade|keep-alive|transfer-encoding)$/;

function failed(answer: ServerResponse): (error: unknown) => void {
  return (error) => {
    answer.statusCode = 500;
    answer.end(`${error}\n`);
  };
}

/** Each chunk is sent as it comes: a watch is a line an event. */
async function send(response: Response, answer: ServerResponse): Promise<void> {
  answer.writeHead(response.status, Object.fromEntries(response.headers));
  answer.flushHeaders();
  if (!response.body) {
    answer.end();
    return;
  }
  const reader = response.body.getReader();
  answer.on("close", () => void reader.cancel().catch(() => {}));
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    answer.write(value);
  }
  answer.end();
}

/** A kubeconfig for a port, in a folder of its own; resolves to its path. */
export function writeKubeconfig(port: number): string {
  const file = join(mkdtempSync(join(tmpdir(), "shikumi-")), "kubeconfig");
  const config = {
    apiVersion: "v1",
    kind: "Config",
    // Some clients take plain HTTP only if told not to verify certificates.
    clusters: [
      {
        name: "shikumi",
        cluster: { server: `http://127.0.0.1:${port}`, "insecure-skip-tls-verify": true },
      },
    ],
    users: [{ name: "admin", user: {} }],
    contexts: [{ name: "shikumi", context: { cluster: "shikumi", user: "admin" } }],
    "current-context": "shikumi",
  };
  writeFileSync(file, JSON.stringify(config, null, 2));
  return file;
}

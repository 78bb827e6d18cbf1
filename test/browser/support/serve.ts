/** A small static server on the loopback, with or without the isolating headers. */

import { readFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join, normalize } from "node:path";

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json",
};

export interface Served {
  readonly origin: string;
  /** Paths asked for so far. */
  readonly asked: string[];
  close(): Promise<void>;
}

export async function serveFolder(folder: string, isolated: boolean): Promise<Served> {
  const asked: string[] = [];
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://localhost");
    asked.push(pathname);
    if (isolated) {
      response.setHeader("Cross-Origin-Opener-Policy", "same-origin");
      response.setHeader("Cross-Origin-Embedder-Policy", "require-corp");
    }
    try {
      const body = await readFile(join(folder, normalize(pathname)));
      response.setHeader("Content-Type", TYPES[extname(pathname)] ?? "text/plain");
      response.end(body);
    } catch {
      response.statusCode = 404;
      response.end("not found");
    }
  });
  return { origin: await listen(server), asked, close: () => closeServer(server) };
}

/** Listens on a free port of the loopback; gives the origin. */
export function listen(server: Server): Promise<string> {
  return new Promise((resolve, reject) => {
    server.on("error", reject);
    server.listen(0, "127.0.0.1", () => {
      resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    });
  });
}

export function closeServer(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}

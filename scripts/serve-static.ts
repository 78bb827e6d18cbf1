/**
 * A small static server for `dist`: right types, the isolation headers of public/_headers,
 * clean addresses, the 404 page of the language, and nothing outside the folder.
 */
import { createReadStream, existsSync, statSync } from "node:fs";
import { createServer, type Server, type ServerResponse } from "node:http";
import { extname, join, resolve, sep } from "node:path";

const types: Record<string, string> = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json",
  ".mjs": "text/javascript; charset=utf-8",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".ts": "text/plain; charset=utf-8",
  ".txt": "text/plain; charset=utf-8",
  ".wasm": "application/wasm",
  ".webp": "image/webp",
  ".woff2": "font/woff2",
  ".xml": "application/xml",
};

export interface ServeOptions {
  dir: string;
  /** 0 takes any free port. */
  port: number;
  host?: string;
}

/** Serves `dir`; resolves once it listens, with the port it got. Rejects if the port is taken. */
export function serve(options: ServeOptions): Promise<{ server: Server; port: number }> {
  const { port, host = "127.0.0.1" } = options;
  const root = resolve(options.dir);
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? "/", "http://local").pathname;
    try {
      answer(root, decodeURIComponent(path), response, request.method === "HEAD");
    } catch {
      response.writeHead(400).end("Bad request");
    }
  });
  return new Promise((done, fail) => {
    server.once("error", fail);
    server.listen(port, host, () => {
      const address = server.address();
      done({ server, port: typeof address === "object" && address ? address.port : port });
    });
  });
}

function answer(root: string, path: string, response: ServerResponse, headOnly: boolean): void {
  const wanted = resolve(join(root, path));
  const inside = wanted === root || wanted.startsWith(root + sep);
  const isFolder = inside && existsSync(wanted) && statSync(wanted).isDirectory();
  if (isFolder && !path.endsWith("/")) {
    response.writeHead(308, { Location: `${path}/` }).end();
    return;
  }
  const file = isFolder ? join(wanted, "index.html") : wanted;
  if (inside && existsSync(file) && statSync(file).isFile()) {
    send(file, 200, response, headOnly);
    return;
  }
  const language = /^\/(ja|en)(\/|$)/.exec(path)?.[1] ?? "";
  const own = join(root, language, "404.html");
  send(existsSync(own) ? own : join(root, "404.html"), 404, response, headOnly);
}

function send(file: string, status: number, response: ServerResponse, headOnly: boolean): void {
  response.writeHead(status, {
    "Content-Type": types[extname(file)] ?? "application/octet-stream",
    "Cache-Control": file.includes(`${sep}_astro${sep}`)
      ? "max-age=31536000, immutable"
      : "no-cache",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Embedder-Policy": "require-corp",
    "X-Content-Type-Options": "nosniff",
  });
  if (headOnly || !existsSync(file)) {
    response.end();
    return;
  }
  createReadStream(file).pipe(response);
}

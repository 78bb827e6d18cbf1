/**
 * A small static server for `dist`: right types, the isolation headers of public/_headers,
 * clean addresses, the 404 page of the language, and nothing outside the folder.
 */
import { createReadStream, existsSync, statSync } from "node:fs";
import { createServer, type Server, type ServerResponse } from "node:http";
import { extname, join, resolve, sep } from "node:path";
import { createGzip } from "node:zlib";

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
      const packs = /\bgzip\b/.test(String(request.headers["accept-encoding"]));
      answer(root, decodeURIComponent(path), response, { packs, bare: request.method === "HEAD" });
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

interface Wish {
  /** The client takes gzip. */
  packs: boolean;
  /** Headers alone. */
  bare: boolean;
}

function answer(root: string, path: string, response: ServerResponse, wish: Wish): void {
  const wanted = resolve(join(root, path));
  const inside = wanted === root || wanted.startsWith(root + sep);
  const isFolder = inside && existsSync(wanted) && statSync(wanted).isDirectory();
  if (isFolder && !path.endsWith("/")) {
    response.writeHead(308, { Location: `${path}/` }).end();
    return;
  }
  const file = isFolder ? join(wanted, "index.html") : wanted;
  if (inside && existsSync(file) && statSync(file).isFile()) {
    send(file, 200, response, wish);
    return;
  }
  const language = /^\/(ja|en)(\/|$)/.exec(path)?.[1] ?? "";
  const own = join(root, language, "404.html");
  send(existsSync(own) ? own : join(root, "404.html"), 404, response, wish);
}

function send(file: string, status: number, response: ServerResponse, wish: Wish): void {
  const type = types[extname(file)] ?? "application/octet-stream";
  const packed = wish.packs && /^text|json|svg|xml/.test(type);
  const isHashed = file.includes(`${sep}_astro${sep}`);
  response.writeHead(status, {
    "Content-Type": type,
    "Cache-Control": isHashed ? "max-age=31536000, immutable" : "no-cache",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Embedder-Policy": "require-corp",
    "X-Content-Type-Options": "nosniff",
    Vary: "Accept-Encoding",
    ...(packed ? { "Content-Encoding": "gzip" } : {}),
  });
  if (wish.bare || !existsSync(file)) response.end();
  else if (packed) createReadStream(file).pipe(createGzip()).pipe(response);
  else createReadStream(file).pipe(response);
}

/**
 * A stand-in for the WebContainer service, for tests alone: a page that speaks
 * its wire and this server, which runs real Node in a folder of its own. It
 * executes what it is sent, so it listens on the loopback only and dies with
 * the test. Faults: hang (the frame never says init), drop (the frame's
 * connection breaks), build-error, slow.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { build } from "esbuild";
import { closeServer, listen } from "./serve.ts";

export type Fault = "none" | "hang" | "drop" | "build-error" | "slow";

interface TreeNode {
  readonly d?: Record<string, TreeNode>;
  readonly f?: { readonly c: string };
}

export interface Peer {
  readonly origin: string;
  fault: Fault;
  /** Given to every process; `--no-experimental-strip-types` plays an old Node. */
  nodeOptions: string;
  /** Breaks every connection there is. */
  cut(): void;
  /** Processes alive now. */
  running(): number;
  close(): Promise<void>;
}

export async function startPeer(): Promise<Peer> {
  const root = mkdtempSync(join(tmpdir(), "webcontainer-peer-"));
  const bundled = await build({
    entryPoints: [join(import.meta.dirname, "webcontainer-peer-page.ts")],
    bundle: true,
    write: false,
    format: "esm",
  });
  const page = `<!doctype html><script type="module">${bundled.outputFiles[0]!.text}</script>`;
  const processes = new Map<string, ChildProcess>();
  let last = 0;

  const inside = (path: string) => {
    const full = resolve(root, path);
    if (full !== root && !full.startsWith(`${root}/`)) throw new Error(`outside: ${path}`);
    return full;
  };
  const write = (node: TreeNode, path: string) => {
    if (node.f) writeFileSync(path, node.f.c);
    for (const [name, child] of Object.entries(node.d ?? {})) {
      if (child.d) mkdirSync(join(path, name), { recursive: true });
      write(child, join(path, name));
    }
  };
  const files = {
    readdir: (path: string) => readdir(inside(path)),
    readFile: (path: string) => readFile(inside(path), "utf8"),
    writeFile: (path: string, data: string) => writeFile(inside(path), data),
    mkdir: (path: string, options: { recursive?: boolean }) => mkdir(inside(path), options),
    rm: (path: string, options: { recursive?: boolean }) => rm(inside(path), options ?? {}),
  };
  const kill = (child: ChildProcess | undefined) => {
    if (!child?.pid || child.exitCode !== null || child.signalCode !== null) return;
    process.kill(-child.pid, "SIGKILL");
  };

  function run(
    { command, args, cwd = ".", env, terminal }: RunBody,
    response: ServerResponse,
  ): void {
    const id = String(++last);
    const path = `${dirname(process.execPath)}:${process.env.PATH}`;
    const child = spawn(command === "jsh" ? "sh" : command, command === "jsh" ? ["-i"] : args, {
      cwd: inside(cwd),
      detached: true,
      env: {
        PATH: path,
        HOME: root,
        NODE_OPTIONS: peer.nodeOptions,
        PS1: terminal ? "$ " : "",
        ...env,
      },
    });
    processes.set(id, child);
    response.writeHead(200, { "x-process": id });
    const send = (line: object) => response.write(`${JSON.stringify(line)}\n`);
    const end = (exit: number) => {
      processes.delete(id);
      response.end(`${JSON.stringify({ exit })}\n`);
    };
    child.stdout.on("data", (data: Buffer) => send({ data: data.toString("base64") }));
    child.stderr.on("data", (data: Buffer) => send({ data: data.toString("base64") }));
    child.on("error", () => end(127));
    child.on("close", (code) => end(code ?? 137));
    response.on("close", () => kill(child)); // The page went away.
    child.stdin.on("error", () => {}); // It ended before it read.
    response.flushHeaders();
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = new URL(request.url ?? "/", "http://peer").pathname;
    if (path === "/headless") {
      if (peer.fault === "drop") return void request.socket.destroy();
      response.setHeader("Content-Type", "text/html");
      return void response.end(page);
    }
    if (path === "/fault") {
      const delayMs = peer.fault === "slow" ? 1_500 : 0;
      return void response.end(JSON.stringify({ hang: peer.fault === "hang", delayMs }));
    }
    const body = JSON.parse((await request.setEncoding("utf8").toArray()).join("") || "{}");
    if (path === "/run") return run(body, response);
    if (path === "/build" && peer.fault === "build-error") throw new Error("no build today");
    if (path === "/mount") write(body.tree, inside(body.at));
    if (path === "/input") processes.get(body.id)?.stdin?.write(body.data);
    if (path === "/kill") kill(processes.get(body.id));
    if (path === "/teardown") for (const child of processes.values()) kill(child);
    const done = path === "/fs" ? await callFs(files, body) : { path: "/bin", cwd: root };
    response.end(JSON.stringify(done ?? null));
  }

  const server = createServer((request, response) => {
    response.setHeader("Cross-Origin-Embedder-Policy", "require-corp");
    response.setHeader("Cross-Origin-Resource-Policy", "cross-origin");
    answer(request, response).catch((error) => {
      response.statusCode = 500;
      response.end(String(error.message));
    });
  });
  const peer: Peer = {
    origin: await listen(server),
    fault: "none",
    nodeOptions: "",
    cut: () => {
      for (const child of processes.values()) kill(child);
      server.closeAllConnections();
    },
    running: () => processes.size,
    close: async () => {
      for (const child of processes.values()) kill(child);
      await closeServer(server);
      rmSync(root, { recursive: true, force: true });
    },
  };
  return peer;
}

interface RunBody {
  readonly command: string;
  readonly args: string[];
  readonly cwd?: string;
  readonly env?: Record<string, string>;
  readonly terminal?: object;
}

function callFs(
  files: object,
  { method, args }: { method: string; args: unknown[] },
): Promise<unknown> {
  const call = (files as Record<string, (...args: unknown[]) => Promise<unknown>>)[method];
  if (!call) throw new Error(`fs has no ${method}`);
  return call(...args);
}

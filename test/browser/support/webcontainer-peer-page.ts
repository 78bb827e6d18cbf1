/**
 * The frame's side of the peer: speaks the wire of the WebContainer service
 * (Comlink 4.3.0 over a port) and passes each call on to the peer's server.
 */
import { expose, proxy } from "comlink";

type Output = ((data: Uint8Array | null) => void) | undefined;

interface Command {
  readonly command: string;
  readonly args: string[];
}

const query = new URLSearchParams(location.search);

async function call(path: string, body: unknown): Promise<Response> {
  const answer = await fetch(path, { method: "POST", body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(await answer.text());
  return answer;
}

const fs = Object.fromEntries(
  ["readdir", "readFile", "writeFile", "mkdir", "rm"].map((method) => [
    method,
    async (...args: unknown[]) => (await call("/fs", { method, args })).json(),
  ]),
);

async function run(command: Command, _stdout: Output, _stderr: Output, output: Output) {
  const answer = await call("/run", command);
  const id = answer.headers.get("x-process");
  const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader();
  const onExit = (async () => {
    let rest = "";
    for (;;) {
      const { done, value } = await reader.read();
      if (done) throw new Error("connection lost");
      const lines = (rest + value).split("\n");
      rest = lines.pop()!;
      for (const line of lines) {
        const { data, exit } = JSON.parse(line);
        if (data !== undefined) output?.(Uint8Array.from(atob(data), (char) => char.charCodeAt(0)));
        else {
          output?.(null);
          return exit as number;
        }
      }
    }
  })();
  onExit.catch(() => {});
  return proxy({
    onExit,
    write: (data: string) => call("/input", { id, data }).then(() => {}),
    kill: () => call("/kill", { id }).then(() => {}),
    resize: () => {},
  });
}

const instance = {
  fs: () => proxy(fs),
  previewScript: () => "",
  runtimeInfo: async () => (await call("/info", {})).json(),
  run,
  loadFiles: (payload: Uint8Array, options: { mountPoints?: string }) =>
    call("/mount", {
      tree: JSON.parse(new TextDecoder().decode(payload)),
      at: options.mountPoints ?? ".",
    }).then(() => {}),
  on: () => proxy(() => {}),
  serialize: () => new Uint8Array(),
  setPreviewScript: () => {},
  setCredentials: () => {},
  teardown: () => call("/teardown", {}).then(() => {}),
};

const server = {
  build: async () => {
    await call("/build", { version: query.get("version") });
    return proxy(instance);
  },
};

const { port1, port2 } = new MessageChannel();
expose(server, port1);
const { hang, delayMs } = await (await fetch("/fault")).json();
if (!hang) setTimeout(() => parent.postMessage({ type: "init" }, "*", [port2]), delayMs);

/**
 * The WebContainer back end: the whole of Node in the page. The same files
 * mounted as a project, run by `node`, with `npm test` and a shell. Nothing of
 * it is loaded before it is asked for. Files are checked and linked as for the
 * worker first, so that both say the same of the same mistake.
 */
import type { WebContainer, WebContainerProcess } from "@webcontainer/api";
import { modulePath } from "../link.ts";
import { linkWith } from "../load.ts";
import type { SimAssets } from "../manifest.ts";
import { CAPS, type StartRequest } from "../protocol.ts";
import { type Backend, type Connection, type ConnectionEvents, ProgramRun } from "../run.ts";
import { framesOf } from "../stack.ts";
import type { BootOptions, Program, Run, SimRuntime, Terminal, TestRun } from "../types.ts";
import { acquireContainer, releaseContainer } from "./boot.ts";
import { drawPrefix, LineReader, requestPrefix } from "./lines.ts";
import { projectFiles, treeOf } from "./project.ts";

/** Time to boot if the caller gave none, in ms. */
const BOOT_MS = 30_000;
/** Output may trail the exit of its process by so long, in ms. */
const TRAIL_MS = 100;
const NODE_ARGS = ["--disable-warning=ExperimentalWarning", "--import", "./ts.mjs", "runner.mjs"];

let folders = 0;

export class WebContainerRuntime implements SimRuntime {
  readonly kind = "webcontainer";
  readonly can = { terminal: true, npmTest: true, offline: false } as const;
  private readonly assets: SimAssets;
  private readonly folder = `sim-${++folders}`;
  private readonly backend: Backend;
  private readonly runs = new Set<ProgramRun>();
  private booting: Promise<WebContainer> | null = null;
  private sources: Readonly<Record<string, string>> = {};
  /** Files in the container that differ from the originals. */
  private readonly written = new Map<string, string>();
  /** Writes of one program and the start of its run come one after another. */
  private turn: Promise<unknown> = Promise.resolve();
  private starts = 0;

  constructor(assets: SimAssets, times = { patience: 5, loadMs: 20_000 }) {
    this.assets = assets;
    this.backend = {
      ...times,
      startMs: 30_000,
      link: (program) => linkWith(assets, program),
      frames: async (stack) => framesOf(stack),
      connect: (start, program, events) => this.connect(start, program, events),
    };
  }

  async boot(options: BootOptions): Promise<void> {
    this.booting ??= this.prepare(options).catch((error) => {
      this.booting = null; // The next call tries anew.
      throw error;
    });
    await this.booting;
    options.onStage("ready");
  }

  run(program: Program): Run {
    for (const run of this.runs) run.release();
    this.runs.clear();
    const run = new ProgramRun(this.backend, program);
    this.runs.add(run);
    return run;
  }

  async test(program: Program): Promise<TestRun> {
    const container = await this.container();
    const process = await this.inTurn(async () => {
      await this.writeProgram(container, program);
      return container.spawn("npm", ["test"], { cwd: this.folder });
    });
    return { output: process.output, exit: process.exit, kill: () => process.kill() };
  }

  async shell(size: { cols: number; rows: number }): Promise<Terminal> {
    const container = await this.container();
    const process = await container.spawn("jsh", [], { cwd: this.folder, terminal: size });
    const input = process.input.getWriter();
    return {
      output: process.output,
      exit: process.exit,
      write: (text) => void input.write(text),
      resize: (to) => process.resize(to),
      kill: () => process.kill(),
    };
  }

  async dispose(): Promise<void> {
    for (const run of this.runs) run.dispose();
    const container = await this.booting?.catch(() => null);
    this.booting = null;
    if (container) releaseContainer(container);
  }

  private container(): Promise<WebContainer> {
    const options = { signal: new AbortController().signal, timeoutMs: BOOT_MS, onStage: () => {} };
    return this.boot(options).then(() => this.booting!);
  }

  private async prepare(options: BootOptions): Promise<WebContainer> {
    const { assets, folder } = this;
    const container = await acquireContainer(await assets.url("webcontainer"), options);
    try {
      options.onStage("mount");
      const { entry } = await assets.manifest();
      const [sources, runner, eraser] = await Promise.all([
        assets.paths().then((paths) => assets.sources(paths)),
        assets.text("runner"),
        assets.text("eraser"),
      ]);
      this.sources = sources;
      this.written.clear();
      await container.fs.mkdir(folder, { recursive: true });
      const tree = treeOf(projectFiles({ entry, sources, runner, eraser }));
      await container.mount(tree, { mountPoint: folder });
      return container;
    } catch (error) {
      releaseContainer(container);
      throw error;
    }
  }

  private async connect(
    start: StartRequest,
    program: Program,
    events: ConnectionEvents,
  ): Promise<Connection> {
    const container = await this.container();
    const prefix = drawPrefix();
    const process = await this.inTurn(async () => {
      await this.writeProgram(container, program);
      const file = `start-${++this.starts}.json`;
      await container.fs.writeFile(`${this.folder}/${file}`, JSON.stringify(start));
      return container.spawn("node", [...NODE_ARGS, prefix, file], { cwd: this.folder });
    });
    read(process, prefix, events);
    const input = process.input.getWriter();
    return {
      send: (request) => void input.write(`${requestPrefix(prefix)}${JSON.stringify(request)}\n`),
      kill: () => process.kill(),
    };
  }

  private inTurn<T>(action: () => Promise<T>): Promise<T> {
    const done = this.turn.then(action);
    this.turn = done.catch(() => {});
    return done;
  }

  /** Brings the files in the container to those of the program. */
  private async writeProgram(container: WebContainer, program: Program): Promise<void> {
    const { fs } = container;
    const { sources, written, folder } = this;
    const wanted = new Map<string, string>();
    for (const [name, text] of Object.entries(program.files)) {
      const path = modulePath(name);
      if (path.endsWith(".ts") && text !== sources[path]) wanted.set(path, text);
    }
    for (const path of written.keys()) {
      if (wanted.has(path)) continue;
      const original = sources[path];
      if (original === undefined) await fs.rm(`${folder}/src/${path}`);
      else await fs.writeFile(`${folder}/src/${path}`, original);
      written.delete(path);
    }
    for (const [path, text] of wanted) {
      if (written.get(path) === text) continue;
      const parent = path.split("/").slice(0, -1).join("/");
      if (parent) await fs.mkdir(`${folder}/src/${parent}`, { recursive: true });
      await fs.writeFile(`${folder}/src/${path}`, text);
      written.set(path, text);
    }
    const { scenario, seed, inputs } = program;
    await fs.writeFile(`${folder}/program.json`, JSON.stringify({ scenario, seed, inputs }));
  }
}

function read(process: WebContainerProcess, prefix: string, events: ConnectionEvents): void {
  const reader = new LineReader(prefix, CAPS.messageLength, {
    onText: (text) => events.onText(text),
    onPrinted: (text) => events.onPrinted?.(text),
  });
  const drained = (async () => {
    for await (const chunk of chunksOf(process.output)) reader.push(chunk);
    reader.end();
  })();
  process.exit.then(
    async (code) => {
      await Promise.race([drained, new Promise((resolve) => setTimeout(resolve, TRAIL_MS))]);
      events.onClosed(`node ended with exit code ${code}`);
    },
    (error) => events.onClosed(`the connection to node was lost: ${error}`),
  );
}

/** A stream's chunks; not every browser can iterate a stream itself. */
async function* chunksOf(stream: ReadableStream<string>): AsyncIterable<string> {
  const reader = stream.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    yield value;
  }
}

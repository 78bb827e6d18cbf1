/** Our side of the sandboxed frame: spawns workers in it and kills them. */
import type { SimScript } from "../manifest.ts";
import type { LoadRequest, ScriptPlace } from "../protocol.ts";
import { CORE_PREFIX } from "../stack.ts";
import { BootError } from "../types.ts";
import { FRAME_PAGE } from "./frame-page.ts";

/** Time that the frame's script has to greet us, in ms. */
const HELLO_MS = 10_000;

/** One worker: a port to talk on, the scripts that it has, and its end. */
export class SpawnedWorker {
  readonly port: MessagePort;
  readonly kill: () => void;
  /** Names of the scripts that it was given. */
  readonly loaded = new Set<string>();
  private texts = 0;

  constructor(port: MessagePort, kill: () => void) {
    this.port = port;
    this.kill = kill;
  }

  /** Gives it the scripts that it does not have, all in one text: each text costs time. */
  load(all: readonly SimScript[], entry: string): void {
    const news = all.filter(({ name }) => !this.loaded.has(name));
    if (news.length === 0) return;
    const name = `${CORE_PREFIX}text${this.texts++}.js`;
    const scripts: ScriptPlace[] = [];
    let from = 0;
    for (const script of news) {
      scripts.push({ name: script.name, from });
      this.loaded.add(script.name);
      from += script.lines;
    }
    const codes = news.flatMap(({ code }) => [code, "\n"]);
    const text = new Blob([...codes, `//# sourceURL=${name}`], { type: "text/javascript" });
    this.port.postMessage({ t: "load", name, text, scripts, entry } satisfies LoadRequest);
  }
}

export class SandboxFrame {
  private readonly element: HTMLIFrameElement;
  private readonly hello: Promise<void>;
  private readonly spawns = new Map<number, { resolve(): void; reject(error: Error): void }>();
  private nextId = 1;
  private greet: () => void = () => {};

  constructor() {
    this.element = document.createElement("iframe");
    this.element.setAttribute("sandbox", "allow-scripts"); // Never allow-same-origin.
    this.element.setAttribute("aria-hidden", "true");
    this.element.hidden = true;
    this.element.srcdoc = FRAME_PAGE;
    this.hello = new Promise((resolve) => {
      this.greet = resolve;
    });
    window.addEventListener("message", this.onMessage);
  }

  /** Puts the frame in the page; it greets when it is there. */
  async open(): Promise<void> {
    document.body.append(this.element);
    const words = "the browser or a policy of the page refused the sandboxed frame";
    const late = new Promise<never>((_, reject) => {
      setTimeout(() => reject(new BootError("blocked", words)), HELLO_MS);
    });
    await Promise.race([this.hello, late]);
  }

  /** Gives it the source of its workers. */
  give(source: string): void {
    this.say({ t: "source", text: source });
  }

  async spawn(): Promise<SpawnedWorker> {
    const id = this.nextId++;
    const spawned = new Promise<void>((resolve, reject) =>
      this.spawns.set(id, { resolve, reject }),
    );
    this.say({ t: "spawn", id });
    await spawned;
    const { port1, port2 } = new MessageChannel();
    this.say({ t: "connect", id }, [port2]);
    return new SpawnedWorker(port1, () => {
      port1.onmessage = null;
      port1.close();
      this.say({ t: "kill", id });
    });
  }

  close(): void {
    window.removeEventListener("message", this.onMessage);
    this.element.remove();
    for (const { reject } of this.spawns.values()) reject(new BootError("aborted"));
    this.spawns.clear();
  }

  private say(message: object, transfer: Transferable[] = []): void {
    this.element.contentWindow?.postMessage(message, "*", transfer);
  }

  private readonly onMessage = (event: MessageEvent) => {
    // The frame has no origin to compare; its window is what names it.
    if (event.source !== this.element.contentWindow) return;
    const { t, id } = (event.data ?? {}) as { t?: unknown; id?: unknown };
    if (t === "hello") return this.greet();
    const spawn = this.spawns.get(Number(id));
    this.spawns.delete(Number(id));
    if (t === "spawned") spawn?.resolve();
    else
      spawn?.reject(new BootError("blocked", "the browser refused a worker in a sandboxed frame"));
  };
}

/** Our side of the sandboxed frame: spawns workers in it and kills them. */
import { BootError } from "../types.ts";
import { FRAME_PAGE } from "./frame-page.ts";

/** Time that the frame's script has to greet us, in ms. */
const HELLO_MS = 10_000;

/** One worker: a port to talk on, and its end. */
export interface SpawnedWorker {
  readonly port: MessagePort;
  kill(): void;
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

  /** Puts the frame in the page and gives it the worker's source. */
  async open(source: string): Promise<void> {
    document.body.append(this.element);
    const words = "the browser or a policy of the page refused the sandboxed frame";
    const late = new Promise<never>((_, reject) => {
      setTimeout(() => reject(new BootError("blocked", words)), HELLO_MS);
    });
    await Promise.race([this.hello, late]);
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
    return {
      port: port1,
      kill: () => {
        port1.onmessage = null;
        port1.close();
        this.say({ t: "kill", id });
      },
    };
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

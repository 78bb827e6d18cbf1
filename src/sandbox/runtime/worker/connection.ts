/**
 * The way to a run's worker. When the run calls into a part that is not
 * there, another worker starts it again with the part, and tells on from where
 * the first one left off.
 */
import type { Parts } from "../parts.ts";
import { decodeMissing, type HostRequest, type Missing, type StartRequest } from "../protocol.ts";
import type { Connection, ConnectionEvents } from "../run.ts";
import type { SpawnedWorker } from "./frame.ts";

export class WorkerConnection implements Connection {
  private readonly events: ConnectionEvents;
  private readonly parts: Parts;
  private readonly take: () => Promise<SpawnedWorker>;
  private worker: SpawnedWorker | null = null;
  private start: StartRequest | null = null;
  /** Sent to a worker that is not there yet. */
  private waiting: HostRequest[] = [];
  private killed = false;

  constructor(events: ConnectionEvents, parts: Parts, take: () => Promise<SpawnedWorker>) {
    this.events = events;
    this.parts = parts;
    this.take = take;
  }

  async open(start: StartRequest): Promise<void> {
    const [scripts, worker] = await Promise.all([this.parts.scriptsFor(start), this.take()]);
    if (this.killed) return worker.kill();
    this.start = start;
    this.worker = worker;
    worker.port.onmessage = ({ data }) => this.receive(data);
    worker.port.addEventListener("close", () => {
      if (this.worker === worker) this.events.onClosed("the worker ended by itself");
    });
    worker.load(scripts, start.program.entry);
    worker.port.postMessage(start);
    for (const request of this.waiting.splice(0)) worker.port.postMessage(request);
  }

  send(request: HostRequest): void {
    if (this.worker) this.worker.port.postMessage(request);
    else this.waiting.push(request);
  }

  kill(): void {
    this.killed = true;
    this.worker?.kill();
  }

  private receive(text: unknown): void {
    const missing = decodeMissing(text);
    if (!missing) return this.events.onText(text);
    const loaded = this.worker?.loaded ?? new Set();
    this.worker?.kill();
    this.worker = null;
    this.events.onRestart?.(this.again(missing, loaded));
  }

  private async again({ what, sent }: Missing, loaded: ReadonlySet<string>): Promise<void> {
    const { start } = this;
    if (!start || !(await this.parts.note(what, loaded)))
      return this.events.onClosed("the worker misses what is not there");
    await this.open({ ...start, after: sent });
  }
}

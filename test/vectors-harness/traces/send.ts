/** The recorder's client: fills in names and times, sends, tries again, notes answers. */
import type { KubeObject } from "../../../sim/src/api/types.ts";
import type { TraceCluster } from "./cluster.ts";
import type { HttpInput, Row } from "./format.ts";
import { at } from "./rows.ts";

/** The recorder sent the next request when the one before was answered. */
const ANSWER_MS = 10;

/** A request that was refused and is sent again later. */
interface Retry {
  readonly atMs: number;
  readonly tries: number;
  readonly input: HttpInput;
}

export async function until(cluster: TraceCluster, ms: number): Promise<void> {
  if (ms > cluster.kernel.now()) await cluster.kernel.run({ untilMs: ms });
}

export class Recorder {
  readonly records: Row[] = [];
  private readonly cluster: TraceCluster;
  private readonly start: number;
  /** What the session bound so far; a later scenario may use it. */
  private readonly names: Map<string, string[]>;
  private retries: Retry[] = [];

  constructor(cluster: TraceCluster, start: number, names: Map<string, string[]>) {
    this.cluster = cluster;
    this.start = start;
    this.names = names;
  }

  /** Sends at `atMs`, once for each bound name if it says so. */
  async send(input: HttpInput, atMs: number): Promise<void> {
    await this.waitUntil(atMs);
    for (const filled of this.filledIn(input)) {
      let retry = await this.once(filled, 1);
      if (input.parallel) {
        if (retry) this.retries.push(retry);
        continue;
      }
      for (; retry; retry = await this.once(filled, retry.tries + 1)) {
        await this.waitUntil(retry.atMs);
      }
      await this.waitUntil(this.cluster.kernel.now() + ANSWER_MS);
    }
    if (input.parallel) await this.waitUntil(this.cluster.kernel.now() + ANSWER_MS);
  }

  /** Lets time pass; what is to be sent again meanwhile is sent. */
  async waitUntil(ms: number): Promise<void> {
    for (;;) {
      const [next] = this.retries.toSorted((a, b) => a.atMs - b.atMs);
      if (!next || next.atMs > ms) break;
      await this.again(next);
    }
    await until(this.cluster, ms);
  }

  /** The recording is over: nothing is tried again. */
  giveUp(): void {
    this.retries = [];
  }

  private async again(retry: Retry): Promise<void> {
    this.retries.splice(this.retries.indexOf(retry), 1);
    await until(this.cluster, retry.atMs);
    const next = await this.once(retry.input, retry.tries + 1);
    if (next) this.retries.push(next);
  }

  /** Says when it is to be sent once more, if it is. */
  private async once(input: HttpInput, tries: number): Promise<Retry | undefined> {
    const { code, body } = await this.cluster.send(this.timed(input));
    this.bind(input, body);
    if (input.record === "client") this.records.push(this.answerOf(input, code, body));
    const { onCode, everyMs = 0, maxTries = 1 } = input.retry ?? {};
    if (code !== onCode || tries >= maxTries) return undefined;
    return { atMs: this.cluster.kernel.now() + everyMs, tries, input };
  }

  private answerOf(input: HttpInput, code: number, body: KubeObject): Row {
    const t = this.cluster.kernel.now() - this.start;
    const pod = /\/pods\/([^/?]+)/.exec(input.path)?.[1];
    const refused = code >= 400;
    const message = refused ? at(body, "message") : undefined;
    const causes = refused ? at(body, "details.causes") : undefined;
    return { t, client: "answer", pod, code, message, causes };
  }

  private timed(input: HttpInput): HttpInput {
    const { kernel } = this.cluster;
    return fill(fill(input, "now", kernel.timestamp()), "nowMicro", kernel.microTimestamp());
  }

  /** One request, or one for each value of the name that `forEach` goes over. */
  private filledIn(input: HttpInput): HttpInput[] {
    const { forEach } = input;
    const used = [...this.names.keys()].find((name) => mentions(input, name, forEach));
    const values = forEach && used ? (this.names.get(used) ?? []) : [undefined];
    return values.map((value) => {
      const one = used && value !== undefined ? fill(input, used, value) : input;
      return [...this.names].reduce((now, [name, [first = ""]]) => fill(now, name, first), one);
    });
  }

  private bind(input: HttpInput, body: KubeObject): void {
    for (const [name, path] of Object.entries(input.bind ?? {})) {
      this.names.set(name, [String(at(body, path))]);
    }
    for (const [name, path] of Object.entries(input.bindEach ?? {})) {
      const { where } = input;
      const items = (at(body, "items") ?? []) as unknown[];
      const kept = items.filter((item) => !where || at(item, inItem(where.path)) !== where.not);
      this.names.set(
        name,
        kept.map((item) => String(at(item, inItem(path)))),
      );
    }
  }
}

/** `items.*.metadata.name` and `metadata.name` mean the same. */
function inItem(path: string): string {
  return path.replace(/^items(\[\*?\]|\.\*|\.\d+)?\./, "");
}

function mentions(input: HttpInput, name: string, forEach: string | boolean | undefined): boolean {
  if (typeof forEach === "string" && forEach.replace(/[{}]/g, "") === name) return true;
  return JSON.stringify([input.path, input.body]).includes(`{${name}}`);
}

function fill(input: HttpInput, name: string, value: string): HttpInput {
  const text = JSON.stringify([input.path, input.body ?? null]).replaceAll(`{${name}}`, value);
  const [path, body] = JSON.parse(text) as [string, unknown];
  return { ...input, path, body: body ?? undefined };
}
